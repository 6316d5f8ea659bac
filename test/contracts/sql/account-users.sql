-- plain
-- plain
SELECT a.plan, a.frozen, a.disabled, i.user_id AS "userId", m.id AS "memberId", m.user_id IS NOT NULL AS "isBound", m.role,
              m.project_roles AS "projectRoles",
              EXISTS (SELECT FROM members o WHERE o.account_id = a.id) AS "accountHasMembers"
       FROM accounts a
       LEFT JOIN user_identities i ON i.account_id = a.id AND i.issuer = $2 AND i.subject = $3
       LEFT JOIN LATERAL (
         SELECT * FROM members
         WHERE account_id = a.id
           AND (user_id = i.user_id OR (user_id IS NULL AND coalesce(subject = $3, email = lower($4))))
         ORDER BY user_id NULLS LAST, subject NULLS LAST LIMIT 1
       ) m ON true
       WHERE a.id = $1;

-- plain
SELECT "User"."id" AS "User_id", "User"."account_id" AS "User_account_id", "User"."email" AS "User_email", "User"."created_at" AS "User_created_at" FROM "users" "User" WHERE (("User"."account_id" = $1)) ORDER BY "User"."created_at" DESC, "User"."id" DESC LIMIT 10 OFFSET 0;

-- plain
-- page=70
SELECT DISTINCT ON (user_id) user_id AS "userId", subject FROM user_identities
       WHERE account_id = $1 AND user_id = ANY ($2::uuid[]) ORDER BY user_id, created_at;

-- page=70
SELECT "User"."id" AS "User_id", "User"."account_id" AS "User_account_id", "User"."email" AS "User_email", "User"."created_at" AS "User_created_at" FROM "users" "User" WHERE (("User"."account_id" = $1)) ORDER BY "User"."created_at" DESC, "User"."id" DESC LIMIT 10 OFFSET 690;

-- page=70
SELECT COUNT(1) AS "cnt" FROM "users" "User" WHERE (("User"."account_id" = $1));
