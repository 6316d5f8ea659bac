-- project by null
SELECT sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots
FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT '' AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'platform' AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT '' AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'platform' AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
);

-- project by referrer
SELECT sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots, countIf(name_clicks > 0 AND name != '*') AS groups, groupArraySortedIf(100)((-toInt64(name_clicks), name, name_qr_scans, parts, clicks_of_parts), name_clicks > 0 AND name != '*') AS listed
FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT if((toDate(quarter), value) IN (
    SELECT day, host FROM (
      SELECT day, host, place, dense_rank() OVER (PARTITION BY month ORDER BY admission) AS place_in_month
    FROM (
      SELECT month, day, host, place,
        min(if(place <= 500, toUInt64(toUInt32(day)) * 1000000000 + place, 18446744073709551615))
          OVER (PARTITION BY month, host) AS admission
      FROM (
        SELECT month, day, host,
      row_number() OVER (PARTITION BY day ORDER BY day = first_day, host_clicks DESC, host) AS place
    FROM (
      SELECT toStartOfMonth(day) AS month, day, host, host_clicks, min(day) OVER (PARTITION BY toStartOfMonth(day), host) AS first_day
      FROM (
        SELECT toDate(quarter) AS day, value AS host, sum(clicks) + sum(bots) AS host_clicks
    FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'referrer' AND toDate(quarter) >= toDate(20574) AND toDate(quarter) < toDate(20666) AND value NOT IN ('', '*')
    GROUP BY day, host
      )
    )
      )
    )
    ) WHERE place > 500 OR place_in_month > 2500
  ), '*', value) AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'referrer' AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT if((toDate(quarter), value) IN (
    SELECT day, host FROM (
      SELECT day, host, place, dense_rank() OVER (PARTITION BY month ORDER BY admission) AS place_in_month
    FROM (
      SELECT month, day, host, place,
        min(if(place <= 500, toUInt64(toUInt32(day)) * 1000000000 + place, 18446744073709551615))
          OVER (PARTITION BY month, host) AS admission
      FROM (
        SELECT month, day, host,
      row_number() OVER (PARTITION BY day ORDER BY day = first_day, host_clicks DESC, host) AS place
    FROM (
      SELECT toStartOfMonth(day) AS month, day, host, host_clicks, min(day) OVER (PARTITION BY toStartOfMonth(day), host) AS first_day
      FROM (
        SELECT toDate(quarter) AS day, value AS host, sum(clicks) + sum(bots) AS host_clicks
    FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'referrer' AND toDate(quarter) >= toDate(20574) AND toDate(quarter) < toDate(20666) AND value NOT IN ('', '*')
    GROUP BY day, host
      )
    )
      )
    )
    ) WHERE place > 500 OR place_in_month > 2500
  ), '*', value) AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'referrer' AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
);

-- project by link
SELECT sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots, countIf(name_clicks > 0 AND name != '*') AS groups, groupArraySortedIf(100)((-toInt64(name_clicks), name, name_qr_scans, parts, clicks_of_parts), name_clicks > 0 AND name != '*') AS listed
FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT value AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'link' AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT value AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'link' AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
);

-- project by short_link
SELECT sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots, countIf(name_clicks > 0 AND name != '*') AS groups, groupArraySortedIf(100)((-toInt64(name_clicks), name, name_qr_scans, parts, clicks_of_parts), name_clicks > 0 AND name != '*') AS listed
FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT value AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'short_link' AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT value AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'short_link' AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
);

-- link by null
SELECT sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots
FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT '' AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND dynamic_link_id = {link:UUID} AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT '' AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND dynamic_link_id = {link:UUID} AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
);

-- link by referrer
SELECT sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots, countIf(name_clicks > 0 AND name != '*') AS groups, groupArraySortedIf(100)((-toInt64(name_clicks), name, name_qr_scans, parts, clicks_of_parts), name_clicks > 0 AND name != '*') AS listed
FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT if((toDate(quarter), referrer) IN (
    SELECT day, host FROM (
      SELECT day, host, place, dense_rank() OVER (PARTITION BY month ORDER BY admission) AS place_in_month
    FROM (
      SELECT month, day, host, place,
        min(if(place <= 100, toUInt64(toUInt32(day)) * 1000000000 + place, 18446744073709551615))
          OVER (PARTITION BY month, host) AS admission
      FROM (
        SELECT month, day, host,
      row_number() OVER (PARTITION BY day ORDER BY day = first_day, host_clicks DESC, host) AS place
    FROM (
      SELECT toStartOfMonth(day) AS month, day, host, host_clicks, min(day) OVER (PARTITION BY toStartOfMonth(day), host) AS first_day
      FROM (
        SELECT toDate(quarter) AS day, referrer AS host, sum(clicks) + sum(bots) AS host_clicks
    FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND dynamic_link_id = {link:UUID} AND toDate(quarter) >= toDate(20574) AND toDate(quarter) < toDate(20666) AND referrer NOT IN ('', '*')
    GROUP BY day, host
      )
    )
      )
    )
    ) WHERE place > 100 OR place_in_month > 500
  ), '*', referrer) AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND dynamic_link_id = {link:UUID} AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT if((toDate(quarter), referrer) IN (
    SELECT day, host FROM (
      SELECT day, host, place, dense_rank() OVER (PARTITION BY month ORDER BY admission) AS place_in_month
    FROM (
      SELECT month, day, host, place,
        min(if(place <= 100, toUInt64(toUInt32(day)) * 1000000000 + place, 18446744073709551615))
          OVER (PARTITION BY month, host) AS admission
      FROM (
        SELECT month, day, host,
      row_number() OVER (PARTITION BY day ORDER BY day = first_day, host_clicks DESC, host) AS place
    FROM (
      SELECT toStartOfMonth(day) AS month, day, host, host_clicks, min(day) OVER (PARTITION BY toStartOfMonth(day), host) AS first_day
      FROM (
        SELECT toDate(quarter) AS day, referrer AS host, sum(clicks) + sum(bots) AS host_clicks
    FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND dynamic_link_id = {link:UUID} AND toDate(quarter) >= toDate(20574) AND toDate(quarter) < toDate(20666) AND referrer NOT IN ('', '*')
    GROUP BY day, host
      )
    )
      )
    )
    ) WHERE place > 100 OR place_in_month > 500
  ), '*', referrer) AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND dynamic_link_id = {link:UUID} AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
);

-- link by link
SELECT sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots, countIf(name_clicks > 0 AND name != '*') AS groups, groupArraySortedIf(100)((-toInt64(name_clicks), name, name_qr_scans, parts, clicks_of_parts), name_clicks > 0 AND name != '*') AS listed
FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT dynamic_link_id AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND dynamic_link_id = {link:UUID} AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT dynamic_link_id AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND dynamic_link_id = {link:UUID} AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
);

-- link by short_link
SELECT sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots, countIf(name_clicks > 0 AND name != '*') AS groups, groupArraySortedIf(100)((-toInt64(name_clicks), name, name_qr_scans, parts, clicks_of_parts), name_clicks > 0 AND name != '*') AS listed
FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT short_link_id AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND dynamic_link_id = {link:UUID} AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT short_link_id AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND dynamic_link_id = {link:UUID} AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
);

-- links of tags
SELECT arrayStringConcat(groupArray(name), ',') AS links
FROM (
  SELECT name, rowNumberInAllBlocks() AS number FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT value AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'link' AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT value AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'link' AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
  ) WHERE name_clicks > 0 AND name != '*' LIMIT 500000
) GROUP BY intDiv(number, 5000);

-- project by tag
WITH (
  SELECT (groupArray(substring(tagged, 1, 36)), groupArray(substring(tagged, 37)))
  FROM (SELECT arrayJoin(splitByChar(',', '…')) AS tagged)
) AS tags_of_links, counted AS (
  SELECT tag AS name, sum(set_clicks) AS name_clicks, sum(set_qr_scans) AS name_qr_scans,
    sumMap(set_parts, clicks_of_set) AS by_part, by_part.1 AS parts, by_part.2 AS clicks_of_parts
  FROM (
    SELECT arrayJoin(arrayMap(at -> substring(name, at + 1, 36), range(0, greatest(length(name), 1), 36))) AS tag,
      name_clicks AS set_clicks, name_qr_scans AS set_qr_scans, parts AS set_parts, clicks_of_parts AS clicks_of_set
    FROM (
    SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT transform(toString(value), tags_of_links.1, tags_of_links.2, '') AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'link' AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT transform(toString(value), tags_of_links.1, tags_of_links.2, '') AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'link' AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
    )
  )
  GROUP BY tag
)
SELECT * FROM (
  SELECT sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots
FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT '' AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'platform' AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT '' AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'platform' AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
)
) AS series, (
  SELECT countIf(name_clicks > 0 AND name != '*') AS groups, sum(name_clicks) AS all_clicks, sum(name_qr_scans) AS all_qr_scans, groupArraySortedIf(100)((-toInt64(name_clicks), name, name_qr_scans, parts, clicks_of_parts), name_clicks > 0 AND name != '*') AS listed
  FROM counted
) AS groups;

-- platform and country
SELECT sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots
FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT '' AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'visitor' AND splitByChar('|', toString(value))[1] IN {accepted_platform:Array(String)} AND splitByChar('|', toString(value))[3] IN {accepted_country:Array(String)} AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT '' AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM project_clicks_by_quarter WHERE project_id = {project:UUID} AND dimension = 'visitor' AND splitByChar('|', toString(value))[1] IN {accepted_platform:Array(String)} AND splitByChar('|', toString(value))[3] IN {accepted_country:Array(String)} AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
);

-- links by referrer
SELECT sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots, countIf(name_clicks > 0 AND name != '*') AS groups, groupArraySortedIf(100)((-toInt64(name_clicks), name, name_qr_scans, parts, clicks_of_parts), name_clicks > 0 AND name != '*') AS listed
FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT referrer AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND dynamic_link_id IN ('link') AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT referrer AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(clicks) AS part_clicks,
    sum(qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND dynamic_link_id IN ('link') AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
);

-- referrer by country
SELECT sumMap(parts, clicks_of_parts) AS clicks, sumMap(parts, qr_scans_of_parts) AS qr_scans,
  sumMap(parts, bots_of_parts) AS bots, countIf(name_clicks > 0 AND name != '*') AS groups, groupArraySortedIf(100)((-toInt64(name_clicks), name, name_qr_scans, parts, clicks_of_parts), name_clicks > 0 AND name != '*') AS listed
FROM (
  SELECT toString(group_value) AS name, sum(part_clicks) AS name_clicks, sum(part_qr_scans) AS name_qr_scans,
    groupArray(part) AS parts, groupArray(part_clicks) AS clicks_of_parts, groupArray(part_qr_scans) AS qr_scans_of_parts,
    groupArray(part_bots) AS bots_of_parts
  FROM (
  SELECT group_value, part,
    sum(counts.part_clicks) AS part_clicks, sum(counts.part_qr_scans) AS part_qr_scans, sum(counts.part_bots) AS part_bots
  FROM (
  SELECT country AS group_value,
    toUInt16(intDiv(roundDown(toUInt32(toDate(quarter)) * 86400, [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(bots) AS part_clicks,
    sum(bot_qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND referrer IN {accepted_referrer:Array(String)} AND toDate(quarter) >= toDate(20604) AND toDate(quarter) < toDate(20635)
  GROUP BY group_value, part
  UNION ALL
  SELECT country AS group_value,
    toUInt16(intDiv(roundDown(toUnixTimestamp(quarter), [1780185600, 1782777600]) - 1780185600, 900)) AS part,
    sum(bots) AS part_clicks,
    sum(bot_qr_scans) AS part_qr_scans, sum(bots) AS part_bots
  FROM link_clicks_by_quarter WHERE project_id = {project:UUID} AND referrer IN {accepted_referrer:Array(String)} AND quarter >= toDateTime(1782864000, 'UTC') AND quarter < toDateTime(1782897300, 'UTC')
  GROUP BY group_value, part
  ) AS counts
  GROUP BY group_value, part
  )
  GROUP BY group_value
);
