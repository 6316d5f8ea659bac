-- plain
-- sortOrder=desc
-- sortBy=created_at
-- include=clicks
-- archived=false
-- exclude_tag
WITH counted AS MATERIALIZED (SELECT ((SELECT coalesce(sum(dynamic_links - archived_links), 0) FROM project_counts WHERE project_id = $1))::bigint AS "ofAll", true AS "isCounted"), page AS (SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND NOT t.archived AND t.id <> ALL (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)) ORDER BY t.created_at desc, t.id desc LIMIT 10)
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- sortOrder=asc
WITH counted AS MATERIALIZED (SELECT ((SELECT coalesce(sum(dynamic_links - archived_links), 0) FROM project_counts WHERE project_id = $1))::bigint AS "ofAll", true AS "isCounted"), page AS (SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND NOT t.archived AND t.id <> ALL (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)) ORDER BY t.created_at asc, t.id asc LIMIT 10)
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value asc, page.id asc;

-- search=summer
WITH matches AS MATERIALIZED (SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND t.deleted_at IS NULL AND NOT t.archived AND (t.search_text LIKE search_pattern($2)) LIMIT 10001),
      counted AS MATERIALIZED (
        SELECT CASE WHEN count(*) <= 10000 THEN count(*) ELSE coalesce((NULL::bigint), 10000) END AS "ofAll",
          count(*) <= 10000 OR false AS "isCounted", count(*) > 10000 AS "areMany"
        FROM matches
      ), scan AS MATERIALIZED (
        SELECT t.id, t.value FROM (
          SELECT t.*, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 ORDER BY t.created_at desc, t.id desc
          LIMIT 200000
        ) AS t WHERE (SELECT "areMany" FROM counted) AND t.deleted_at IS NULL AND NOT t.archived AND (t.search_text LIKE search_pattern($2)) ORDER BY value desc, id desc LIMIT $3 OFFSET $4
      ), collected AS MATERIALIZED (
        SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND t.deleted_at IS NULL AND NOT t.archived AND (t.search_text LIKE search_pattern($2)) AND (SELECT "areMany" FROM counted) AND (SELECT count(*) FROM scan) <= $5
      ), page AS (
        (SELECT id, value FROM matches WHERE NOT (SELECT "areMany" FROM counted) ORDER BY value desc, id desc LIMIT $3 OFFSET $4)
        UNION ALL SELECT id, value FROM scan WHERE NOT EXISTS (SELECT FROM collected)
        UNION ALL (SELECT id, value FROM collected ORDER BY value desc, id desc LIMIT $3 OFFSET $4)
      )
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- sortBy=name
WITH counted AS MATERIALIZED (SELECT ((SELECT coalesce(sum(dynamic_links - archived_links), 0) FROM project_counts WHERE project_id = $1))::bigint AS "ofAll", true AS "isCounted"), page AS (SELECT t.id, t.name COLLATE "C" AS value FROM dynamic_links t WHERE t.project_id = $1 AND NOT t.archived AND t.id <> ALL (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)) ORDER BY t.name COLLATE "C" desc, t.id desc LIMIT 10)
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- sortBy=custom_path
WITH counted AS MATERIALIZED (SELECT ((SELECT coalesce(sum(dynamic_links - archived_links), 0) FROM project_counts WHERE project_id = $1))::bigint AS "ofAll", true AS "isCounted"), page AS (SELECT t.id, t.custom_path AS value FROM dynamic_links t WHERE t.project_id = $1 AND NOT t.archived AND t.id <> ALL (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)) ORDER BY t.custom_path desc, t.id desc LIMIT 10)
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- sortBy=updated_at
WITH counted AS MATERIALIZED (SELECT ((SELECT coalesce(sum(dynamic_links - archived_links), 0) FROM project_counts WHERE project_id = $1))::bigint AS "ofAll", true AS "isCounted"), page AS (SELECT t.id, t.updated_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND NOT t.archived AND t.id <> ALL (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)) ORDER BY t.updated_at desc, t.id desc LIMIT 10)
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- sortBy=clicks
-- sortBy=clicks_total
WITH numbered AS MATERIALIZED (
        SELECT * FROM unnest($2::uuid[], $3::bigint[]) AS numbered (id, number)
      ), matches AS MATERIALIZED (
        SELECT t.id, coalesce(numbered.number, 0) AS number FROM dynamic_links t LEFT JOIN numbered ON numbered.id = t.id
        WHERE t.project_id = $1 AND t.deleted_at IS NULL AND NOT t.archived
      )
      SELECT (SELECT count(*) FROM matches)::int AS total, ARRAY(
        SELECT id FROM matches ORDER BY number desc, id desc LIMIT $4 OFFSET $5
      ) AS ids;

-- sortBy=clicks
-- sortBy=clicks_total
SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags FROM dynamic_links t WHERE t.id = ANY($1) AND t.deleted_at IS NULL;

-- ios_app_id
WITH matches AS MATERIALIZED (SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND t.deleted_at IS NULL AND NOT t.archived AND t.ios_app_id = $2 LIMIT 10001),
      counted AS MATERIALIZED (
        SELECT CASE WHEN count(*) <= 10000 THEN count(*) ELSE coalesce((NULL::bigint), 10000) END AS "ofAll",
          count(*) <= 10000 OR false AS "isCounted", count(*) > 10000 AS "areMany"
        FROM matches
      ), scan AS MATERIALIZED (
        SELECT t.id, t.value FROM (
          SELECT t.*, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 ORDER BY t.created_at desc, t.id desc
          LIMIT 200000
        ) AS t WHERE (SELECT "areMany" FROM counted) AND t.deleted_at IS NULL AND NOT t.archived AND t.ios_app_id = $2 ORDER BY value desc, id desc LIMIT $3 OFFSET $4
      ), collected AS MATERIALIZED (
        SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND t.deleted_at IS NULL AND NOT t.archived AND t.ios_app_id = $2 AND (SELECT "areMany" FROM counted) AND (SELECT count(*) FROM scan) <= $5
      ), page AS (
        (SELECT id, value FROM matches WHERE NOT (SELECT "areMany" FROM counted) ORDER BY value desc, id desc LIMIT $3 OFFSET $4)
        UNION ALL SELECT id, value FROM scan WHERE NOT EXISTS (SELECT FROM collected)
        UNION ALL (SELECT id, value FROM collected ORDER BY value desc, id desc LIMIT $3 OFFSET $4)
      )
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- android_app_id
WITH matches AS MATERIALIZED (SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND t.deleted_at IS NULL AND NOT t.archived AND t.android_app_id = $2 LIMIT 10001),
      counted AS MATERIALIZED (
        SELECT CASE WHEN count(*) <= 10000 THEN count(*) ELSE coalesce((NULL::bigint), 10000) END AS "ofAll",
          count(*) <= 10000 OR false AS "isCounted", count(*) > 10000 AS "areMany"
        FROM matches
      ), scan AS MATERIALIZED (
        SELECT t.id, t.value FROM (
          SELECT t.*, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 ORDER BY t.created_at desc, t.id desc
          LIMIT 200000
        ) AS t WHERE (SELECT "areMany" FROM counted) AND t.deleted_at IS NULL AND NOT t.archived AND t.android_app_id = $2 ORDER BY value desc, id desc LIMIT $3 OFFSET $4
      ), collected AS MATERIALIZED (
        SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND t.deleted_at IS NULL AND NOT t.archived AND t.android_app_id = $2 AND (SELECT "areMany" FROM counted) AND (SELECT count(*) FROM scan) <= $5
      ), page AS (
        (SELECT id, value FROM matches WHERE NOT (SELECT "areMany" FROM counted) ORDER BY value desc, id desc LIMIT $3 OFFSET $4)
        UNION ALL SELECT id, value FROM scan WHERE NOT EXISTS (SELECT FROM collected)
        UNION ALL (SELECT id, value FROM collected ORDER BY value desc, id desc LIMIT $3 OFFSET $4)
      )
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- external_id
WITH matches AS MATERIALIZED (SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND t.deleted_at IS NULL AND NOT t.archived AND t.external_id = $2 AND t.deleted_at IS NULL LIMIT 10001),
      counted AS MATERIALIZED (
        SELECT CASE WHEN count(*) <= 10000 THEN count(*) ELSE coalesce((NULL::bigint), 10000) END AS "ofAll",
          count(*) <= 10000 OR false AS "isCounted", count(*) > 10000 AS "areMany"
        FROM matches
      ), scan AS MATERIALIZED (
        SELECT t.id, t.value FROM (
          SELECT t.*, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 ORDER BY t.created_at desc, t.id desc
          LIMIT 200000
        ) AS t WHERE (SELECT "areMany" FROM counted) AND t.deleted_at IS NULL AND NOT t.archived AND t.external_id = $2 AND t.deleted_at IS NULL ORDER BY value desc, id desc LIMIT $3 OFFSET $4
      ), collected AS MATERIALIZED (
        SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND t.deleted_at IS NULL AND NOT t.archived AND t.external_id = $2 AND t.deleted_at IS NULL AND (SELECT "areMany" FROM counted) AND (SELECT count(*) FROM scan) <= $5
      ), page AS (
        (SELECT id, value FROM matches WHERE NOT (SELECT "areMany" FROM counted) ORDER BY value desc, id desc LIMIT $3 OFFSET $4)
        UNION ALL SELECT id, value FROM scan WHERE NOT EXISTS (SELECT FROM collected)
        UNION ALL (SELECT id, value FROM collected ORDER BY value desc, id desc LIMIT $3 OFFSET $4)
      )
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- archived=true
WITH counted AS MATERIALIZED (SELECT ((SELECT coalesce(sum(archived_links), 0) FROM project_counts WHERE project_id = $1))::bigint AS "ofAll", true AS "isCounted"), page AS (SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND t.archived AND t.id <> ALL (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)) ORDER BY t.created_at desc, t.id desc LIMIT 10)
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- archived=any
WITH counted AS MATERIALIZED (SELECT ((SELECT coalesce(sum(dynamic_links), 0) FROM project_counts WHERE project_id = $1))::bigint AS "ofAll", true AS "isCounted"), page AS (SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND t.id <> ALL (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)) ORDER BY t.created_at desc, t.id desc LIMIT 10)
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- tag
WITH matches AS MATERIALIZED (SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND t.deleted_at IS NULL AND NOT t.archived AND t.tag_ids <> '{}' AND t.tag_ids && $2::uuid[] LIMIT 10001),
      counted AS MATERIALIZED (
        SELECT CASE WHEN count(*) <= 10000 THEN count(*) ELSE coalesce(((SELECT coalesce(sum(links - archived_links), 0) FROM tag_counts WHERE tag_id = $3)), 10000) END AS "ofAll",
          count(*) <= 10000 OR true AS "isCounted", count(*) > 10000 AS "areMany"
        FROM matches
      ), scan AS MATERIALIZED (
        SELECT t.id, t.value FROM (
          SELECT t.*, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 ORDER BY t.created_at desc, t.id desc
          LIMIT 200000
        ) AS t WHERE (SELECT "areMany" FROM counted) AND t.deleted_at IS NULL AND NOT t.archived AND t.tag_ids <> '{}' AND t.tag_ids && $2::uuid[] ORDER BY value desc, id desc LIMIT $4 OFFSET $5
      ), collected AS MATERIALIZED (
        SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND t.deleted_at IS NULL AND NOT t.archived AND t.tag_ids <> '{}' AND t.tag_ids && $2::uuid[] AND (SELECT "areMany" FROM counted) AND (SELECT count(*) FROM scan) <= $6
      ), page AS (
        (SELECT id, value FROM matches WHERE NOT (SELECT "areMany" FROM counted) ORDER BY value desc, id desc LIMIT $4 OFFSET $5)
        UNION ALL SELECT id, value FROM scan WHERE NOT EXISTS (SELECT FROM collected)
        UNION ALL (SELECT id, value FROM collected ORDER BY value desc, id desc LIMIT $4 OFFSET $5)
      )
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- page=70
WITH counted AS MATERIALIZED (SELECT ((SELECT coalesce(sum(dynamic_links - archived_links), 0) FROM project_counts WHERE project_id = $1))::bigint AS "ofAll", true AS "isCounted"), page AS (
      (SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND NOT t.archived AND t.id <> ALL (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)) AND $2::bigint <= ((SELECT "ofAll" FROM counted) - $2::bigint) ORDER BY t.created_at desc, t.id desc LIMIT $3::bigint OFFSET $2::bigint)
      UNION ALL
      (SELECT t.id, t.created_at AS value FROM dynamic_links t WHERE t.project_id = $1 AND NOT t.archived AND t.id <> ALL (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)) AND NOT $2::bigint <= ((SELECT "ofAll" FROM counted) - $2::bigint) AND ((SELECT "ofAll" FROM counted) - $2::bigint) > 0 ORDER BY t.created_at asc, t.id asc LIMIT greatest(least($3::bigint, ((SELECT "ofAll" FROM counted) - $2::bigint)), 0) OFFSET greatest(((SELECT "ofAll" FROM counted) - $2::bigint) - $3::bigint, 0))
    )
      SELECT t.id AS "id", t.project_id AS "projectId", t.name AS "name", t.custom_path AS "customPath", t.desktop_url AS "desktopUrl", t.ios_app_id AS "iosAppId", t.android_app_id AS "androidAppId", t.ios_fallback_url AS "iosFallbackUrl", t.android_fallback_url AS "androidFallbackUrl", t.ios_deferred_deep_link AS "iosDeferredDeepLink", t.social_title AS "socialTitle", t.social_description AS "socialDescription", t.social_image_url AS "socialImageUrl", t.referrer_params AS "referrerParams", t.app_data AS "appData", t.query_forwarding AS "queryForwarding", t.forwarded_params AS "forwardedParams", t.variants AS "variants", t.rules AS "rules", t.active_from AS "activeFrom", t.active_until AS "activeUntil", t.expired_url AS "expiredUrl", t.click_limit AS "clickLimit", t.external_id AS "externalId", t.title AS "title", t.notes AS "notes", t.archived AS "archived", t.disabled AS "disabled", t.conversions AS "conversions", t.password_hash AS "passwordHash", t.used_up AS "usedUp", t.imported_from AS "importedFrom", t.original_created_at AS "originalCreatedAt", t.original_clicks AS "originalClicks", t.created_at AS "createdAt", t.updated_at AS "updatedAt", 
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
  ) END AS tags, counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM dynamic_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;
