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
-- page=70
SELECT a.id, a.account_id AS "accountId", a.operation, a.project_id AS "projectId", a.resource_id AS "resourceId", a.body,
  CASE WHEN a.state = 'pending' AND a.expires_at <= now() THEN 'expired' ELSE a.state END AS state,
  a.requested_by AS "requestedBy", a.api_key_id AS "apiKeyId", a.decided_by AS "decidedBy", a.created_at AS "createdAt",
  a.expires_at AS "expiresAt", a.decided_at AS "decidedAt",
  coalesce(
  (SELECT email FROM users WHERE id = a.requested_by),
  (SELECT subject FROM user_identities WHERE account_id = a.account_id AND user_id = a.requested_by ORDER BY created_at LIMIT 1)
) AS "requestedByName", coalesce(
  (SELECT email FROM users WHERE id = a.decided_by),
  (SELECT subject FROM user_identities WHERE account_id = a.account_id AND user_id = a.decided_by ORDER BY created_at LIMIT 1)
) AS "decidedByName",
  coalesce(
    (SELECT hostname FROM custom_domains WHERE id = a.resource_id AND project_id = a.project_id),
    (SELECT coalesce(email, subject) FROM members WHERE id = a.resource_id AND account_id = a.account_id),
    (SELECT email FROM users WHERE id = a.resource_id AND account_id = a.account_id),
    (SELECT name FROM projects WHERE id = a.resource_id AND account_id = a.account_id AND deleted_at IS NULL)
  ) AS "resourceName" FROM approvals AS a WHERE a.account_id = $1 ORDER BY a.created_at DESC, a.id DESC LIMIT $2 OFFSET $3;
