-- plain
-- plain
-- state=delivered
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
-- state=waiting
-- state=delivered
-- state=failed
-- page=70
SELECT id, sequence::float8 AS sequence, part, type, resource_id AS "resourceId", state, attempts, last_attempt_at AS "lastAttemptAt",
  next_attempt_at AS "nextAttemptAt", status, failure, answer, duration_ms AS "durationMs", created_at AS "createdAt" FROM webhook_deliveries WHERE endpoint_id = $1 AND ($2::text IS NULL OR state = $2) ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4;
