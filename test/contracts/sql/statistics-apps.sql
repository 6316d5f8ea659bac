-- project by null
WITH counted AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM quarter)::bigint, $5::bigint[]) AS part,
         '' AS value, sum(times) AS events
  FROM app_event_sums
  WHERE project_id = $1 AND event = $2 AND quarter >= to_timestamp($3) AND quarter < to_timestamp($4) 
  GROUP BY 1, 2
), top AS MATERIALIZED (
  SELECT value, sum(events) AS events, array_agg(part) AS parts, array_agg(events) AS part_events, count(*) OVER () AS groups
  FROM counted WHERE value <> '*' GROUP BY value ORDER BY 2 DESC, value COLLATE "C" LIMIT 100
)
SELECT (SELECT json_agg(json_build_array(part, events, 0, 0)) FROM (SELECT part, sum(events) AS events FROM counted GROUP BY part) AS summed) AS parts,
       NULL AS groups;

-- project by version
WITH counted AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM quarter)::bigint, $5::bigint[]) AS part,
         version AS value, sum(times) AS events
  FROM app_event_sums
  WHERE project_id = $1 AND event = $2 AND quarter >= to_timestamp($3) AND quarter < to_timestamp($4) 
  GROUP BY 1, 2
), top AS MATERIALIZED (
  SELECT value, sum(events) AS events, array_agg(part) AS parts, array_agg(events) AS part_events, count(*) OVER () AS groups
  FROM counted WHERE value <> '*' GROUP BY value ORDER BY 2 DESC, value COLLATE "C" LIMIT 100
)
SELECT (SELECT json_agg(json_build_array(part, events, 0, 0)) FROM (SELECT part, sum(events) AS events FROM counted GROUP BY part) AS summed) AS parts,
       (SELECT json_agg(json_build_object(
    'value', value, 'clicks', events, 'qrScans', 0, 'groups', groups, 'parts', parts, 'partClicks', part_events
  ) ORDER BY events DESC, value COLLATE "C") FROM top) AS groups;

-- link by null
WITH counted AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM quarter)::bigint, $5::bigint[]) AS part,
         '' AS value, sum(times) AS events
  FROM app_event_sums
  WHERE project_id = $1 AND event = $2 AND quarter >= to_timestamp($3) AND quarter < to_timestamp($4) AND dynamic_link_id = $6
  GROUP BY 1, 2
), top AS MATERIALIZED (
  SELECT value, sum(events) AS events, array_agg(part) AS parts, array_agg(events) AS part_events, count(*) OVER () AS groups
  FROM counted WHERE value <> '*' GROUP BY value ORDER BY 2 DESC, value COLLATE "C" LIMIT 100
)
SELECT (SELECT json_agg(json_build_array(part, events, 0, 0)) FROM (SELECT part, sum(events) AS events FROM counted GROUP BY part) AS summed) AS parts,
       NULL AS groups;

-- link by version
WITH counted AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM quarter)::bigint, $5::bigint[]) AS part,
         version AS value, sum(times) AS events
  FROM app_event_sums
  WHERE project_id = $1 AND event = $2 AND quarter >= to_timestamp($3) AND quarter < to_timestamp($4) AND dynamic_link_id = $6
  GROUP BY 1, 2
), top AS MATERIALIZED (
  SELECT value, sum(events) AS events, array_agg(part) AS parts, array_agg(events) AS part_events, count(*) OVER () AS groups
  FROM counted WHERE value <> '*' GROUP BY value ORDER BY 2 DESC, value COLLATE "C" LIMIT 100
)
SELECT (SELECT json_agg(json_build_array(part, events, 0, 0)) FROM (SELECT part, sum(events) AS events FROM counted GROUP BY part) AS summed) AS parts,
       (SELECT json_agg(json_build_object(
    'value', value, 'clicks', events, 'qrScans', 0, 'groups', groups, 'parts', parts, 'partClicks', part_events
  ) ORDER BY events DESC, value COLLATE "C") FROM top) AS groups;
