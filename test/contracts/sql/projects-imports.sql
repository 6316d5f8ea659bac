-- plain
-- plain
SELECT "User"."id" AS "User_id", "User"."account_id" AS "User_account_id", "User"."email" AS "User_email", "User"."created_at" AS "User_created_at" FROM "users" "User" WHERE (("User"."account_id" = $1)) ORDER BY "User"."created_at" ASC, "User"."id" ASC LIMIT 1;

-- plain
-- plain
-- plain
SELECT COUNT(1) AS "cnt" FROM "members" "Member" WHERE (("Member"."account_id" = $1) AND ("Member"."role" = $2));

-- plain
UPDATE dynamic_links t SET notes = $3, updated_at = now()
      FROM set_actor($4)
      WHERE t.project_id = $1 AND t.deleted_at IS NULL AND t.id = $2 AND (t.notes IS DISTINCT FROM $3) RETURNING t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
  (SELECT json_build_object('id', app.id, 'name', app.name, 'bundle_id', app.bundle_id)
   FROM ios_apps app WHERE app.project_id = t.project_id AND app.id = t.ios_app_id) AS "iosApp",
  (SELECT json_build_object('id', app.id, 'name', app.name, 'package_name', app.package_name)
   FROM android_apps app WHERE app.project_id = t.project_id AND app.id = t.android_app_id) AS "androidApp", 
  CASE WHEN t.tag_ids = '{}' THEN '[]'::json ELSE (
    SELECT coalesce(json_agg(shown.name ORDER BY shown.place), '[]') FROM (
  SELECT tag.id, tag.name, min(given.place) AS place
  FROM unnest(t.tag_ids) WITH ORDINALITY AS given (id, place) JOIN tags own ON own.id = given.id
    JOIN tags tag ON tag.id = coalesce(own.merged_into, own.id) AND tag.retired_at IS NULL
  GROUP BY tag.id, tag.name) AS shown
  ) END AS tags;

-- plain
SELECT entry.sequence, entry.at, entry.type, entry.project_id AS "projectId", entry.resource_id AS "resourceId",
         coalesce(cardinality(entry.resource_ids), 1) AS "resourceCount", entry.actor, coalesce((SELECT name FROM api_keys WHERE id = (entry.actor->>'api_key_id')::uuid), (SELECT coalesce(email, (
  SELECT subject FROM user_identities WHERE account_id = entry.account_id AND user_id = users.id ORDER BY created_at LIMIT 1
)) FROM users WHERE id = (entry.actor->>'user_id')::uuid)) AS "actorName",
         (SELECT coalesce(email, (
  SELECT subject FROM user_identities WHERE account_id = entry.account_id AND user_id = users.id ORDER BY created_at LIMIT 1
)) FROM users WHERE id = (entry.actor->>'requested_by')::uuid) AS "requesterName", coalesce(
  (SELECT name FROM dynamic_links WHERE id = entry.resource_id), (SELECT slug FROM short_links WHERE id = entry.resource_id),
  (SELECT name FROM ios_apps WHERE id = entry.resource_id), (SELECT name FROM android_apps WHERE id = entry.resource_id),
  (SELECT name FROM tags WHERE id = entry.resource_id), (SELECT hostname FROM custom_domains WHERE id = entry.resource_id),
  (SELECT name FROM projects WHERE id = entry.resource_id), (SELECT name FROM api_keys WHERE id = entry.resource_id),
  entry.before->>'name', entry.before->>'slug', entry.before->>'hostname', entry.after->>'name', entry.after->>'slug'
) AS "resourceName",
         coalesce(entry.before, (
  SELECT changed->'before' FROM jsonb_array_elements(entry.rows) AS changed WHERE changed->>'id' = $3
)) AS before, coalesce(entry.after, (
  SELECT changed->'after' FROM jsonb_array_elements(entry.rows) AS changed WHERE changed->>'id' = $3
)) AS after
       FROM journal AS entry WHERE entry.account_id = $1 AND entry.project_id = $4 AND (entry.resource_id = $5::uuid OR entry.resource_ids @> ARRAY[$5::uuid]) ORDER BY entry.sequence DESC LIMIT $2;

-- plain
SELECT COUNT(1) AS "cnt" FROM "imports" "Import" WHERE ( (("Import"."project_id" = $1) AND ("Import"."state" IN ($2, $3, $4, $5))) ) AND ( "Import"."deleted_at" IS NULL );

-- plain
-- plain
SELECT "ios_apps"."id" AS "ios_apps_id", "ios_apps"."project_id" AS "ios_apps_project_id", "ios_apps"."name" AS "ios_apps_name", "ios_apps"."bundle_id" AS "ios_apps_bundle_id", "ios_apps"."team_id" AS "ios_apps_team_id", "ios_apps"."appstore_id" AS "ios_apps_appstore_id", "ios_apps"."app_clip_bundle_id" AS "ios_apps_app_clip_bundle_id", "ios_apps"."paths" AS "ios_apps_paths", "ios_apps"."shared_credentials" AS "ios_apps_shared_credentials", "ios_apps"."created_at" AS "ios_apps_created_at", "ios_apps"."updated_at" AS "ios_apps_updated_at" FROM "ios_apps" "ios_apps" WHERE (("ios_apps"."project_id" = $1)) ORDER BY "ios_apps"."created_at" ASC, "ios_apps"."id" ASC;

-- plain
SELECT COUNT(1) AS "cnt" FROM "custom_domains" "CustomDomain" WHERE (("CustomDomain"."project_id" = $1));

-- plain
-- plain
SELECT "android_apps"."id" AS "android_apps_id", "android_apps"."project_id" AS "android_apps_project_id", "android_apps"."name" AS "android_apps_name", "android_apps"."package_name" AS "android_apps_package_name", "android_apps"."sha_fingerprints" AS "android_apps_sha_fingerprints", "android_apps"."android_stores" AS "android_apps_android_stores", "android_apps"."paths" AS "android_apps_paths", "android_apps"."shared_credentials" AS "android_apps_shared_credentials", "android_apps"."created_at" AS "android_apps_created_at", "android_apps"."updated_at" AS "android_apps_updated_at" FROM "android_apps" "android_apps" WHERE (("android_apps"."project_id" = $1)) ORDER BY "android_apps"."created_at" ASC, "android_apps"."id" ASC;

-- plain
-- sortOrder=desc
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."source" AS "t_source", "t"."format" AS "t_format", "t"."conflict_policy" AS "t_conflict_policy", "t"."options" AS "t_options", "t"."columns" AS "t_columns", "t"."layout" AS "t_layout", "t"."state" AS "t_state", "t"."file_rows" AS "t_file_rows", "t"."file_bytes" AS "t_file_bytes", "t"."read_bytes" AS "t_read_bytes", "t"."has_data" AS "t_has_data", "t"."list" AS "t_list", "t"."list_progress" AS "t_list_progress", "t"."sealed_token" AS "t_sealed_token", "t"."processed" AS "t_processed", "t"."created" AS "t_created", "t"."replaced" AS "t_replaced", "t"."unchanged" AS "t_unchanged", "t"."conflicts" AS "t_conflicts", "t"."refused" AS "t_refused", "t"."predicted" AS "t_predicted", "t"."unmapped" AS "t_unmapped", "t"."reserved_links" AS "t_reserved_links", "t"."failure_code" AS "t_failure_code", "t"."failure" AS "t_failure", "t"."phase_started_at" AS "t_phase_started_at", "t"."finished_at" AS "t_finished_at", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "imports" "t" WHERE ( "t"."project_id" = $1 ) AND ( "t"."deleted_at" IS NULL ) ORDER BY "t"."created_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 0;

-- sortOrder=asc
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."source" AS "t_source", "t"."format" AS "t_format", "t"."conflict_policy" AS "t_conflict_policy", "t"."options" AS "t_options", "t"."columns" AS "t_columns", "t"."layout" AS "t_layout", "t"."state" AS "t_state", "t"."file_rows" AS "t_file_rows", "t"."file_bytes" AS "t_file_bytes", "t"."read_bytes" AS "t_read_bytes", "t"."has_data" AS "t_has_data", "t"."list" AS "t_list", "t"."list_progress" AS "t_list_progress", "t"."sealed_token" AS "t_sealed_token", "t"."processed" AS "t_processed", "t"."created" AS "t_created", "t"."replaced" AS "t_replaced", "t"."unchanged" AS "t_unchanged", "t"."conflicts" AS "t_conflicts", "t"."refused" AS "t_refused", "t"."predicted" AS "t_predicted", "t"."unmapped" AS "t_unmapped", "t"."reserved_links" AS "t_reserved_links", "t"."failure_code" AS "t_failure_code", "t"."failure" AS "t_failure", "t"."phase_started_at" AS "t_phase_started_at", "t"."finished_at" AS "t_finished_at", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "imports" "t" WHERE ( "t"."project_id" = $1 ) AND ( "t"."deleted_at" IS NULL ) ORDER BY "t"."created_at" ASC, "t"."id" ASC LIMIT 10 OFFSET 0;

-- page=70
SELECT "t"."id" AS "t_id", "t"."project_id" AS "t_project_id", "t"."source" AS "t_source", "t"."format" AS "t_format", "t"."conflict_policy" AS "t_conflict_policy", "t"."options" AS "t_options", "t"."columns" AS "t_columns", "t"."layout" AS "t_layout", "t"."state" AS "t_state", "t"."file_rows" AS "t_file_rows", "t"."file_bytes" AS "t_file_bytes", "t"."read_bytes" AS "t_read_bytes", "t"."has_data" AS "t_has_data", "t"."list" AS "t_list", "t"."list_progress" AS "t_list_progress", "t"."sealed_token" AS "t_sealed_token", "t"."processed" AS "t_processed", "t"."created" AS "t_created", "t"."replaced" AS "t_replaced", "t"."unchanged" AS "t_unchanged", "t"."conflicts" AS "t_conflicts", "t"."refused" AS "t_refused", "t"."predicted" AS "t_predicted", "t"."unmapped" AS "t_unmapped", "t"."reserved_links" AS "t_reserved_links", "t"."failure_code" AS "t_failure_code", "t"."failure" AS "t_failure", "t"."phase_started_at" AS "t_phase_started_at", "t"."finished_at" AS "t_finished_at", "t"."created_at" AS "t_created_at", "t"."updated_at" AS "t_updated_at" FROM "imports" "t" WHERE ( "t"."project_id" = $1 ) AND ( "t"."deleted_at" IS NULL ) ORDER BY "t"."created_at" DESC, "t"."id" DESC LIMIT 10 OFFSET 690;

-- page=70
SELECT COUNT(1) AS "cnt" FROM "imports" "t" WHERE ( "t"."project_id" = $1 ) AND ( "t"."deleted_at" IS NULL );
