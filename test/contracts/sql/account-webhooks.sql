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
SELECT "Webhook"."id" AS "Webhook_id", "Webhook"."account_id" AS "Webhook_account_id", "Webhook"."url" AS "Webhook_url", "Webhook"."description" AS "Webhook_description", "Webhook"."project_id" AS "Webhook_project_id", "Webhook"."event_types" AS "Webhook_event_types", "Webhook"."tag_ids" AS "Webhook_tag_ids", "Webhook"."per_link" AS "Webhook_per_link", "Webhook"."enabled" AS "Webhook_enabled", "Webhook"."disabled_at" AS "Webhook_disabled_at", "Webhook"."failing_since" AS "Webhook_failing_since", "Webhook"."created_at" AS "Webhook_created_at", "Webhook"."updated_at" AS "Webhook_updated_at" FROM "webhook_endpoints" "Webhook" WHERE (("Webhook"."account_id" = $1)) ORDER BY "Webhook"."created_at" DESC, "Webhook"."id" DESC LIMIT 10 OFFSET 0;

-- page=70
SELECT "Webhook"."id" AS "Webhook_id", "Webhook"."account_id" AS "Webhook_account_id", "Webhook"."url" AS "Webhook_url", "Webhook"."description" AS "Webhook_description", "Webhook"."project_id" AS "Webhook_project_id", "Webhook"."event_types" AS "Webhook_event_types", "Webhook"."tag_ids" AS "Webhook_tag_ids", "Webhook"."per_link" AS "Webhook_per_link", "Webhook"."enabled" AS "Webhook_enabled", "Webhook"."disabled_at" AS "Webhook_disabled_at", "Webhook"."failing_since" AS "Webhook_failing_since", "Webhook"."created_at" AS "Webhook_created_at", "Webhook"."updated_at" AS "Webhook_updated_at" FROM "webhook_endpoints" "Webhook" WHERE (("Webhook"."account_id" = $1)) ORDER BY "Webhook"."created_at" DESC, "Webhook"."id" DESC LIMIT 10 OFFSET 690;

-- page=70
SELECT COUNT(1) AS "cnt" FROM "webhook_endpoints" "Webhook" WHERE (("Webhook"."account_id" = $1));
