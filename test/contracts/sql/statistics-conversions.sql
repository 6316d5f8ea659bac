-- project by null
WITH of_links AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM occurred_at), $4::numeric[]) AS part, '' AS value,
         currency, count(*) FILTER (WHERE is_counted AND NOT is_refund) AS conversions,
         count(*) FILTER (WHERE is_counted AND is_refund) AS refunds, sum(amount) FILTER (WHERE is_counted) AS amount,
         count(*) FILTER (WHERE NOT trusted AND NOT is_refund) AS untrusted
  FROM (
    SELECT *, value AS amount, coalesce(value < 0, false) AS is_refund, trusted OR $5 AS is_counted FROM conversions
  ) AS sent
  WHERE project_id = $1 AND occurred_at >= to_timestamp($2) AND occurred_at < to_timestamp($3) 
  GROUP BY 1, 2, 3
), grouped AS MATERIALIZED (
  SELECT of_links.value, currency, sum(conversions) AS conversions, sum(refunds) AS refunds, sum(amount) AS amount
  FROM of_links  GROUP BY 1, 2
), top AS MATERIALIZED (
  SELECT value, sum(conversions) AS conversions, count(*) OVER () AS groups FROM grouped
  GROUP BY value HAVING sum(conversions) + sum(refunds) > 0 ORDER BY 2 DESC, value COLLATE "C" LIMIT 100
)
SELECT (SELECT json_agg(json_build_array(part, currency, conversions, refunds, amount::text))
        FROM (SELECT part, currency, sum(conversions) AS conversions, sum(refunds) AS refunds, sum(amount) AS amount
              FROM of_links GROUP BY GROUPING SETS ((part, currency), (currency))) AS summed) AS parts,
       (SELECT json_agg(json_build_array(value, currency, grouped.conversions, refunds, amount::text)
                        ORDER BY top.conversions DESC, value COLLATE "C")
        FROM top JOIN grouped USING (value)) AS groups,
       coalesce((SELECT max(groups) FROM top), 0)::integer AS "groupCount",
       (SELECT coalesce(sum(untrusted), 0) FROM of_links)::integer AS untrusted;

-- project by event
WITH of_links AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM occurred_at), $4::numeric[]) AS part, event AS value,
         currency, count(*) FILTER (WHERE is_counted AND NOT is_refund) AS conversions,
         count(*) FILTER (WHERE is_counted AND is_refund) AS refunds, sum(amount) FILTER (WHERE is_counted) AS amount,
         count(*) FILTER (WHERE NOT trusted AND NOT is_refund) AS untrusted
  FROM (
    SELECT *, value AS amount, coalesce(value < 0, false) AS is_refund, trusted OR $5 AS is_counted FROM conversions
  ) AS sent
  WHERE project_id = $1 AND occurred_at >= to_timestamp($2) AND occurred_at < to_timestamp($3) 
  GROUP BY 1, 2, 3
), grouped AS MATERIALIZED (
  SELECT of_links.value, currency, sum(conversions) AS conversions, sum(refunds) AS refunds, sum(amount) AS amount
  FROM of_links  GROUP BY 1, 2
), top AS MATERIALIZED (
  SELECT value, sum(conversions) AS conversions, count(*) OVER () AS groups FROM grouped
  GROUP BY value HAVING sum(conversions) + sum(refunds) > 0 ORDER BY 2 DESC, value COLLATE "C" LIMIT 100
)
SELECT (SELECT json_agg(json_build_array(part, currency, conversions, refunds, amount::text))
        FROM (SELECT part, currency, sum(conversions) AS conversions, sum(refunds) AS refunds, sum(amount) AS amount
              FROM of_links GROUP BY GROUPING SETS ((part, currency), (currency))) AS summed) AS parts,
       (SELECT json_agg(json_build_array(value, currency, grouped.conversions, refunds, amount::text)
                        ORDER BY top.conversions DESC, value COLLATE "C")
        FROM top JOIN grouped USING (value)) AS groups,
       coalesce((SELECT max(groups) FROM top), 0)::integer AS "groupCount",
       (SELECT coalesce(sum(untrusted), 0) FROM of_links)::integer AS untrusted;

-- project by tag
WITH of_links AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM occurred_at), $4::numeric[]) AS part, dynamic_link_id::text AS value,
         currency, count(*) FILTER (WHERE is_counted AND NOT is_refund) AS conversions,
         count(*) FILTER (WHERE is_counted AND is_refund) AS refunds, sum(amount) FILTER (WHERE is_counted) AS amount,
         count(*) FILTER (WHERE NOT trusted AND NOT is_refund) AS untrusted
  FROM (
    SELECT *, value AS amount, coalesce(value < 0, false) AS is_refund, trusted OR $5 AS is_counted FROM conversions
  ) AS sent
  WHERE project_id = $1 AND occurred_at >= to_timestamp($2) AND occurred_at < to_timestamp($3) 
  GROUP BY 1, 2, 3
), link_tags AS MATERIALIZED (
  SELECT DISTINCT of_links.value AS link, coalesce(tag.id::text, '') AS value
  FROM of_links LEFT JOIN LATERAL (
    SELECT tag.id
    FROM dynamic_links AS link CROSS JOIN LATERAL unnest(link.tag_ids) AS given (id) JOIN tags AS own ON own.id = given.id
      JOIN tags AS tag ON tag.id = coalesce(own.merged_into, own.id) AND tag.retired_at IS NULL
    WHERE link.project_id = $1 AND link.id = nullif(of_links.value, '')::uuid AND link.deleted_at IS NULL
  ) AS tag ON true
), grouped AS MATERIALIZED (
  SELECT link_tags.value, currency, sum(conversions) AS conversions, sum(refunds) AS refunds, sum(amount) AS amount
  FROM of_links JOIN link_tags ON link_tags.link = of_links.value GROUP BY 1, 2
), top AS MATERIALIZED (
  SELECT value, sum(conversions) AS conversions, count(*) OVER () AS groups FROM grouped
  GROUP BY value HAVING sum(conversions) + sum(refunds) > 0 ORDER BY 2 DESC, value COLLATE "C" LIMIT 100
)
SELECT (SELECT json_agg(json_build_array(part, currency, conversions, refunds, amount::text))
        FROM (SELECT part, currency, sum(conversions) AS conversions, sum(refunds) AS refunds, sum(amount) AS amount
              FROM of_links GROUP BY GROUPING SETS ((part, currency), (currency))) AS summed) AS parts,
       (SELECT json_agg(json_build_array(value, currency, grouped.conversions, refunds, amount::text)
                        ORDER BY top.conversions DESC, value COLLATE "C")
        FROM top JOIN grouped USING (value)) AS groups,
       coalesce((SELECT max(groups) FROM top), 0)::integer AS "groupCount",
       (SELECT coalesce(sum(untrusted), 0) FROM of_links)::integer AS untrusted;

-- links and events
WITH of_links AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM occurred_at), $4::numeric[]) AS part, '' AS value,
         currency, count(*) FILTER (WHERE is_counted AND NOT is_refund) AS conversions,
         count(*) FILTER (WHERE is_counted AND is_refund) AS refunds, sum(amount) FILTER (WHERE is_counted) AS amount,
         count(*) FILTER (WHERE NOT trusted AND NOT is_refund) AS untrusted
  FROM (
    SELECT *, value AS amount, coalesce(value < 0, false) AS is_refund, trusted OR $5 AS is_counted FROM conversions
  ) AS sent
  WHERE project_id = $1 AND occurred_at >= to_timestamp($2) AND occurred_at < to_timestamp($3) AND dynamic_link_id = ANY ($6::uuid[]) AND event = ANY ($7::text[])
  GROUP BY 1, 2, 3
), grouped AS MATERIALIZED (
  SELECT of_links.value, currency, sum(conversions) AS conversions, sum(refunds) AS refunds, sum(amount) AS amount
  FROM of_links  GROUP BY 1, 2
), top AS MATERIALIZED (
  SELECT value, sum(conversions) AS conversions, count(*) OVER () AS groups FROM grouped
  GROUP BY value HAVING sum(conversions) + sum(refunds) > 0 ORDER BY 2 DESC, value COLLATE "C" LIMIT 100
)
SELECT (SELECT json_agg(json_build_array(part, currency, conversions, refunds, amount::text))
        FROM (SELECT part, currency, sum(conversions) AS conversions, sum(refunds) AS refunds, sum(amount) AS amount
              FROM of_links GROUP BY GROUPING SETS ((part, currency), (currency))) AS summed) AS parts,
       (SELECT json_agg(json_build_array(value, currency, grouped.conversions, refunds, amount::text)
                        ORDER BY top.conversions DESC, value COLLATE "C")
        FROM top JOIN grouped USING (value)) AS groups,
       coalesce((SELECT max(groups) FROM top), 0)::integer AS "groupCount",
       (SELECT coalesce(sum(untrusted), 0) FROM of_links)::integer AS untrusted;

-- clicks and opens of variants
SELECT variant AS name, coalesce(sum(times) FILTER (WHERE event = 'click'), 0)::integer AS clicks,
       coalesce(sum(times) FILTER (WHERE event = 'open'), 0)::integer AS opens
FROM app_event_sums
WHERE project_id = $1 AND quarter >= to_timestamp($2) AND quarter < to_timestamp($3) AND variant <> ''
      AND ($4::uuid[] IS NULL OR dynamic_link_id = ANY ($4))
GROUP BY variant ORDER BY clicks DESC, opens DESC, variant LIMIT 100;
