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
SELECT "ApiKey"."id" AS "ApiKey_id", "ApiKey"."account_id" AS "ApiKey_account_id", "ApiKey"."user_id" AS "ApiKey_user_id", "ApiKey"."name" AS "ApiKey_name", "ApiKey"."scopes" AS "ApiKey_scopes", "ApiKey"."project_ids" AS "ApiKey_project_ids", "ApiKey"."allowed_networks" AS "ApiKey_allowed_networks", "ApiKey"."destination_hosts" AS "ApiKey_destination_hosts", "ApiKey"."allowed_origins" AS "ApiKey_allowed_origins", "ApiKey"."links_per_day" AS "ApiKey_links_per_day", "ApiKey"."prefix" AS "ApiKey_prefix", "ApiKey"."publishable" AS "ApiKey_publishable", "ApiKey"."created_at" AS "ApiKey_created_at", "ApiKey"."last_used_at" AS "ApiKey_last_used_at", "ApiKey"."expires_at" AS "ApiKey_expires_at", "ApiKey"."revoked_at" AS "ApiKey_revoked_at" FROM "api_keys" "ApiKey" WHERE (("ApiKey"."account_id" = $1) AND ("ApiKey"."revoked_at" IS NULL)) ORDER BY "ApiKey"."created_at" DESC, "ApiKey"."id" DESC LIMIT 10 OFFSET 0;

-- page=70
SELECT "ApiKey"."id" AS "ApiKey_id", "ApiKey"."account_id" AS "ApiKey_account_id", "ApiKey"."user_id" AS "ApiKey_user_id", "ApiKey"."name" AS "ApiKey_name", "ApiKey"."scopes" AS "ApiKey_scopes", "ApiKey"."project_ids" AS "ApiKey_project_ids", "ApiKey"."allowed_networks" AS "ApiKey_allowed_networks", "ApiKey"."destination_hosts" AS "ApiKey_destination_hosts", "ApiKey"."allowed_origins" AS "ApiKey_allowed_origins", "ApiKey"."links_per_day" AS "ApiKey_links_per_day", "ApiKey"."prefix" AS "ApiKey_prefix", "ApiKey"."publishable" AS "ApiKey_publishable", "ApiKey"."created_at" AS "ApiKey_created_at", "ApiKey"."last_used_at" AS "ApiKey_last_used_at", "ApiKey"."expires_at" AS "ApiKey_expires_at", "ApiKey"."revoked_at" AS "ApiKey_revoked_at" FROM "api_keys" "ApiKey" WHERE (("ApiKey"."account_id" = $1) AND ("ApiKey"."revoked_at" IS NULL)) ORDER BY "ApiKey"."created_at" DESC, "ApiKey"."id" DESC LIMIT 10 OFFSET 690;

-- page=70
SELECT COUNT(1) AS "cnt" FROM "api_keys" "ApiKey" WHERE (("ApiKey"."account_id" = $1) AND ("ApiKey"."revoked_at" IS NULL));
