-- plain
-- sortOrder=desc
-- sortBy=created_at
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."package_name" AS "t_package_name", "t"."sha_fingerprints" AS "t_sha_fingerprints", "t"."android_stores" AS "t_android_stores", "t"."paths" AS "t_paths", "t"."shared_credentials" AS "t_shared_credentials", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "android_apps" "t" WHERE "t"."project_id" = $1 ORDER BY "t"."created_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- sortOrder=asc
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."package_name" AS "t_package_name", "t"."sha_fingerprints" AS "t_sha_fingerprints", "t"."android_stores" AS "t_android_stores", "t"."paths" AS "t_paths", "t"."shared_credentials" AS "t_shared_credentials", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "android_apps" "t" WHERE "t"."project_id" = $1 ORDER BY "t"."created_at" ASC, "t"."id" ASC LIMIT 10 OFFSET 0;

-- search=summer
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."package_name" AS "t_package_name", "t"."sha_fingerprints" AS "t_sha_fingerprints", "t"."android_stores" AS "t_android_stores", "t"."paths" AS "t_paths", "t"."shared_credentials" AS "t_shared_credentials", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "android_apps" "t" WHERE "t"."project_id" = $1 AND (fold_text("t"."name") LIKE search_pattern($2) OR fold_text("t"."package_name") LIKE search_pattern($2)) ORDER BY "t"."created_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- sortBy=name
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."package_name" AS "t_package_name", "t"."sha_fingerprints" AS "t_sha_fingerprints", "t"."android_stores" AS "t_android_stores", "t"."paths" AS "t_paths", "t"."shared_credentials" AS "t_shared_credentials", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "android_apps" "t" WHERE "t"."project_id" = $1 ORDER BY "t"."name" COLLATE "C" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- sortBy=package_name
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."package_name" AS "t_package_name", "t"."sha_fingerprints" AS "t_sha_fingerprints", "t"."android_stores" AS "t_android_stores", "t"."paths" AS "t_paths", "t"."shared_credentials" AS "t_shared_credentials", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "android_apps" "t" WHERE "t"."project_id" = $1 ORDER BY "t"."package_name" COLLATE "C" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- sortBy=updated_at
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."package_name" AS "t_package_name", "t"."sha_fingerprints" AS "t_sha_fingerprints", "t"."android_stores" AS "t_android_stores", "t"."paths" AS "t_paths", "t"."shared_credentials" AS "t_shared_credentials", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "android_apps" "t" WHERE "t"."project_id" = $1 ORDER BY "t"."updated_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- page=70
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."name" AS "t_name", "t"."package_name" AS "t_package_name", "t"."sha_fingerprints" AS "t_sha_fingerprints", "t"."android_stores" AS "t_android_stores", "t"."paths" AS "t_paths", "t"."shared_credentials" AS "t_shared_credentials", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "android_apps" "t" WHERE "t"."project_id" = $1 ORDER BY "t"."created_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 690;

-- page=70
SELECT COUNT(1) AS "cnt" FROM "android_apps" "t" WHERE "t"."project_id" = $1;
