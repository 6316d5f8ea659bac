-- Sums of clicks for statistics, by day and by quarter of an hour, for a project and for each of its links.
-- squawk-ignore-file prefer-bigint-over-int, prefer-bigint-over-smallint

CREATE TABLE clicks_by_day (
  project_id uuid NOT NULL,
  scope_id uuid NOT NULL,
  dimension text COLLATE "C" NOT NULL CONSTRAINT clicks_by_day_dimension_known
    CHECK (dimension IN ('platform', 'browser', 'referrer', 'country', 'link', 'short_link', 'source', 'visitor')),
  month date NOT NULL,
  value text COLLATE "C" NOT NULL,
  -- No quarter of an hour and no day has two thousand million.
  clicks integer[],
  qr_scans integer[],
  bots integer[],
  bot_qr_scans integer[],
  total_clicks bigint,
  total_qr_scans bigint,
  total_bots bigint,
  total_bot_qr_scans bigint,
  CONSTRAINT clicks_by_day_pkey PRIMARY KEY (project_id, scope_id, dimension, month, value)
) PARTITION BY RANGE (month);
COMMENT ON TABLE clicks_by_day IS 'Clicks of a month (UTC) by its days, in partitions by month. Each click is counted once in every dimension, for its project and, where it has a value there, for its link. Every click has a platform.';
COMMENT ON COLUMN clicks_by_day.scope_id IS 'The project, or one of its links.';
COMMENT ON COLUMN clicks_by_day.dimension IS 'Only sums of projects are divided by link. The values of `visitor` are platform, browser and country, with a bar between them, for filters that combine these.';
COMMENT ON COLUMN clicks_by_day.month IS 'Its first day.';
COMMENT ON COLUMN clicks_by_day.value IS 'Empty in the sums of a project if a click has no value. The sums of a link have no such row, so that most clicks change one row less. Subtract the sums of the dimension from those of `platform`. An asterisk, which no host contains, for all referring hosts beyond the limits of roll_up_clicks.';
COMMENT ON COLUMN clicks_by_day.clicks IS 'Without those of bots. An element of the four arrays is a day, from 1 to 31, and null without clicks. Arrays begin and end with a day that has clicks.';
COMMENT ON COLUMN clicks_by_day.qr_scans IS 'Among `clicks`.';
COMMENT ON COLUMN clicks_by_day.bot_qr_scans IS 'Among `bots`.';
COMMENT ON COLUMN clicks_by_day.total_clicks IS 'The sum of `clicks`, so that whole months are read without their days. Null if that is; the other three too.';

CREATE TABLE clicks_by_quarter (
  project_id uuid NOT NULL,
  scope_id uuid NOT NULL,
  dimension text COLLATE "C" NOT NULL CONSTRAINT clicks_by_quarter_dimension_known
    CHECK (dimension IN ('platform', 'browser', 'referrer', 'country', 'link', 'short_link', 'source', 'visitor')),
  day date NOT NULL,
  value text COLLATE "C" NOT NULL,
  clicks integer[],
  qr_scans integer[],
  bots integer[],
  bot_qr_scans integer[],
  CONSTRAINT clicks_by_quarter_pkey PRIMARY KEY (project_id, scope_id, dimension, day, value)
) PARTITION BY RANGE (day);
COMMENT ON TABLE clicks_by_quarter IS 'The same by quarter of an hour, where every time zone''s days and hours begin: a row a day (UTC), elements from 1 to 96.';

-- A click on each of 100,000 links changes 600,000 rows of clicks_by_day and clicks_by_quarter. So clicks wait in clicks_by_link, many
-- links in one row, until their link has many. Statistics of a link add both.
CREATE TABLE clicks_by_link (
  project_id uuid NOT NULL,
  month date NOT NULL,
  bucket integer NOT NULL,
  batch_id bigint NOT NULL,
  elements integer NOT NULL,
  dynamic_link_ids uuid[] NOT NULL,
  short_link_ids uuid[],
  sources text[],
  visitors text[] COLLATE "C" NOT NULL,
  -- A month has less than 3,000 quarters of an hour.
  quarters smallint[] NOT NULL,
  times integer[] NOT NULL
) PARTITION BY RANGE (month);
CREATE INDEX clicks_by_link_by_bucket ON clicks_by_link (project_id, month, bucket);
COMMENT ON TABLE clicks_by_link IS 'Clicks of links that are in the sums of their project, but not in those of the link. Each array has an element for clicks that are alike but for the moment.';
COMMENT ON COLUMN clicks_by_link.bucket IS 'A group of links: see click_buckets.';
COMMENT ON COLUMN clicks_by_link.batch_id IS 'The last batch in the row.';
COMMENT ON COLUMN clicks_by_link.elements IS 'The length of each array.';
COMMENT ON COLUMN clicks_by_link.short_link_ids IS 'Null if no click has one; so are sources.';
COMMENT ON COLUMN clicks_by_link.visitors IS 'Platform, browser, referrer and country, then 1 for a bot, then 1 for a QR code, with a bar between them.';
COMMENT ON COLUMN clicks_by_link.quarters IS 'Quarters of an hour since the month began (UTC), from 0.';
COMMENT ON COLUMN clicks_by_link.times IS 'The number of clicks.';
-- Ids do not get smaller by compression.
ALTER TABLE clicks_by_link ALTER COLUMN dynamic_link_ids SET STORAGE EXTERNAL, ALTER COLUMN short_link_ids SET STORAGE EXTERNAL;

CREATE FUNCTION click_bucket(link uuid, elements bigint) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN elements < 512 THEN 1 WHEN elements < 32768 THEN 32 + (uuid_hash(link) & 31) ELSE 1024 + (uuid_hash(link) & 1023) END
$$;
COMMENT ON FUNCTION click_bucket IS 'The bucket of a link if its project has so many elements, so that a row has some hundred.';

CREATE FUNCTION click_buckets(link uuid) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY[click_bucket(link, 0), click_bucket(link, 512), click_bucket(link, 32768)]
$$;
COMMENT ON FUNCTION click_buckets IS 'All buckets that can have clicks of a link.';

CREATE FUNCTION kind_of_visitor(visitor text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT concat(split_part(visitor, '|', 1), '|', split_part(visitor, '|', 2), '|', split_part(visitor, '|', 4))
$$;
COMMENT ON FUNCTION kind_of_visitor IS 'Platform, browser and country of a visitor of clicks_by_link, as values of the dimension `visitor`.';

CREATE TYPE click_sum AS (
  project_id uuid,
  scope_id uuid,
  dimension text COLLATE "C",
  day date,
  quarter integer,
  value text COLLATE "C",
  bot boolean,
  qr boolean,
  clicks bigint
);
COMMENT ON TYPE click_sum IS 'Clicks of one value in one quarter of an hour, numbered from 1 in its day (UTC).';

CREATE TYPE link_count AS (project_id uuid, dynamic_link_id uuid, event text COLLATE "C", times bigint);
COMMENT ON TYPE link_count IS 'New clicks, opens or claims of a link, for count_link_events.';

CREATE FUNCTION add_counts(counts integer[], more integer[]) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF counts IS NULL THEN RETURN more; END IF;
  FOR place IN array_lower(more, 1)..array_upper(more, 1) LOOP
    IF more[place] IS NOT NULL THEN
      counts[place] := coalesce(counts[place], 0) + more[place];
    END IF;
  END LOOP;
  RETURN counts;
END $$;
COMMENT ON FUNCTION add_counts IS 'The sum, place by place.';

CREATE FUNCTION counts_at(places integer[], clicks bigint[]) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  counts integer[];
BEGIN
  FOR number IN 1..cardinality(places) LOOP
    counts[places[number]] := coalesce(counts[places[number]], 0) + clicks[number];
  END LOOP;
  RETURN counts;
END $$;
COMMENT ON FUNCTION counts_at IS 'An array with these clicks at these places, which may repeat.';

CREATE FUNCTION add_click_sums(sums click_sum[]) RETURNS void LANGUAGE plpgsql SET work_mem = '64MB' SET jit = off SET enable_nestloop = off AS $$
BEGIN
  WITH input AS MATERIALIZED (
    SELECT *, date_trunc('month', day)::date AS month FROM unnest(sums)
  ), referrers AS MATERIALIZED (
    -- Scalar subqueries with LIMIT are one look-up each. EXISTS could become a hash of the whole table.
    SELECT *,
           value = '*' OR coalesce((
             SELECT true FROM clicks_by_quarter AS stored
             WHERE stored.project_id = input.project_id AND stored.scope_id = input.scope_id AND stored.dimension = 'referrer'
               AND stored.day = input.day AND stored.value = input.value LIMIT 1
           ), false) AS in_day
    FROM input WHERE dimension = 'referrer' AND value <> ''
  ), new_of_day AS (
    SELECT *,
           coalesce((
             SELECT true FROM clicks_by_day AS stored
             WHERE stored.project_id = referrers.project_id AND stored.scope_id = referrers.scope_id AND stored.dimension = 'referrer'
               AND stored.month = referrers.month AND stored.value = referrers.value LIMIT 1
           ), false) AS in_month,
           CASE WHEN scope_id = project_id THEN 500 ELSE 100 END AS max_of_day,
           sum(clicks) OVER (PARTITION BY project_id, scope_id, day, value) AS clicks_of_host,
           row_number() OVER (PARTITION BY project_id, scope_id, day, value) AS number
    FROM referrers WHERE NOT in_day
  ), placed_in_day AS (
    -- Hosts that the month has already go first, then those with the most clicks.
    SELECT *, dense_rank() OVER (PARTITION BY project_id, scope_id, day ORDER BY in_month DESC, clicks_of_host DESC, value) AS place
    FROM new_of_day
  ), placed_in_month AS (
    SELECT *, dense_rank() OVER (PARTITION BY project_id, scope_id, month, in_month ORDER BY place, day) AS place_in_month
    FROM placed_in_day
  ), limited AS (
    -- The rows that a day or a month has already are counted once, and only if a new host comes to it.
    SELECT *,
           max(CASE WHEN place = 1 AND number = 1 THEN (
             SELECT count(*) FROM (
               SELECT FROM clicks_by_quarter AS stored
               WHERE stored.project_id = placed.project_id AND stored.scope_id = placed.scope_id AND stored.dimension = 'referrer'
                 AND stored.day = placed.day AND stored.value <> '' AND stored.value <> '*' LIMIT max_of_day
             ) AS stored
           ) END) OVER (PARTITION BY project_id, scope_id, day) AS kept_of_day,
           max(CASE WHEN NOT in_month AND place_in_month = 1 AND number = 1 THEN (
             SELECT count(*) FROM (
               SELECT FROM clicks_by_day AS stored
               WHERE stored.project_id = placed.project_id AND stored.scope_id = placed.scope_id AND stored.dimension = 'referrer'
                 AND stored.month = placed.month AND stored.value <> '' AND stored.value <> '*' LIMIT 5 * max_of_day
             ) AS stored
           ) END) OVER (PARTITION BY project_id, scope_id, month) AS kept_of_month
    FROM placed_in_month AS placed
  ), counted AS MATERIALIZED (
    SELECT project_id, scope_id, dimension, month, day, value, quarter, bot, qr, clicks FROM input WHERE dimension <> 'referrer' OR value = ''
    UNION ALL
    SELECT project_id, scope_id, dimension, month, day, value, quarter, bot, qr, clicks FROM referrers WHERE in_day
    UNION ALL
    SELECT project_id, scope_id, dimension, month, day,
           CASE WHEN kept_of_day + place <= max_of_day AND (in_month OR kept_of_month + place_in_month <= 5 * max_of_day)
                THEN value ELSE '*' END,
           quarter, bot, qr, clicks
    FROM limited
  ), of_month AS MATERIALIZED (
    SELECT project_id, scope_id, dimension, month, value, min(day) AS first, sum(clicks) AS clicks, min(day) = max(day) AND NOT bool_or(bot OR qr) AS is_simple
    FROM counted GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ), of_day AS MATERIALIZED (
    SELECT project_id, scope_id, dimension, day, value, min(quarter) AS first, sum(clicks) AS clicks, min(quarter) = max(quarter) AND NOT bool_or(bot OR qr) AS is_simple
    FROM counted GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ), simple_of_month AS (
    INSERT INTO clicks_by_day AS stored (project_id, scope_id, dimension, month, value, clicks, total_clicks)
    SELECT project_id, scope_id, dimension, month, value, array_fill(clicks::integer, '{1}', ARRAY[extract(day FROM first)::integer]), clicks
    FROM of_month WHERE is_simple
    ON CONFLICT (project_id, scope_id, dimension, month, value) DO UPDATE SET
      clicks[array_lower(excluded.clicks, 1)] = coalesce(stored.clicks[array_lower(excluded.clicks, 1)], 0) + excluded.total_clicks::integer,
      total_clicks = coalesce(stored.total_clicks, 0) + excluded.total_clicks
  ), others_of_month AS (
    INSERT INTO clicks_by_day AS stored (project_id, scope_id, dimension, month, value, clicks, qr_scans, bots, bot_qr_scans,
                                       total_clicks, total_qr_scans, total_bots, total_bot_qr_scans)
    SELECT project_id, scope_id, dimension, month, value, counts_at(places, counts), counts_at(qr_places, qr_counts),
           counts_at(bot_places, bot_counts), counts_at(bot_qr_places, bot_qr_counts), clicks, qr_scans, bots, bot_qr_scans
    FROM (
      SELECT project_id, scope_id, dimension, month, value,
             array_agg(extract(day FROM day)::integer) FILTER (WHERE NOT bot) AS places, array_agg(clicks) FILTER (WHERE NOT bot) AS counts,
             array_agg(extract(day FROM day)::integer) FILTER (WHERE NOT bot AND qr) AS qr_places, array_agg(clicks) FILTER (WHERE NOT bot AND qr) AS qr_counts,
             array_agg(extract(day FROM day)::integer) FILTER (WHERE bot) AS bot_places, array_agg(clicks) FILTER (WHERE bot) AS bot_counts,
             array_agg(extract(day FROM day)::integer) FILTER (WHERE bot AND qr) AS bot_qr_places, array_agg(clicks) FILTER (WHERE bot AND qr) AS bot_qr_counts,
             (sum(clicks) FILTER (WHERE NOT bot))::bigint AS clicks, (sum(clicks) FILTER (WHERE NOT bot AND qr))::bigint AS qr_scans,
             (sum(clicks) FILTER (WHERE bot))::bigint AS bots, (sum(clicks) FILTER (WHERE bot AND qr))::bigint AS bot_qr_scans
      FROM counted WHERE (project_id, scope_id, dimension, month, value) IN (
        SELECT project_id, scope_id, dimension, month, value FROM of_month WHERE NOT is_simple
      ) GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ) AS summed
    ON CONFLICT (project_id, scope_id, dimension, month, value) DO UPDATE SET
      clicks = CASE WHEN excluded.clicks IS NULL THEN stored.clicks ELSE add_counts(stored.clicks, excluded.clicks) END,
      qr_scans = CASE WHEN excluded.qr_scans IS NULL THEN stored.qr_scans ELSE add_counts(stored.qr_scans, excluded.qr_scans) END,
      bots = CASE WHEN excluded.bots IS NULL THEN stored.bots ELSE add_counts(stored.bots, excluded.bots) END,
      bot_qr_scans = CASE WHEN excluded.bot_qr_scans IS NULL THEN stored.bot_qr_scans ELSE add_counts(stored.bot_qr_scans, excluded.bot_qr_scans) END,
      total_clicks = CASE WHEN excluded.clicks IS NULL THEN stored.total_clicks
                    ELSE coalesce(stored.total_clicks, 0) + excluded.total_clicks END,
      total_qr_scans = CASE WHEN excluded.qr_scans IS NULL THEN stored.total_qr_scans
                    ELSE coalesce(stored.total_qr_scans, 0) + excluded.total_qr_scans END,
      total_bots = CASE WHEN excluded.bots IS NULL THEN stored.total_bots
                    ELSE coalesce(stored.total_bots, 0) + excluded.total_bots END,
      total_bot_qr_scans = CASE WHEN excluded.bot_qr_scans IS NULL THEN stored.total_bot_qr_scans
                    ELSE coalesce(stored.total_bot_qr_scans, 0) + excluded.total_bot_qr_scans END
  ), simple_of_day AS (
    INSERT INTO clicks_by_quarter AS stored (project_id, scope_id, dimension, day, value, clicks)
    SELECT project_id, scope_id, dimension, day, value, array_fill(clicks::integer, '{1}', ARRAY[first]) FROM of_day WHERE is_simple
    ON CONFLICT (project_id, scope_id, dimension, day, value) DO UPDATE SET
      clicks[array_lower(excluded.clicks, 1)] =
        coalesce(stored.clicks[array_lower(excluded.clicks, 1)], 0) + excluded.clicks[array_lower(excluded.clicks, 1)]
  )
  INSERT INTO clicks_by_quarter AS stored (project_id, scope_id, dimension, day, value, clicks, qr_scans, bots, bot_qr_scans)
  SELECT project_id, scope_id, dimension, day, value, counts_at(places, counts), counts_at(qr_places, qr_counts),
         counts_at(bot_places, bot_counts), counts_at(bot_qr_places, bot_qr_counts)
  FROM (
    SELECT project_id, scope_id, dimension, day, value,
           array_agg(quarter) FILTER (WHERE NOT bot) AS places, array_agg(clicks) FILTER (WHERE NOT bot) AS counts,
           array_agg(quarter) FILTER (WHERE NOT bot AND qr) AS qr_places, array_agg(clicks) FILTER (WHERE NOT bot AND qr) AS qr_counts,
           array_agg(quarter) FILTER (WHERE bot) AS bot_places, array_agg(clicks) FILTER (WHERE bot) AS bot_counts,
           array_agg(quarter) FILTER (WHERE bot AND qr) AS bot_qr_places, array_agg(clicks) FILTER (WHERE bot AND qr) AS bot_qr_counts
    FROM counted WHERE (project_id, scope_id, dimension, day, value) IN (
      SELECT project_id, scope_id, dimension, day, value FROM of_day WHERE NOT is_simple
    ) GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ) AS summed
  ON CONFLICT (project_id, scope_id, dimension, day, value) DO UPDATE SET
    clicks = CASE WHEN excluded.clicks IS NULL THEN stored.clicks ELSE add_counts(stored.clicks, excluded.clicks) END,
    qr_scans = CASE WHEN excluded.qr_scans IS NULL THEN stored.qr_scans ELSE add_counts(stored.qr_scans, excluded.qr_scans) END,
    bots = CASE WHEN excluded.bots IS NULL THEN stored.bots ELSE add_counts(stored.bots, excluded.bots) END,
    bot_qr_scans = CASE WHEN excluded.bot_qr_scans IS NULL THEN stored.bot_qr_scans ELSE add_counts(stored.bot_qr_scans, excluded.bot_qr_scans) END;
END $$;
COMMENT ON FUNCTION add_click_sums IS 'Adds to clicks_by_day and clicks_by_quarter. A project has at most 500 referring hosts a day, a link 100, and a month five times as many. Clicks of further hosts count for the value *, which is no host.';

CREATE FUNCTION merge_clicks_by_link(most_elements integer, min_rows integer, min_clicks integer, first_batch bigint) RETURNS integer
LANGUAGE plpgsql SET work_mem = '64MB' SET jit = off SET enable_nestloop = off AS $$
DECLARE
  merged integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 2) THEN RETURN 0; END IF;
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  WITH due AS MATERIALIZED (
    SELECT * FROM (
      SELECT *, sum(elements) OVER (ORDER BY project_id, month, bucket) - elements AS elements_before
      FROM (
        SELECT project_id, month, bucket, sum(elements) AS elements FROM clicks_by_link
        WHERE batch_id >= first_batch GROUP BY 1, 2, 3
        -- Elements are merged again only with half as many others, so that small rows do not make a large one change often.
        HAVING min_rows = 1 OR count(*) >= 4 * min_rows OR count(*) >= min_rows AND 2 * sum(elements) >= 3 * max(elements)
      ) AS bucket
    ) AS bucket WHERE elements_before < most_elements
  ), taken AS (
    DELETE FROM clicks_by_link AS stored USING due
    WHERE (stored.project_id, stored.month, stored.bucket) = (due.project_id, due.month, due.bucket) AND batch_id >= first_batch
    RETURNING stored.*, due.elements AS elements_of_bucket
  ), element AS MATERIALIZED (
    SELECT project_id, month, bucket, dynamic_link_id, short_link_id, source, visitor, quarter, sum(element.times)::integer AS times,
           max(batch_id) AS batch_id, max(elements_of_bucket) AS elements_of_bucket
    FROM taken CROSS JOIN LATERAL (
      SELECT unnest(dynamic_link_ids) AS dynamic_link_id, unnest(short_link_ids) AS short_link_id, unnest(sources) AS source,
             unnest(visitors) AS visitor, unnest(quarters) AS quarter, unnest(taken.times) AS times
    ) AS element
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  ), busy AS MATERIALIZED (
    SELECT project_id, month, dynamic_link_id FROM element GROUP BY 1, 2, 3 HAVING sum(times) >= min_clicks
  ), waiting AS (
    INSERT INTO clicks_by_link
      (project_id, month, bucket, batch_id, elements, dynamic_link_ids, short_link_ids, sources, visitors, quarters, times)
    SELECT project_id, month,
           click_bucket(dynamic_link_id, elements_of_bucket::bigint * CASE WHEN bucket < 32 THEN 1 WHEN bucket < 1024 THEN 32 ELSE 1024 END),
           max(batch_id), count(*), array_agg(dynamic_link_id),
           CASE WHEN count(short_link_id) > 0 THEN array_agg(short_link_id) END, CASE WHEN count(source) > 0 THEN array_agg(source) END,
           array_agg(visitor), array_agg(quarter), array_agg(times::integer)
    FROM element LEFT JOIN busy USING (project_id, month, dynamic_link_id)
    WHERE busy.project_id IS NULL GROUP BY 1, 2, 3
  ), counted AS MATERIALIZED (
    SELECT project_id, month, dynamic_link_id, short_link_id, source, visitor, quarter, sum(times)::integer AS times
    FROM element JOIN busy USING (project_id, month, dynamic_link_id) GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), seen AS MATERIALIZED (
    SELECT visitor, split_part(visitor, '|', 1) AS platform, split_part(visitor, '|', 2) AS browser, split_part(visitor, '|', 3) AS referrer,
           split_part(visitor, '|', 4) AS country, kind_of_visitor(visitor) AS kind, split_part(visitor, '|', 5) = '1' AS bot,
           split_part(visitor, '|', 6) = '1' AS qr
    FROM (SELECT DISTINCT visitor FROM counted) AS visitor
  ), sums AS (
    SELECT project_id, dynamic_link_id AS scope_id, dimension, month + quarter / 96 AS day, 1 + quarter % 96 AS quarter,
           value, bot, qr, sum(times)::bigint AS clicks
    FROM counted JOIN seen USING (visitor)
      CROSS JOIN LATERAL (VALUES
        ('platform', platform), ('browser', browser), ('referrer', referrer), ('country', country),
        ('short_link', short_link_id::text), ('source', source), ('visitor', kind)
      ) AS counted_as (dimension, value)
    WHERE value <> ''
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  )
  SELECT (SELECT sum(elements) FROM due),
         (SELECT add_click_sums(array_agg((project_id, scope_id, dimension, day, quarter, value, bot, qr, clicks)::click_sum)) FROM sums)
  INTO merged;
  RETURN coalesce(merged, 0);
END $$;
COMMENT ON FUNCTION merge_clicks_by_link IS 'Merges rows of `first_batch` and later: buckets with about `min_rows` rows, up to `most_elements` elements, or one bucket. Returns the number of elements. Links with `min_clicks` clicks move to the sums.';

-- The planner cannot estimate arrays. A nested loop would compare each with each.
CREATE FUNCTION roll_up_fresh_clicks(most_clicks integer) RETURNS integer LANGUAGE plpgsql SET work_mem = '64MB' SET jit = off SET enable_nestloop = off AS $$
DECLARE
  taken bigint[];
  counted integer;
  links integer;
  newest bigint;
  new_counts link_count[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 2) THEN RETURN 0; END IF;
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  SELECT array_agg(id), max(id), sum(clicks) INTO taken, newest, counted FROM (
    SELECT id, clicks, sum(clicks) OVER (ORDER BY id) - clicks AS clicks_before
    FROM (SELECT id, clicks FROM fresh_click_batches ORDER BY id LIMIT 5000) AS oldest
  ) AS oldest WHERE clicks_before < most_clicks;
  IF taken IS NULL THEN RETURN 0; END IF;
  WITH batch_row AS MATERIALIZED (
    -- OFFSET 0: batch by batch, by the index, whatever the planner knows of their number.
    SELECT row_number() OVER () AS number, row.*, date_trunc('month', clicked_at AT TIME ZONE 'UTC')::date AS month,
           floor(extract(epoch FROM clicked_at AT TIME ZONE 'UTC' - date_trunc('month', clicked_at AT TIME ZONE 'UTC')) / 900)::integer AS quarter
    FROM fresh_click_batches AS batch CROSS JOIN LATERAL (
      SELECT * FROM clicks WHERE batch_id = batch.id AND clicked_at BETWEEN batch.first_at AND batch.last_at OFFSET 0
    ) AS row
    WHERE batch.id = ANY (taken)
  ), visitor AS MATERIALIZED (
    SELECT number, place, concat_ws('|', platform, coalesce(browser, ''), coalesce(referrer, ''), coalesce(country, ''),
                                    coalesce(bot, false)::integer, coalesce(qr, false)::integer) AS visitor,
           coalesce(bot, false) AS bot, coalesce(qr, false) AS qr
    FROM batch_row CROSS JOIN LATERAL unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
      AS visitor (platform, browser, referrer, country, bot, qr, place)
  ), element AS MATERIALIZED (
    SELECT project_id, month, quarter, dynamic_link_id, short_link_id, source, visitor, bot, qr, times
    FROM (
      SELECT number, project_id, month,
             quarter,
             dynamic_link_id, short_link_id, source, who, click.times
      FROM batch_row CROSS JOIN LATERAL (
        SELECT dynamic_link_id, short_link_id, source, who, click.times
        FROM (SELECT unnest(opened) AS what, unnest(opened_by) AS who, unnest(batch_row.times) AS times) AS click
          FULL JOIN unnest(dynamic_link_ids, short_link_ids, sources) WITH ORDINALITY
            AS link (dynamic_link_id, short_link_id, source, place) ON link.place = what
        OFFSET 0
      ) AS click
    ) AS click
      FULL JOIN visitor ON visitor.number = click.number AND place = who
    WHERE times > 0
  ), sized AS (
    SELECT project_id, month, count(*) AS elements FROM element GROUP BY 1, 2
  ), waiting AS (
    INSERT INTO clicks_by_link
      (project_id, month, bucket, batch_id, elements, dynamic_link_ids, short_link_ids, sources, visitors, quarters, times)
    SELECT project_id, month, click_bucket(dynamic_link_id, sized.elements), newest, count(*), array_agg(dynamic_link_id),
           CASE WHEN count(short_link_id) > 0 THEN array_agg(short_link_id) END, CASE WHEN count(source) > 0 THEN array_agg(source) END,
           array_agg(visitor), array_agg(quarter::smallint), array_agg(times::integer)
    FROM element JOIN sized USING (project_id, month) GROUP BY 1, 2, 3
  ), by_visitor AS (
    SELECT project_id, month, quarter, visitor, bot, qr, sum(times)::integer AS times FROM element GROUP BY 1, 2, 3, 4, 5, 6
  ), by_link AS (
    SELECT project_id, month, quarter, dynamic_link_id, short_link_id, source, bot, qr, sum(times)::integer AS times
    FROM element GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  ), sums AS (
    SELECT project_id, dimension, month, quarter, value, bot, qr, sum(times) AS times
    FROM by_visitor CROSS JOIN LATERAL (VALUES
        ('platform', split_part(visitor, '|', 1)), ('browser', split_part(visitor, '|', 2)),
        ('referrer', split_part(visitor, '|', 3)), ('country', split_part(visitor, '|', 4)), ('visitor', kind_of_visitor(visitor))
      ) AS counted_as (dimension, value)
    GROUP BY 1, 2, 3, 4, 5, 6, 7
    UNION ALL
    SELECT project_id, 'link', month, quarter, dynamic_link_id::text, bot, qr, sum(times) FROM by_link GROUP BY 1, 2, 3, 4, 5, 6, 7
    UNION ALL
    SELECT project_id, 'short_link', month, quarter, coalesce(short_link_id::text, ''), bot, qr, sum(times)
    FROM by_link GROUP BY 1, 2, 3, 4, 5, 6, 7
    UNION ALL
    SELECT project_id, 'source', month, quarter, coalesce(source, ''), bot, qr, sum(times) FROM by_link GROUP BY 1, 2, 3, 4, 5, 6, 7
  )
  SELECT (SELECT count(*) FROM (SELECT DISTINCT dynamic_link_id FROM by_link) AS link),
         (SELECT array_agg((project_id, dynamic_link_id, 'click', times)::link_count) FROM (
            SELECT project_id, dynamic_link_id, sum(times) AS times FROM by_link
            WHERE NOT bot AND project_id = ANY (selecting_projects('link.clicks_reached')) GROUP BY 1, 2
          ) AS link),
         (SELECT add_click_sums(array_agg((
            project_id, project_id, dimension, month + quarter / 96, 1 + quarter % 96, value, bot, qr, times
          )::click_sum)) FROM sums)
  INTO links, new_counts;
  DELETE FROM fresh_click_batches WHERE id = ANY (taken);
  IF links <= 1000 THEN
    PERFORM merge_clicks_by_link(2 * most_clicks, 1, 1, newest);
  END IF;
  IF new_counts IS NOT NULL THEN PERFORM count_link_events(new_counts); END IF;
  RETURN counted;
END $$;
COMMENT ON FUNCTION roll_up_fresh_clicks IS 'Adds the oldest fresh batches of up to so many clicks, or one batch, to the sums of projects and to clicks_by_link. Returns the number of clicks; 0 while another process does it. If they are of few links, these move to the sums.';
