-- plain
SELECT "Share"."id" AS "Share_id", "Share"."project_id" AS "Share_project_id", "Share"."name" AS "Share_name", "Share"."dynamic_link_id" AS "Share_dynamic_link_id", "Share"."tag_id" AS "Share_tag_id", "Share"."timezone" AS "Share_timezone", "Share"."password_hash" AS "Share_password_hash", "Share"."expires_at" AS "Share_expires_at", "Share"."created_at" AS "Share_created_at" FROM "statistic_shares" "Share" WHERE (("Share"."project_id" = $1)) ORDER BY "Share"."created_at" DESC, "Share"."id" DESC LIMIT 10 OFFSET 0;

-- page=70
SELECT "Share"."id" AS "Share_id", "Share"."project_id" AS "Share_project_id", "Share"."name" AS "Share_name", "Share"."dynamic_link_id" AS "Share_dynamic_link_id", "Share"."tag_id" AS "Share_tag_id", "Share"."timezone" AS "Share_timezone", "Share"."password_hash" AS "Share_password_hash", "Share"."expires_at" AS "Share_expires_at", "Share"."created_at" AS "Share_created_at" FROM "statistic_shares" "Share" WHERE (("Share"."project_id" = $1)) ORDER BY "Share"."created_at" DESC, "Share"."id" DESC LIMIT 10 OFFSET 690;

-- page=70
SELECT COUNT(1) AS "cnt" FROM "statistic_shares" "Share" WHERE (("Share"."project_id" = $1));
