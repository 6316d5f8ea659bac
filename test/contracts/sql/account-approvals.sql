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
WITH old AS (
         SELECT id FROM webhook_deliveries WHERE state <> 'waiting' AND created_at < now() - interval '7 days' LIMIT $1
       ), surplus AS (
         SELECT sent.id FROM webhook_endpoints AS endpoint CROSS JOIN LATERAL (
           SELECT id FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND state <> 'waiting' ORDER BY created_at DESC, id DESC OFFSET 10000 LIMIT $1
         ) AS sent LIMIT $1
       ), removed AS (
         DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM old UNION SELECT id FROM surplus) RETURNING id
       )
       SELECT count(*)::int AS removed FROM removed;

-- plain
UPDATE imports SET deleted_at = now(), reserved_links = 0
       WHERE deleted_at IS NULL AND (
         (state = 'uploading' AND list IS NULL AND updated_at < now() - $1 * interval '1 ms')
         OR (state IN ('ready', 'completed', 'cancelled', 'failed') AND updated_at < now() - $2 * interval '1 day')
         OR id IN (
           SELECT id FROM (
             SELECT id, state, row_number() OVER (PARTITION BY project_id ORDER BY created_at DESC, id DESC) AS place
             FROM imports WHERE deleted_at IS NULL
           ) AS ranked
           WHERE place > $3 AND state IN ('completed', 'cancelled', 'failed')
         )
       );

-- plain
SELECT coalesce(extract(epoch FROM max(now() - oldest.at)) FILTER (WHERE endpoint.enabled), 0)::float8 AS oldest,
         count(*) FILTER (WHERE endpoint.enabled AND endpoint.failing_since IS NOT NULL)::int AS failing,
         count(*) FILTER (WHERE endpoint.disabled_at IS NOT NULL)::int AS disabled
       FROM webhook_endpoints AS endpoint JOIN webhook_positions AS place ON place.endpoint_id = endpoint.id
       CROSS JOIN LATERAL (
         SELECT min(entry.at) AS at FROM journal AS entry
         WHERE entry.account_id = endpoint.account_id AND entry.sequence = coalesce(
           (SELECT sequence FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND state = 'waiting' ORDER BY sequence, part LIMIT 1),
           place.sequence + 1
         )
       ) AS oldest;

-- plain
SELECT id FROM projects WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1000;

-- plain
UPDATE custom_domains SET next_check_at = now() + $1 * interval '1 millisecond' WHERE id IN (
         SELECT id FROM custom_domains WHERE next_check_at <= now() ORDER BY next_check_at LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       RETURNING id, next_check_at AS until;

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
