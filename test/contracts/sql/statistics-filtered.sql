-- platform and country
WITH days AS MATERIALIZED (
  SELECT month, array_agg(part) AS parts, array_agg(first) AS firsts, array_agg(last) AS lasts, array_agg(sign) AS signs
  FROM unnest($9::date[], $10::integer[], $11::integer[], $12::integer[],
              $13::integer[]) AS piece (month, part, first, last, sign)
  GROUP BY month
),
quarters AS MATERIALIZED (
  SELECT day, part, first, last, sign
  FROM unnest($16::date[], $17::integer[], $18::integer[], $19::integer[],
              $20::integer[]) AS piece (day, part, first, last, sign)
  
),
unsummed AS MATERIALIZED (
  SELECT '' AS value, part, coalesce(sum(times) FILTER (WHERE bot IS NOT TRUE), 0) AS clicks, coalesce(sum(times) FILTER (WHERE bot IS NOT TRUE AND qr), 0) AS qr_scans, coalesce(sum(times) FILTER (WHERE bot), 0) AS bots
    FROM (
      SELECT width_bucket(floor(extract(epoch FROM row.clicked_at))::bigint, $4::bigint[]) AS part, click.*
      FROM fresh_click_batches AS batch CROSS JOIN LATERAL (
      SELECT * FROM clicks WHERE batch_id = batch.id AND clicked_at BETWEEN batch.first_at AND batch.last_at AND project_id = $1 AND clicked_at >= to_timestamp($2) AND clicked_at < to_timestamp($3) AND platforms && $5::text[] AND countries && $6::text[] OFFSET 0
    ) AS row CROSS JOIN LATERAL (
        SELECT platform, browser, referrer, country, bot, qr, alike.times
        FROM (SELECT who, sum(times)::integer AS times FROM (SELECT unnest(opened) AS what, unnest(opened_by) AS who, unnest(row.times) AS times) AS alike GROUP BY who) AS alike
          FULL JOIN unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
            AS visitor (platform, browser, referrer, country, bot, qr, place) ON visitor.place = who
          
        OFFSET 0
      ) AS click
    ) AS click
    WHERE times > 0 AND coalesce(platform, '') = ANY ($5::text[]) AND coalesce(country, '') = ANY ($6::text[])
    GROUP BY 1, 2
),
parts AS MATERIALIZED (
  SELECT part, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans, sum(bots) AS bots FROM (
    SELECT '' AS value, part, CASE WHEN counted.clicks IS NULL THEN 0 WHEN array_lower(counted.clicks, 1) >= first AND array_upper(counted.clicks, 1) <= last THEN counted.total_clicks WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END AS clicks, CASE WHEN counted.qr_scans IS NULL THEN 0 WHEN array_lower(counted.qr_scans, 1) >= first AND array_upper(counted.qr_scans, 1) <= last THEN counted.total_qr_scans WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END AS qr_scans, CASE WHEN counted.bots IS NULL THEN 0 WHEN array_lower(counted.bots, 1) >= first AND array_upper(counted.bots, 1) <= last THEN counted.total_bots WHEN first = last THEN coalesce(counted.bots[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.bots[first:last]) AS of_unit) AS units
    ) END AS bots FROM days AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_day AS kept WHERE project_id = $1 AND scope_id = $1 AND kept.month = period.month AND kept.month BETWEEN $7::date AND $8::date
          AND dimension = 'visitor' AND split_part(kept.value, '|', 1) = ANY ($5::text[]) AND split_part(kept.value, '|', 3) = ANY ($6::text[]) AND kept.value BETWEEN (SELECT min(concat(name, '|') COLLATE "C") FROM unnest($5::text[]) AS name) AND (SELECT max(concat(name, '}') COLLATE "C") FROM unnest($5::text[]) AS name) OFFSET 0
      ) AS counted CROSS JOIN LATERAL (SELECT unnest(parts) AS part, unnest(firsts) AS first, unnest(lasts) AS last, unnest(signs) AS sign OFFSET 0) AS piece
    UNION ALL SELECT '' AS value, part, CASE WHEN counted.clicks IS NULL THEN 0  WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END AS clicks, CASE WHEN counted.qr_scans IS NULL THEN 0  WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END AS qr_scans, CASE WHEN counted.bots IS NULL THEN 0  WHEN first = last THEN coalesce(counted.bots[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.bots[first:last]) AS of_unit) AS units
    ) END AS bots FROM quarters AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_quarter AS kept WHERE project_id = $1 AND scope_id = $1 AND kept.day = period.day AND kept.day BETWEEN $14::date AND $15::date
          AND dimension = 'visitor' AND split_part(kept.value, '|', 1) = ANY ($5::text[]) AND split_part(kept.value, '|', 3) = ANY ($6::text[]) AND kept.value BETWEEN (SELECT min(concat(name, '|') COLLATE "C") FROM unnest($5::text[]) AS name) AND (SELECT max(concat(name, '}') COLLATE "C") FROM unnest($5::text[]) AS name) OFFSET 0
      ) AS counted
    UNION ALL SELECT value, part, clicks, qr_scans, bots FROM unsummed
  ) AS piece GROUP BY part
)
SELECT (SELECT json_agg(json_build_array(part, clicks, qr_scans, bots)) FROM parts) AS parts,
       NULL AS groups;

-- links by referrer
WITH days AS MATERIALIZED (
  SELECT month, array_agg(part) AS parts, array_agg(first) AS firsts, array_agg(last) AS lasts, array_agg(sign) AS signs
  FROM unnest($8::date[], $9::integer[], $10::integer[], $11::integer[],
              $12::integer[]) AS piece (month, part, first, last, sign)
  GROUP BY month
),
quarters AS MATERIALIZED (
  SELECT day, part, first, last, sign
  FROM unnest($15::date[], $16::integer[], $17::integer[], $18::integer[],
              $19::integer[]) AS piece (day, part, first, last, sign)
  
),
all_days AS MATERIALIZED (
  SELECT month, part, first, last, sign
  FROM unnest($22::date[], $23::integer[], $24::integer[], $25::integer[],
              $26::integer[]) AS piece (month, part, first, last, sign)
  
),
all_quarters AS MATERIALIZED (
  SELECT day, part, first, last, sign
  FROM unnest($29::date[], $30::integer[], $31::integer[], $32::integer[],
              $33::integer[]) AS piece (day, part, first, last, sign)
  
),
unsummed AS MATERIALIZED (
  SELECT coalesce(referrer, '') AS value, part, coalesce(sum(times) FILTER (WHERE bot IS NOT TRUE), 0) AS clicks, coalesce(sum(times) FILTER (WHERE bot IS NOT TRUE AND qr), 0) AS qr_scans, coalesce(sum(times) FILTER (WHERE bot), 0) AS bots
    FROM (
      SELECT width_bucket(floor(extract(epoch FROM row.clicked_at))::bigint, $4::bigint[]) AS part, click.*
      FROM fresh_click_batches AS batch CROSS JOIN LATERAL (
      SELECT * FROM clicks WHERE batch_id = batch.id AND clicked_at BETWEEN batch.first_at AND batch.last_at AND project_id = $1 AND clicked_at >= to_timestamp($2) AND clicked_at < to_timestamp($3) AND dynamic_link_ids && $5::uuid[] OFFSET 0
    ) AS row CROSS JOIN LATERAL (
        SELECT platform, browser, referrer, country, bot, qr, alike.times
        FROM (SELECT who, sum(times)::integer AS times FROM (SELECT * FROM (SELECT unnest(opened) AS what, unnest(opened_by) AS who, unnest(row.times) AS times) AS alike WHERE what = ANY (ARRAY(
            SELECT place FROM unnest(dynamic_link_ids) WITH ORDINALITY AS link (id, place) WHERE id = ANY ($5::uuid[])
          ))) AS alike GROUP BY who) AS alike
          FULL JOIN unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
            AS visitor (platform, browser, referrer, country, bot, qr, place) ON visitor.place = who
          
        OFFSET 0
      ) AS click
    ) AS click
    WHERE times > 0
    GROUP BY 1, 2
),
waiting AS MATERIALIZED (
  SELECT split_part(visitor, '|', 3) AS value, part, coalesce(sum(times) FILTER (WHERE bot IS NOT TRUE), 0) AS clicks, coalesce(sum(times) FILTER (WHERE bot IS NOT TRUE AND qr), 0) AS qr_scans, coalesce(sum(times) FILTER (WHERE bot), 0) AS bots
    FROM (
      SELECT element.*, width_bucket(moment, $4::bigint[]) AS part,
             split_part(visitor, '|', 5) = '1' AS bot, split_part(visitor, '|', 6) = '1' AS qr
      FROM clicks_by_link AS row CROSS JOIN LATERAL (
        SELECT *, extract(epoch FROM month)::bigint + 900 * quarter AS moment
        FROM (
          SELECT unnest(dynamic_link_ids) AS dynamic_link_id, unnest(short_link_ids) AS short_link_id, unnest(sources) AS source,
                 unnest(visitors) AS visitor, unnest(quarters) AS quarter, unnest(row.times) AS times
        ) AS element WHERE dynamic_link_id = ANY ($5::uuid[]) OFFSET 0
      ) AS element
      WHERE project_id = $1 AND bucket = ANY (ARRAY(SELECT DISTINCT unnest(click_buckets(link)) FROM unnest($5::uuid[]) AS link))
        AND month BETWEEN date_trunc('month', to_timestamp($2) AT TIME ZONE 'UTC')::date AND (to_timestamp($3) AT TIME ZONE 'UTC')::date
        AND moment >= $2 AND moment < $3
    ) AS click GROUP BY 1, 2
),
parts AS MATERIALIZED (
  SELECT part, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans, sum(bots) AS bots FROM (
    SELECT '' AS value, part, CASE WHEN counted.clicks IS NULL THEN 0 WHEN array_lower(counted.clicks, 1) >= first AND array_upper(counted.clicks, 1) <= last THEN counted.total_clicks WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END AS clicks, CASE WHEN counted.qr_scans IS NULL THEN 0 WHEN array_lower(counted.qr_scans, 1) >= first AND array_upper(counted.qr_scans, 1) <= last THEN counted.total_qr_scans WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END AS qr_scans, CASE WHEN counted.bots IS NULL THEN 0 WHEN array_lower(counted.bots, 1) >= first AND array_upper(counted.bots, 1) <= last THEN counted.total_bots WHEN first = last THEN coalesce(counted.bots[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.bots[first:last]) AS of_unit) AS units
    ) END AS bots FROM days AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_day AS kept WHERE project_id = $1 AND scope_id = $1 AND kept.month = period.month AND kept.month BETWEEN $6::date AND $7::date
          AND dimension = 'link' AND kept.value = ANY ($5::uuid[]::text[]) OFFSET 0
      ) AS counted CROSS JOIN LATERAL (SELECT unnest(parts) AS part, unnest(firsts) AS first, unnest(lasts) AS last, unnest(signs) AS sign OFFSET 0) AS piece
    UNION ALL SELECT '' AS value, part, CASE WHEN counted.clicks IS NULL THEN 0  WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END AS clicks, CASE WHEN counted.qr_scans IS NULL THEN 0  WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END AS qr_scans, CASE WHEN counted.bots IS NULL THEN 0  WHEN first = last THEN coalesce(counted.bots[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.bots[first:last]) AS of_unit) AS units
    ) END AS bots FROM quarters AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_quarter AS kept WHERE project_id = $1 AND scope_id = $1 AND kept.day = period.day AND kept.day BETWEEN $13::date AND $14::date
          AND dimension = 'link' AND kept.value = ANY ($5::uuid[]::text[]) OFFSET 0
      ) AS counted
    UNION ALL SELECT value, part, clicks, qr_scans, bots FROM unsummed
  ) AS piece GROUP BY part
),
whole AS MATERIALIZED (
  SELECT value, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans FROM (
    SELECT counted.value AS value, part, CASE WHEN counted.clicks IS NULL THEN 0 WHEN array_lower(counted.clicks, 1) >= first AND array_upper(counted.clicks, 1) <= last THEN counted.total_clicks WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END AS clicks, CASE WHEN counted.qr_scans IS NULL THEN 0 WHEN array_lower(counted.qr_scans, 1) >= first AND array_upper(counted.qr_scans, 1) <= last THEN counted.total_qr_scans WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END AS qr_scans FROM all_days AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_day AS kept WHERE project_id = $1 AND scope_id = ANY ($5::uuid[]) AND kept.month = period.month AND kept.month BETWEEN $20::date AND $21::date
          AND dimension = 'referrer' AND true OFFSET 0
      ) AS counted
    UNION ALL SELECT '' AS value, part, CASE dimension WHEN 'platform' THEN clicks ELSE -clicks END AS clicks, CASE dimension WHEN 'platform' THEN qr_scans ELSE -qr_scans END AS qr_scans FROM (
      SELECT scope_id, dimension, part, CASE WHEN counted.clicks IS NULL THEN 0 WHEN array_lower(counted.clicks, 1) >= first AND array_upper(counted.clicks, 1) <= last THEN counted.total_clicks WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END AS clicks, CASE WHEN counted.qr_scans IS NULL THEN 0 WHEN array_lower(counted.qr_scans, 1) >= first AND array_upper(counted.qr_scans, 1) <= last THEN counted.total_qr_scans WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END AS qr_scans FROM all_days AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_day AS kept WHERE project_id = $1 AND scope_id = ANY ($5::uuid[]) AND kept.month = period.month AND kept.month BETWEEN $20::date AND $21::date
          AND dimension IN ('platform', 'referrer') OFFSET 0
      ) AS counted
    ) AS counted
    UNION ALL SELECT counted.value AS value, part, CASE WHEN counted.clicks IS NULL THEN 0  WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END AS clicks, CASE WHEN counted.qr_scans IS NULL THEN 0  WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END AS qr_scans FROM all_quarters AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_quarter AS kept WHERE project_id = $1 AND scope_id = ANY ($5::uuid[]) AND kept.day = period.day AND kept.day BETWEEN $27::date AND $28::date
          AND dimension = 'referrer' AND true OFFSET 0
      ) AS counted
    UNION ALL SELECT '' AS value, part, CASE dimension WHEN 'platform' THEN clicks ELSE -clicks END AS clicks, CASE dimension WHEN 'platform' THEN qr_scans ELSE -qr_scans END AS qr_scans FROM (
      SELECT scope_id, dimension, part, CASE WHEN counted.clicks IS NULL THEN 0  WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END AS clicks, CASE WHEN counted.qr_scans IS NULL THEN 0  WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END AS qr_scans FROM all_quarters AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_quarter AS kept WHERE project_id = $1 AND scope_id = ANY ($5::uuid[]) AND kept.day = period.day AND kept.day BETWEEN $27::date AND $28::date
          AND dimension IN ('platform', 'referrer') OFFSET 0
      ) AS counted
    ) AS counted
    UNION ALL SELECT value, part, clicks, qr_scans FROM unsummed
    UNION ALL SELECT value, part, clicks, qr_scans FROM waiting
  ) AS piece GROUP BY value
),
top AS MATERIALIZED (
  SELECT value, clicks, qr_scans, count(*) OVER () AS groups FROM whole
  WHERE clicks > 0 AND value <> '*' ORDER BY clicks DESC, value COLLATE "C" LIMIT 100
),
top_parts AS MATERIALIZED (
  SELECT value, array_agg(part) AS parts, array_agg(clicks) AS clicks FROM (
    SELECT counted.value AS value, part, CASE WHEN counted.clicks IS NULL THEN 0 WHEN array_lower(counted.clicks, 1) >= first AND array_upper(counted.clicks, 1) <= last THEN counted.total_clicks WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END AS clicks FROM days AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_day AS kept WHERE project_id = $1 AND scope_id = ANY ($5::uuid[]) AND kept.month = period.month AND kept.month BETWEEN $6::date AND $7::date
          AND dimension = 'referrer' AND true AND (kept.value IN (SELECT value FROM top)) IS TRUE OFFSET 0
      ) AS counted CROSS JOIN LATERAL (SELECT unnest(parts) AS part, unnest(firsts) AS first, unnest(lasts) AS last, unnest(signs) AS sign OFFSET 0) AS piece
    UNION ALL SELECT '' AS value, part, CASE dimension WHEN 'platform' THEN clicks ELSE -clicks END AS clicks FROM (
      SELECT scope_id, dimension, part, CASE WHEN counted.clicks IS NULL THEN 0 WHEN array_lower(counted.clicks, 1) >= first AND array_upper(counted.clicks, 1) <= last THEN counted.total_clicks WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END AS clicks FROM days AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_day AS kept WHERE project_id = $1 AND scope_id = ANY ($5::uuid[]) AND kept.month = period.month AND kept.month BETWEEN $6::date AND $7::date
          AND dimension IN ('platform', 'referrer') AND ('' IN (SELECT value FROM top)) IS TRUE OFFSET 0
      ) AS counted CROSS JOIN LATERAL (SELECT unnest(parts) AS part, unnest(firsts) AS first, unnest(lasts) AS last, unnest(signs) AS sign OFFSET 0) AS piece
    ) AS counted
    UNION ALL SELECT counted.value AS value, part, CASE WHEN counted.clicks IS NULL THEN 0  WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END AS clicks FROM quarters AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_quarter AS kept WHERE project_id = $1 AND scope_id = ANY ($5::uuid[]) AND kept.day = period.day AND kept.day BETWEEN $13::date AND $14::date
          AND dimension = 'referrer' AND true AND (kept.value IN (SELECT value FROM top)) IS TRUE OFFSET 0
      ) AS counted
    UNION ALL SELECT '' AS value, part, CASE dimension WHEN 'platform' THEN clicks ELSE -clicks END AS clicks FROM (
      SELECT scope_id, dimension, part, CASE WHEN counted.clicks IS NULL THEN 0  WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END AS clicks FROM quarters AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_quarter AS kept WHERE project_id = $1 AND scope_id = ANY ($5::uuid[]) AND kept.day = period.day AND kept.day BETWEEN $13::date AND $14::date
          AND dimension IN ('platform', 'referrer') AND ('' IN (SELECT value FROM top)) IS TRUE OFFSET 0
      ) AS counted
    ) AS counted
    UNION ALL SELECT value, part, clicks FROM unsummed
    UNION ALL SELECT value, part, clicks FROM waiting
  ) AS piece WHERE clicks <> 0 AND (value IN (SELECT value FROM top)) IS TRUE GROUP BY value
)
SELECT (SELECT json_agg(json_build_array(part, clicks, qr_scans, bots)) FROM parts) AS parts,
       (SELECT json_agg(json_build_object(
    'value', value, 'clicks', top.clicks, 'qrScans', qr_scans, 'groups', groups, 'parts', parts, 'partClicks', top_parts.clicks
    
  ) ORDER BY top.clicks DESC, value COLLATE "C") FROM top JOIN top_parts USING (value)) AS groups;

-- platform by campaign
WITH days AS MATERIALIZED (
  SELECT month, array_agg(part) AS parts, array_agg(first) AS firsts, array_agg(last) AS lasts, array_agg(sign) AS signs
  FROM unnest($8::date[], $9::integer[], $10::integer[], $11::integer[],
              $12::integer[]) AS piece (month, part, first, last, sign)
  GROUP BY month
),
quarters AS MATERIALIZED (
  SELECT day, part, first, last, sign
  FROM unnest($15::date[], $16::integer[], $17::integer[], $18::integer[],
              $19::integer[]) AS piece (day, part, first, last, sign)
  
),
all_days AS MATERIALIZED (
  SELECT month, part, first, last, sign
  FROM unnest($22::date[], $23::integer[], $24::integer[], $25::integer[],
              $26::integer[]) AS piece (month, part, first, last, sign)
  
),
all_quarters AS MATERIALIZED (
  SELECT day, part, first, last, sign
  FROM unnest($29::date[], $30::integer[], $31::integer[], $32::integer[],
              $33::integer[]) AS piece (day, part, first, last, sign)
  
),
clicked AS MATERIALIZED (
  SELECT array_agg(DISTINCT value::uuid) AS ids FROM (
    SELECT value FROM all_days AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_day AS kept WHERE project_id = $1 AND scope_id = $1 AND kept.month = period.month AND kept.month BETWEEN $20::date AND $21::date
          AND dimension = 'link' OFFSET 0
      ) AS counted
    UNION ALL SELECT value FROM all_quarters AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_quarter AS kept WHERE project_id = $1 AND scope_id = $1 AND kept.day = period.day AND kept.day BETWEEN $27::date AND $28::date
          AND dimension = 'link' OFFSET 0
      ) AS counted
  ) AS link
),
unsummed AS MATERIALIZED (
  SELECT dynamic_link_id::text AS value, part, coalesce(sum(times) FILTER (WHERE bot IS NOT TRUE), 0) + -(coalesce(sum(times) FILTER (WHERE bot IS NOT TRUE AND qr), 0)) AS clicks, 0 AS qr_scans, coalesce(sum(times) FILTER (WHERE bot), 0) + -(coalesce(sum(times) FILTER (WHERE bot AND qr), 0)) AS bots
    FROM (
      SELECT width_bucket(floor(extract(epoch FROM row.clicked_at))::bigint, $4::bigint[]) AS part, click.*
      FROM fresh_click_batches AS batch CROSS JOIN LATERAL (
      SELECT * FROM clicks WHERE batch_id = batch.id AND clicked_at BETWEEN batch.first_at AND batch.last_at AND project_id = $1 AND clicked_at >= to_timestamp($2) AND clicked_at < to_timestamp($3) AND platforms && $5::text[] OFFSET 0
    ) AS row CROSS JOIN LATERAL (
        SELECT dynamic_link_id, short_link_id, source, platform, browser, referrer, country, bot, qr, alike.times
        FROM (SELECT unnest(opened) AS what, unnest(opened_by) AS who, unnest(row.times) AS times) AS alike
          FULL JOIN unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
            AS visitor (platform, browser, referrer, country, bot, qr, place) ON visitor.place = who
          FULL JOIN unnest(dynamic_link_ids, short_link_ids, sources) WITH ORDINALITY AS link (dynamic_link_id, short_link_id, source, place) ON link.place = what
        OFFSET 0
      ) AS click
    ) AS click
    WHERE times > 0 AND coalesce(platform, '') = ANY ($5::text[])
    GROUP BY 1, 2
),
waiting AS MATERIALIZED (
  SELECT dynamic_link_id::text AS value, part, coalesce(sum(times) FILTER (WHERE bot IS NOT TRUE), 0) + -(coalesce(sum(times) FILTER (WHERE bot IS NOT TRUE AND qr), 0)) AS clicks, 0 AS qr_scans, coalesce(sum(times) FILTER (WHERE bot), 0) + -(coalesce(sum(times) FILTER (WHERE bot AND qr), 0)) AS bots
    FROM (
      SELECT element.*, width_bucket(moment, $4::bigint[]) AS part,
             split_part(visitor, '|', 5) = '1' AS bot, split_part(visitor, '|', 6) = '1' AS qr
      FROM clicks_by_link AS row CROSS JOIN LATERAL (
        SELECT *, extract(epoch FROM month)::bigint + 900 * quarter AS moment
        FROM (
          SELECT unnest(dynamic_link_ids) AS dynamic_link_id, unnest(short_link_ids) AS short_link_id, unnest(sources) AS source,
                 unnest(visitors) AS visitor, unnest(quarters) AS quarter, unnest(row.times) AS times
        ) AS element WHERE split_part(visitor, '|', 1) = ANY ($5::text[]) OFFSET 0
      ) AS element
      WHERE project_id = $1 
        AND month BETWEEN date_trunc('month', to_timestamp($2) AT TIME ZONE 'UTC')::date AND (to_timestamp($3) AT TIME ZONE 'UTC')::date
        AND moment >= $2 AND moment < $3
    ) AS click GROUP BY 1, 2
),
parts AS MATERIALIZED (
  SELECT part, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans, sum(bots) AS bots FROM (
    SELECT '' AS value, part, CASE WHEN counted.clicks IS NULL THEN 0 WHEN array_lower(counted.clicks, 1) >= first AND array_upper(counted.clicks, 1) <= last THEN counted.total_clicks WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END + -(CASE WHEN counted.qr_scans IS NULL THEN 0 WHEN array_lower(counted.qr_scans, 1) >= first AND array_upper(counted.qr_scans, 1) <= last THEN counted.total_qr_scans WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END) AS clicks, 0 AS qr_scans, CASE WHEN counted.bots IS NULL THEN 0 WHEN array_lower(counted.bots, 1) >= first AND array_upper(counted.bots, 1) <= last THEN counted.total_bots WHEN first = last THEN coalesce(counted.bots[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.bots[first:last]) AS of_unit) AS units
    ) END + -(CASE WHEN counted.bot_qr_scans IS NULL THEN 0 WHEN array_lower(counted.bot_qr_scans, 1) >= first AND array_upper(counted.bot_qr_scans, 1) <= last THEN counted.total_bot_qr_scans WHEN first = last THEN coalesce(counted.bot_qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.bot_qr_scans[first:last]) AS of_unit) AS units
    ) END) AS bots FROM days AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_day AS kept WHERE project_id = $1 AND scope_id = $1 AND kept.month = period.month AND kept.month BETWEEN $6::date AND $7::date
          AND dimension = 'platform' AND kept.value = ANY ($5::text[]) OFFSET 0
      ) AS counted CROSS JOIN LATERAL (SELECT unnest(parts) AS part, unnest(firsts) AS first, unnest(lasts) AS last, unnest(signs) AS sign OFFSET 0) AS piece
    UNION ALL SELECT '' AS value, part, CASE WHEN counted.clicks IS NULL THEN 0  WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END + -(CASE WHEN counted.qr_scans IS NULL THEN 0  WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END) AS clicks, 0 AS qr_scans, CASE WHEN counted.bots IS NULL THEN 0  WHEN first = last THEN coalesce(counted.bots[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.bots[first:last]) AS of_unit) AS units
    ) END + -(CASE WHEN counted.bot_qr_scans IS NULL THEN 0  WHEN first = last THEN coalesce(counted.bot_qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.bot_qr_scans[first:last]) AS of_unit) AS units
    ) END) AS bots FROM quarters AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_quarter AS kept WHERE project_id = $1 AND scope_id = $1 AND kept.day = period.day AND kept.day BETWEEN $13::date AND $14::date
          AND dimension = 'platform' AND kept.value = ANY ($5::text[]) OFFSET 0
      ) AS counted
    UNION ALL SELECT value, part, clicks, qr_scans, bots FROM unsummed
  ) AS piece GROUP BY part
),
of_links AS MATERIALIZED (
  SELECT value, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans FROM (
    SELECT counted.scope_id::text AS value, part, CASE WHEN counted.clicks IS NULL THEN 0 WHEN array_lower(counted.clicks, 1) >= first AND array_upper(counted.clicks, 1) <= last THEN counted.total_clicks WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END + -(CASE WHEN counted.qr_scans IS NULL THEN 0 WHEN array_lower(counted.qr_scans, 1) >= first AND array_upper(counted.qr_scans, 1) <= last THEN counted.total_qr_scans WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END) AS clicks, 0 AS qr_scans FROM all_days AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_day AS kept WHERE project_id = $1 AND scope_id = ANY ((SELECT ids FROM clicked)::uuid[]) AND kept.month = period.month AND kept.month BETWEEN $20::date AND $21::date
          AND dimension = 'platform' AND kept.value = ANY ($5::text[]) OFFSET 0
      ) AS counted
    UNION ALL SELECT counted.scope_id::text AS value, part, CASE WHEN counted.clicks IS NULL THEN 0  WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END + -(CASE WHEN counted.qr_scans IS NULL THEN 0  WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END) AS clicks, 0 AS qr_scans FROM all_quarters AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_quarter AS kept WHERE project_id = $1 AND scope_id = ANY ((SELECT ids FROM clicked)::uuid[]) AND kept.day = period.day AND kept.day BETWEEN $27::date AND $28::date
          AND dimension = 'platform' AND kept.value = ANY ($5::text[]) OFFSET 0
      ) AS counted
    UNION ALL SELECT value, part, clicks, qr_scans FROM unsummed
    UNION ALL SELECT value, part, clicks, qr_scans FROM waiting
  ) AS piece GROUP BY value
),
link_tags AS MATERIALIZED (
  SELECT of_links.value AS link, coalesce((
    SELECT pair ->> 1 FROM dynamic_links AS link CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN link.template IS NULL THEN link.referrer_params
  ELSE params_with_template(link.project_id, link.template, link.referrer_params) END) AS pair
    WHERE link.project_id = $1 AND link.id = nullif(of_links.value, '')::uuid AND link.deleted_at IS NULL AND pair ->> 0 = $34 LIMIT 1
  ), '') AS value
  FROM of_links
),
top AS MATERIALIZED (
  SELECT *, count(*) OVER () AS groups, sum(clicks) OVER () AS all_clicks, sum(qr_scans) OVER () AS all_qr_scans
  FROM (
    SELECT link_tags.value, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans
    FROM of_links JOIN link_tags ON link_tags.link = of_links.value GROUP BY link_tags.value
  ) AS summed
  WHERE clicks > 0 ORDER BY clicks DESC, value COLLATE "C" LIMIT 100
),
top_parts AS MATERIALIZED (
  SELECT value, array_agg(part) AS parts, array_agg(clicks) AS clicks FROM (
    SELECT value, part, sum(clicks) AS clicks FROM (
      SELECT listed.value, part, clicks FROM (
        SELECT counted.scope_id::text AS value, part, CASE WHEN counted.clicks IS NULL THEN 0 WHEN array_lower(counted.clicks, 1) >= first AND array_upper(counted.clicks, 1) <= last THEN counted.total_clicks WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END + -(CASE WHEN counted.qr_scans IS NULL THEN 0 WHEN array_lower(counted.qr_scans, 1) >= first AND array_upper(counted.qr_scans, 1) <= last THEN counted.total_qr_scans WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END) AS clicks FROM days AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_day AS kept WHERE project_id = $1 AND scope_id = ANY ((SELECT ids FROM clicked)::uuid[]) AND kept.month = period.month AND kept.month BETWEEN $6::date AND $7::date
          AND dimension = 'platform' AND kept.value = ANY ($5::text[]) OFFSET 0
      ) AS counted CROSS JOIN LATERAL (SELECT unnest(parts) AS part, unnest(firsts) AS first, unnest(lasts) AS last, unnest(signs) AS sign OFFSET 0) AS piece
        UNION ALL SELECT counted.scope_id::text AS value, part, CASE WHEN counted.clicks IS NULL THEN 0  WHEN first = last THEN coalesce(counted.clicks[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.clicks[first:last]) AS of_unit) AS units
    ) END + -(CASE WHEN counted.qr_scans IS NULL THEN 0  WHEN first = last THEN coalesce(counted.qr_scans[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(counted.qr_scans[first:last]) AS of_unit) AS units
    ) END) AS clicks FROM quarters AS period CROSS JOIN LATERAL (
        SELECT * FROM clicks_by_quarter AS kept WHERE project_id = $1 AND scope_id = ANY ((SELECT ids FROM clicked)::uuid[]) AND kept.day = period.day AND kept.day BETWEEN $13::date AND $14::date
          AND dimension = 'platform' AND kept.value = ANY ($5::text[]) OFFSET 0
      ) AS counted
        UNION ALL SELECT value, part, clicks FROM unsummed
        UNION ALL SELECT value, part, clicks FROM waiting
      ) AS piece FULL JOIN (SELECT link, value FROM link_tags WHERE (value IN (SELECT value FROM top)) IS TRUE) AS listed ON listed.link = piece.value
      OFFSET 0
    ) AS piece WHERE clicks <> 0 AND value IS NOT NULL GROUP BY value, part
  ) AS piece WHERE clicks <> 0 GROUP BY value
)
SELECT (SELECT json_agg(json_build_array(part, clicks, qr_scans, bots)) FROM parts) AS parts,
       (SELECT json_agg(json_build_object(
    'value', value, 'clicks', top.clicks, 'qrScans', qr_scans, 'groups', groups, 'parts', parts, 'partClicks', top_parts.clicks
    , 'allClicks', all_clicks, 'allQrScans', all_qr_scans
  ) ORDER BY top.clicks DESC, value COLLATE "C") FROM top JOIN top_parts USING (value)) AS groups;

-- referrer by country
WITH unsummed AS MATERIALIZED (
  SELECT coalesce(country, '') AS value, part, coalesce(sum(times) FILTER (WHERE bot), 0) AS clicks, coalesce(sum(times) FILTER (WHERE bot AND qr), 0) AS qr_scans, coalesce(sum(times) FILTER (WHERE bot), 0) AS bots
    FROM (
      SELECT width_bucket(floor(extract(epoch FROM row.clicked_at))::bigint, $4::bigint[]) AS part, click.*
      FROM (SELECT * FROM clicks WHERE project_id = $1 AND clicked_at >= to_timestamp($2) AND clicked_at < to_timestamp($3) AND referrers && $5::text[] OFFSET 0) AS row CROSS JOIN LATERAL (
        SELECT platform, browser, referrer, country, bot, qr, alike.times
        FROM (SELECT who, sum(times)::integer AS times FROM (SELECT unnest(opened) AS what, unnest(opened_by) AS who, unnest(row.times) AS times) AS alike GROUP BY who) AS alike
          FULL JOIN unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
            AS visitor (platform, browser, referrer, country, bot, qr, place) ON visitor.place = who
          
        OFFSET 0
      ) AS click
    ) AS click
    WHERE times > 0 AND coalesce(referrer, '') = ANY ($5::text[])
    GROUP BY 1, 2
),
parts AS MATERIALIZED (
  SELECT part, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans, sum(bots) AS bots FROM (
    SELECT value, part, clicks, qr_scans, bots FROM unsummed
  ) AS piece GROUP BY part
),
whole AS MATERIALIZED (
  SELECT value, sum(clicks) AS clicks, sum(qr_scans) AS qr_scans FROM (
    SELECT value, part, clicks, qr_scans FROM unsummed
  ) AS piece GROUP BY value
),
top AS MATERIALIZED (
  SELECT value, clicks, qr_scans, count(*) OVER () AS groups FROM whole
  WHERE clicks > 0 AND value <> '*' ORDER BY clicks DESC, value COLLATE "C" LIMIT 100
),
top_parts AS MATERIALIZED (
  SELECT value, array_agg(part) AS parts, array_agg(clicks) AS clicks FROM (
    SELECT value, part, clicks FROM unsummed
  ) AS piece WHERE clicks <> 0 AND (value IN (SELECT value FROM top)) IS TRUE GROUP BY value
)
SELECT (SELECT json_agg(json_build_array(part, clicks, qr_scans, bots)) FROM parts) AS parts,
       (SELECT json_agg(json_build_object(
    'value', value, 'clicks', top.clicks, 'qrScans', qr_scans, 'groups', groups, 'parts', parts, 'partClicks', top_parts.clicks
    
  ) ORDER BY top.clicks DESC, value COLLATE "C") FROM top JOIN top_parts USING (value)) AS groups;
