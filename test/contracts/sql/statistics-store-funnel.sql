-- by null
WITH counted AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM quarter)::bigint, $5::bigint[]) AS part,
         '' AS value, event, sum(times) AS times
  FROM app_event_sums
  WHERE project_id = $1 AND event = ANY ($2::text[]) AND quarter >= to_timestamp($3) AND quarter < to_timestamp($4) 
  GROUP BY 1, 2, 3
), top AS MATERIALIZED (
  SELECT value, sum(times) AS times, count(*) OVER () AS groups FROM counted GROUP BY value ORDER BY 2 DESC, value COLLATE "C" LIMIT 100
)
SELECT (SELECT json_agg(json_build_array(part, event, times))
        FROM (SELECT part, event, sum(times) AS times FROM counted GROUP BY 1, 2) AS summed) AS parts,
       (SELECT json_agg(json_build_array(value, event, summed.times) ORDER BY top.times DESC, value COLLATE "C")
        FROM top JOIN (SELECT value, event, sum(times) AS times FROM counted GROUP BY 1, 2) AS summed USING (value)) AS groups,
       coalesce((SELECT max(groups) FROM top), 0)::integer AS "groupCount";

-- by browser
WITH counted AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM quarter)::bigint, $5::bigint[]) AS part,
         browser AS value, event, sum(times) AS times
  FROM app_event_sums
  WHERE project_id = $1 AND event = ANY ($2::text[]) AND quarter >= to_timestamp($3) AND quarter < to_timestamp($4) 
  GROUP BY 1, 2, 3
), top AS MATERIALIZED (
  SELECT value, sum(times) AS times, count(*) OVER () AS groups FROM counted GROUP BY value ORDER BY 2 DESC, value COLLATE "C" LIMIT 100
)
SELECT (SELECT json_agg(json_build_array(part, event, times))
        FROM (SELECT part, event, sum(times) AS times FROM counted GROUP BY 1, 2) AS summed) AS parts,
       (SELECT json_agg(json_build_array(value, event, summed.times) ORDER BY top.times DESC, value COLLATE "C")
        FROM top JOIN (SELECT value, event, sum(times) AS times FROM counted GROUP BY 1, 2) AS summed USING (value)) AS groups,
       coalesce((SELECT max(groups) FROM top), 0)::integer AS "groupCount";

-- by link
WITH counted AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM quarter)::bigint, $5::bigint[]) AS part,
         coalesce(nullif(dynamic_link_id, '00000000-0000-0000-0000-000000000000')::text, '') AS value, event, sum(times) AS times
  FROM app_event_sums
  WHERE project_id = $1 AND event = ANY ($2::text[]) AND quarter >= to_timestamp($3) AND quarter < to_timestamp($4) 
  GROUP BY 1, 2, 3
), top AS MATERIALIZED (
  SELECT value, sum(times) AS times, count(*) OVER () AS groups FROM counted GROUP BY value ORDER BY 2 DESC, value COLLATE "C" LIMIT 100
)
SELECT (SELECT json_agg(json_build_array(part, event, times))
        FROM (SELECT part, event, sum(times) AS times FROM counted GROUP BY 1, 2) AS summed) AS parts,
       (SELECT json_agg(json_build_array(value, event, summed.times) ORDER BY top.times DESC, value COLLATE "C")
        FROM top JOIN (SELECT value, event, sum(times) AS times FROM counted GROUP BY 1, 2) AS summed USING (value)) AS groups,
       coalesce((SELECT max(groups) FROM top), 0)::integer AS "groupCount";

-- with all conditions
WITH counted AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM quarter)::bigint, $5::bigint[]) AS part,
         '' AS value, event, sum(times) AS times
  FROM app_event_sums
  WHERE project_id = $1 AND event = ANY ($2::text[]) AND quarter >= to_timestamp($3) AND quarter < to_timestamp($4) AND dynamic_link_id = ANY ($6::uuid[]) AND platform = ANY ($7::text[]) AND browser = ANY ($8::text[])
  GROUP BY 1, 2, 3
), top AS MATERIALIZED (
  SELECT value, sum(times) AS times, count(*) OVER () AS groups FROM counted GROUP BY value ORDER BY 2 DESC, value COLLATE "C" LIMIT 100
)
SELECT (SELECT json_agg(json_build_array(part, event, times))
        FROM (SELECT part, event, sum(times) AS times FROM counted GROUP BY 1, 2) AS summed) AS parts,
       (SELECT json_agg(json_build_array(value, event, summed.times) ORDER BY top.times DESC, value COLLATE "C")
        FROM top JOIN (SELECT value, event, sum(times) AS times FROM counted GROUP BY 1, 2) AS summed USING (value)) AS groups,
       coalesce((SELECT max(groups) FROM top), 0)::integer AS "groupCount";
