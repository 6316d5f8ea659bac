-- plain
-- sortOrder=desc
-- sortBy=created_at
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."referrer_params" AS "t_referrer_params", "t"."rules" AS "t_rules", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "link_templates" "t" WHERE "t"."project_id" = $1 ORDER BY "t"."created_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- sortOrder=asc
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."referrer_params" AS "t_referrer_params", "t"."rules" AS "t_rules", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "link_templates" "t" WHERE "t"."project_id" = $1 ORDER BY "t"."created_at" ASC, "t"."id" ASC LIMIT 10 OFFSET 0;

-- search=summer
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."referrer_params" AS "t_referrer_params", "t"."rules" AS "t_rules", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "link_templates" "t" WHERE "t"."project_id" = $1 AND (fold_text("t"."name") LIKE search_pattern($2)) ORDER BY "t"."created_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- sortBy=name
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."referrer_params" AS "t_referrer_params", "t"."rules" AS "t_rules", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "link_templates" "t" WHERE "t"."project_id" = $1 ORDER BY "t"."name" COLLATE "C" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- sortBy=updated_at
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."referrer_params" AS "t_referrer_params", "t"."rules" AS "t_rules", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "link_templates" "t" WHERE "t"."project_id" = $1 ORDER BY "t"."updated_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- page=70
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."referrer_params" AS "t_referrer_params", "t"."rules" AS "t_rules", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "link_templates" "t" WHERE "t"."project_id" = $1 ORDER BY "t"."created_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 690;

-- page=70
SELECT COUNT(1) AS "cnt" FROM "link_templates" "t" WHERE "t"."project_id" = $1;
