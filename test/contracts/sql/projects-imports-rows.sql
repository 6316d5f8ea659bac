-- plain
SELECT number::int AS number, fault, outcome, link_id AS "linkId", coalesce(problems, '[]') AS problems, coalesce(unmapped, '[]') AS unmapped,
           CASE WHEN is_read AND fault IS NULL THEN (SELECT string_agg(substring(part.bytes FROM greatest(selected.start - part.number * 131072, 0)::int + 1
      FOR (least(selected.start + selected.length, (part.number + 1) * 131072) - greatest(selected.start, part.number * 131072))::int), ''::bytea ORDER BY part.number)
    FROM import_data.files_… AS part WHERE part.number BETWEEN selected.start / 131072 AND (selected.start + selected.length - 1) / 131072) END AS bytes
         FROM (SELECT *, length <= 100000 AND shown <= 2000000 AS is_read FROM (
         SELECT *, sum(length) FILTER (WHERE length <= 100000) OVER (ORDER BY number) AS shown
         FROM (
           SELECT * FROM import_data.rows_… WHERE number > $1 AND number <= $2 AND $3::text IS NULL
           ORDER BY number LIMIT $4 OFFSET $5
         ) AS found
       ) AS summed) AS selected ORDER BY selected.number;

-- outcome=created
SELECT number::int AS number, fault, outcome, link_id AS "linkId", coalesce(problems, '[]') AS problems, coalesce(unmapped, '[]') AS unmapped,
           CASE WHEN is_read AND fault IS NULL THEN (SELECT string_agg(substring(part.bytes FROM greatest(selected.start - part.number * 131072, 0)::int + 1
      FOR (least(selected.start + selected.length, (part.number + 1) * 131072) - greatest(selected.start, part.number * 131072))::int), ''::bytea ORDER BY part.number)
    FROM import_data.files_… AS part WHERE part.number BETWEEN selected.start / 131072 AND (selected.start + selected.length - 1) / 131072) END AS bytes
         FROM (SELECT *, length <= 100000 AND shown <= 2000000 AS is_read FROM (
         SELECT *, sum(length) FILTER (WHERE length <= 100000) OVER (ORDER BY number) AS shown
         FROM (
           SELECT * FROM import_data.rows_… WHERE number > $1 AND number <= $2 AND outcome = $3
           ORDER BY number LIMIT $4 OFFSET $5
         ) AS found
       ) AS summed) AS selected ORDER BY selected.number;
