-- plain
-- sortOrder=desc
-- sortBy=created_at
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."folded_name" AS "t_folded_name", (
  (CASE WHEN EXISTS (SELECT FROM tags retired WHERE retired.merged_into = "t".id) THEN (
     SELECT count(*) FROM dynamic_links link WHERE link.project_id = "t".project_id AND link.deleted_at IS NULL
       AND link.tag_ids <> '{}' AND link.tag_ids && ARRAY(SELECT "t".id UNION ALL SELECT id FROM tags WHERE merged_into = "t".id))
   ELSE (SELECT coalesce(sum(kept.links), 0) FROM tag_counts kept WHERE kept.tag_id = "t".id) END)::int) AS "t_links", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "tags" "t" WHERE ( "t"."project_id" = $1 ) AND ( "t"."retired_at" IS NULL ) ORDER BY "t"."created_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- sortOrder=asc
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."folded_name" AS "t_folded_name", (
  (CASE WHEN EXISTS (SELECT FROM tags retired WHERE retired.merged_into = "t".id) THEN (
     SELECT count(*) FROM dynamic_links link WHERE link.project_id = "t".project_id AND link.deleted_at IS NULL
       AND link.tag_ids <> '{}' AND link.tag_ids && ARRAY(SELECT "t".id UNION ALL SELECT id FROM tags WHERE merged_into = "t".id))
   ELSE (SELECT coalesce(sum(kept.links), 0) FROM tag_counts kept WHERE kept.tag_id = "t".id) END)::int) AS "t_links", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "tags" "t" WHERE ( "t"."project_id" = $1 ) AND ( "t"."retired_at" IS NULL ) ORDER BY "t"."created_at" ASC, "t"."id" ASC LIMIT 10 OFFSET 0;

-- search=summer
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."folded_name" AS "t_folded_name", (
  (CASE WHEN EXISTS (SELECT FROM tags retired WHERE retired.merged_into = "t".id) THEN (
     SELECT count(*) FROM dynamic_links link WHERE link.project_id = "t".project_id AND link.deleted_at IS NULL
       AND link.tag_ids <> '{}' AND link.tag_ids && ARRAY(SELECT "t".id UNION ALL SELECT id FROM tags WHERE merged_into = "t".id))
   ELSE (SELECT coalesce(sum(kept.links), 0) FROM tag_counts kept WHERE kept.tag_id = "t".id) END)::int) AS "t_links", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "tags" "t" WHERE ( "t"."project_id" = $1 AND (fold_text("t"."name") LIKE search_pattern($2)) ) AND ( "t"."retired_at" IS NULL ) ORDER BY "t"."created_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- sortBy=name
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."folded_name" AS "t_folded_name", (
  (CASE WHEN EXISTS (SELECT FROM tags retired WHERE retired.merged_into = "t".id) THEN (
     SELECT count(*) FROM dynamic_links link WHERE link.project_id = "t".project_id AND link.deleted_at IS NULL
       AND link.tag_ids <> '{}' AND link.tag_ids && ARRAY(SELECT "t".id UNION ALL SELECT id FROM tags WHERE merged_into = "t".id))
   ELSE (SELECT coalesce(sum(kept.links), 0) FROM tag_counts kept WHERE kept.tag_id = "t".id) END)::int) AS "t_links", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "tags" "t" WHERE ( "t"."project_id" = $1 ) AND ( "t"."retired_at" IS NULL ) ORDER BY "t"."name" COLLATE "C" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- sortBy=updated_at
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."folded_name" AS "t_folded_name", (
  (CASE WHEN EXISTS (SELECT FROM tags retired WHERE retired.merged_into = "t".id) THEN (
     SELECT count(*) FROM dynamic_links link WHERE link.project_id = "t".project_id AND link.deleted_at IS NULL
       AND link.tag_ids <> '{}' AND link.tag_ids && ARRAY(SELECT "t".id UNION ALL SELECT id FROM tags WHERE merged_into = "t".id))
   ELSE (SELECT coalesce(sum(kept.links), 0) FROM tag_counts kept WHERE kept.tag_id = "t".id) END)::int) AS "t_links", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "tags" "t" WHERE ( "t"."project_id" = $1 ) AND ( "t"."retired_at" IS NULL ) ORDER BY "t"."updated_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- page=70
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."folded_name" AS "t_folded_name", (
  (CASE WHEN EXISTS (SELECT FROM tags retired WHERE retired.merged_into = "t".id) THEN (
     SELECT count(*) FROM dynamic_links link WHERE link.project_id = "t".project_id AND link.deleted_at IS NULL
       AND link.tag_ids <> '{}' AND link.tag_ids && ARRAY(SELECT "t".id UNION ALL SELECT id FROM tags WHERE merged_into = "t".id))
   ELSE (SELECT coalesce(sum(kept.links), 0) FROM tag_counts kept WHERE kept.tag_id = "t".id) END)::int) AS "t_links", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "tags" "t" WHERE ( "t"."project_id" = $1 ) AND ( "t"."retired_at" IS NULL ) ORDER BY "t"."created_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 690;

-- page=70
SELECT COUNT(1) AS "cnt" FROM "tags" "t" WHERE ( "t"."project_id" = $1 ) AND ( "t"."retired_at" IS NULL );
