-- plain
WITH counted AS MATERIALIZED (SELECT (SELECT coalesce(sum(short_links), 0) FROM project_counts WHERE project_id = $1)::bigint AS "ofAll", true AS "isCounted"), page AS (SELECT t.id, t.created_at AS value FROM short_links t WHERE t.project_id = $1 AND NOT coalesce(t.dynamic_link_id = ANY (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)), false) ORDER BY t.created_at desc, t.id desc LIMIT 10)
      SELECT t.id AS "id", t.project_id AS "projectId", t.dynamic_link_id AS "dynamicLinkId", t.slug AS "slug", t.source AS "source", t.created_by AS "createdBy", t.created_by_api_key_id AS "createdByApiKeyId", t.created_at AS "createdAt", t.updated_at AS "updatedAt", counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM short_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- dynamic_link_id
WITH matches AS MATERIALIZED (SELECT t.id, t.created_at AS value FROM short_links t WHERE t.project_id = $1 AND NOT coalesce(t.dynamic_link_id = ANY (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)), false) AND t.dynamic_link_id = $2 LIMIT 10001),
      counted AS MATERIALIZED (
        SELECT CASE WHEN count(*) <= 10000 THEN count(*) ELSE coalesce((NULL::bigint), 10000) END AS "ofAll",
          count(*) <= 10000 OR false AS "isCounted", count(*) > 10000 AS "areMany"
        FROM matches
      ), scan AS MATERIALIZED (
        SELECT t.id, t.value FROM (
          SELECT t.*, t.created_at AS value FROM short_links t WHERE t.project_id = $1 ORDER BY t.created_at desc, t.id desc
          LIMIT 200000
        ) AS t WHERE (SELECT "areMany" FROM counted) AND NOT coalesce(t.dynamic_link_id = ANY (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)), false) AND t.dynamic_link_id = $2 ORDER BY value desc, id desc LIMIT $3 OFFSET $4
      ), collected AS MATERIALIZED (
        SELECT t.id, t.created_at AS value FROM short_links t WHERE t.project_id = $1 AND NOT coalesce(t.dynamic_link_id = ANY (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)), false) AND t.dynamic_link_id = $2 AND (SELECT "areMany" FROM counted) AND (SELECT count(*) FROM scan) <= $5
      ), page AS (
        (SELECT id, value FROM matches WHERE NOT (SELECT "areMany" FROM counted) ORDER BY value desc, id desc LIMIT $3 OFFSET $4)
        UNION ALL SELECT id, value FROM scan WHERE NOT EXISTS (SELECT FROM collected)
        UNION ALL (SELECT id, value FROM collected ORDER BY value desc, id desc LIMIT $3 OFFSET $4)
      )
      SELECT t.id AS "id", t.project_id AS "projectId", t.dynamic_link_id AS "dynamicLinkId", t.slug AS "slug", t.source AS "source", t.created_by AS "createdBy", t.created_by_api_key_id AS "createdByApiKeyId", t.created_at AS "createdAt", t.updated_at AS "updatedAt", counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM short_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;

-- page=70
WITH counted AS MATERIALIZED (SELECT (SELECT coalesce(sum(short_links), 0) FROM project_counts WHERE project_id = $1)::bigint AS "ofAll", true AS "isCounted"), page AS (
      (SELECT t.id, t.created_at AS value FROM short_links t WHERE t.project_id = $1 AND NOT coalesce(t.dynamic_link_id = ANY (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)), false) AND $2::bigint <= ((SELECT "ofAll" FROM counted) - $2::bigint) ORDER BY t.created_at desc, t.id desc LIMIT $3::bigint OFFSET $2::bigint)
      UNION ALL
      (SELECT t.id, t.created_at AS value FROM short_links t WHERE t.project_id = $1 AND NOT coalesce(t.dynamic_link_id = ANY (ARRAY(
    SELECT link.id FROM dynamic_links link WHERE link.project_id = $1 AND link.deleted_at IS NOT NULL)), false) AND NOT $2::bigint <= ((SELECT "ofAll" FROM counted) - $2::bigint) AND ((SELECT "ofAll" FROM counted) - $2::bigint) > 0 ORDER BY t.created_at asc, t.id asc LIMIT greatest(least($3::bigint, ((SELECT "ofAll" FROM counted) - $2::bigint)), 0) OFFSET greatest(((SELECT "ofAll" FROM counted) - $2::bigint) - $3::bigint, 0))
    )
      SELECT t.id AS "id", t.project_id AS "projectId", t.dynamic_link_id AS "dynamicLinkId", t.slug AS "slug", t.source AS "source", t.created_by AS "createdBy", t.created_by_api_key_id AS "createdByApiKeyId", t.created_at AS "createdAt", t.updated_at AS "updatedAt", counted."ofAll", counted."isCounted" FROM counted LEFT JOIN page ON true
      LEFT JOIN LATERAL (SELECT * FROM short_links WHERE id = page.id OFFSET 0) AS t ON true
      ORDER BY page.value desc, page.id desc;
