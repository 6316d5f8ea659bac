-- Keeps statistics fast whatever visitors send: a visitor can send any referring host, so their number is bounded, and months are
-- summed up.

ALTER TABLE clicks_by_day
  ADD COLUMN total_clicks bigint,
  ADD COLUMN total_qr_scans bigint,
  ADD COLUMN total_bots bigint,
  ADD COLUMN total_bot_qr_scans bigint;
COMMENT ON COLUMN clicks_by_day.total_clicks IS 'The sum of `clicks`, so that whole months are read without their days. Null in rows that nothing was added to since the column exists; the other three too.';
COMMENT ON COLUMN clicks_by_day.value IS 'Empty in the sums of a project if a click has no value. The sums of a link have no such row, so that most clicks change one row less: subtract the sums of the dimension from those of `platform`. An asterisk, which no host contains, for all referring hosts beyond the limits of roll_up_clicks.';

CREATE FUNCTION sum_of_counts(counts integer[]) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT sum(count) FROM unnest(counts) AS count
$$;
COMMENT ON FUNCTION sum_of_counts IS 'The sum of all places; null for null.';

CREATE OR REPLACE FUNCTION roll_up_clicks(batches integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  rolled_up integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 2) THEN
    RETURN 0;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  WITH taken AS (
    DELETE FROM fresh_click_batches WHERE id = ANY (ARRAY(SELECT id FROM fresh_click_batches ORDER BY id LIMIT batches)) RETURNING *
  ), alike AS (
    SELECT project_id, dynamic_link_id, short_link_id, source, platform, browser, referrer, country,
           coalesce(bot, false) AS bot, coalesce(qr, false) AS qr, quarter, sum(click.times) AS times
    -- OFFSET 0: batch by batch, by the index, whatever is known of how many there are. A full join is never a nested loop, which
    -- would compare each click of a batch with each of its links and visitors.
    FROM taken CROSS JOIN LATERAL (
      SELECT *, date_bin('15 minutes', clicked_at, 'epoch') AS quarter FROM clicks
      WHERE batch_id = taken.id AND clicked_at BETWEEN taken.first_at AND taken.last_at OFFSET 0
    ) AS row CROSS JOIN LATERAL (
      SELECT dynamic_link_id, short_link_id, source, platform, browser, referrer, country, bot, qr, alike.times
      FROM (SELECT unnest(opened) AS what, unnest(opened_by) AS who, unnest(row.times) AS times) AS alike
        FULL JOIN unnest(dynamic_link_ids, short_link_ids, sources) WITH ORDINALITY
          AS link (dynamic_link_id, short_link_id, source, place) ON link.place = what
        FULL JOIN unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
          AS visitor (platform, browser, referrer, country, bot, qr, place) ON visitor.place = who
      OFFSET 0
    ) AS click
    WHERE click.times > 0
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  ), moment AS MATERIALIZED (
    SELECT *, date_trunc('month', day)::date AS month, extract(day FROM day)::integer AS day_of_month
    FROM (
      SELECT *, (quarter AT TIME ZONE 'UTC')::date AS day,
             1 + extract(epoch FROM (quarter AT TIME ZONE 'UTC')::time)::integer / 900 AS quarter_of_day
      FROM alike
    ) AS dated
  ), referrers AS MATERIALIZED (
    -- Scalar subqueries with LIMIT are one look-up each. EXISTS could become a hash of the whole table.
    SELECT *,
           referrer = '*' OR coalesce((
             SELECT true FROM clicks_by_quarter AS kept
             WHERE kept.project_id = summed.project_id AND kept.scope_id = summed.scope_id AND kept.dimension = 'referrer'
               AND kept.day = summed.day AND kept.value = summed.referrer LIMIT 1
           ), false) AS in_day
    FROM (
      SELECT project_id, scope_id, month, day, referrer, day_of_month, quarter_of_day, bot, qr, sum(times::integer) AS clicks
      FROM moment CROSS JOIN LATERAL (VALUES (project_id), (dynamic_link_id)) AS scope (scope_id)
      WHERE referrer IS NOT NULL
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ) AS summed
  ), new_of_day AS (
    SELECT *,
           coalesce((
             SELECT true FROM clicks_by_day AS kept
             WHERE kept.project_id = referrers.project_id AND kept.scope_id = referrers.scope_id AND kept.dimension = 'referrer'
               AND kept.month = referrers.month AND kept.value = referrers.referrer LIMIT 1
           ), false) AS in_month,
           CASE WHEN scope_id = project_id THEN 500 ELSE 100 END AS max_of_day,
           sum(clicks) OVER (PARTITION BY project_id, scope_id, day, referrer) AS clicks_of_host,
           row_number() OVER (PARTITION BY project_id, scope_id, day, referrer) AS number
    FROM referrers WHERE NOT in_day
  ), placed_in_day AS (
    -- Hosts that the month has already go first, then those with the most clicks.
    SELECT *, dense_rank() OVER (PARTITION BY project_id, scope_id, day ORDER BY in_month DESC, clicks_of_host DESC, referrer) AS place
    FROM new_of_day
  ), placed_in_month AS (
    SELECT *, dense_rank() OVER (PARTITION BY project_id, scope_id, month, in_month ORDER BY place, day) AS place_in_month
    FROM placed_in_day
  ), limited AS (
    -- The rows that a day or a month has already are counted once, and only if a new host comes to it.
    SELECT *,
           max(CASE WHEN place = 1 AND number = 1 THEN (
             SELECT count(*) FROM (
               SELECT FROM clicks_by_quarter AS kept
               WHERE kept.project_id = placed.project_id AND kept.scope_id = placed.scope_id AND kept.dimension = 'referrer'
                 AND kept.day = placed.day AND kept.value <> '' AND kept.value <> '*' LIMIT max_of_day
             ) AS kept
           ) END) OVER (PARTITION BY project_id, scope_id, day) AS kept_of_day,
           max(CASE WHEN NOT in_month AND place_in_month = 1 AND number = 1 THEN (
             SELECT count(*) FROM (
               SELECT FROM clicks_by_day AS kept
               WHERE kept.project_id = placed.project_id AND kept.scope_id = placed.scope_id AND kept.dimension = 'referrer'
                 AND kept.month = placed.month AND kept.value <> '' AND kept.value <> '*' LIMIT 5 * max_of_day
             ) AS kept
           ) END) OVER (PARTITION BY project_id, scope_id, month) AS kept_of_month
    FROM placed_in_month AS placed
  ), counted AS (
    SELECT project_id, scope_id, 'referrer' AS dimension, month, day, referrer AS value, day_of_month, quarter_of_day, bot, qr, clicks
    FROM referrers WHERE in_day
    UNION ALL
    SELECT project_id, scope_id, 'referrer', month, day,
           CASE WHEN kept_of_day + place <= max_of_day AND (in_month OR kept_of_month + place_in_month <= 5 * max_of_day)
                THEN referrer ELSE '*' END,
           day_of_month, quarter_of_day, bot, qr, clicks
    FROM limited
    UNION ALL
    SELECT project_id, scope_id, dimension, month, day, value, day_of_month, quarter_of_day, bot, qr, sum(times::integer) AS clicks
    FROM moment
      CROSS JOIN LATERAL (VALUES (project_id), (dynamic_link_id)) AS scope (scope_id)
      CROSS JOIN LATERAL (VALUES
        ('platform', platform),
        ('browser', coalesce(browser, '')),
        ('referrer', CASE WHEN referrer IS NULL THEN '' END),
        ('country', coalesce(country, '')),
        ('link', dynamic_link_id::text),
        ('short_link', coalesce(short_link_id::text, '')),
        ('source', coalesce(source, ''))
      ) AS counted_as (dimension, value)
    WHERE scope_id = project_id AND value IS NOT NULL OR dimension <> 'link' AND value <> ''
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
  ), added_to_days AS (
    INSERT INTO clicks_by_day AS kept (project_id, scope_id, dimension, month, value, clicks, qr_scans, bots, bot_qr_scans,
                                       total_clicks, total_qr_scans, total_bots, total_bot_qr_scans)
    SELECT project_id, scope_id, dimension, month, value,
           counts_by_place(day_of_month, clicks) FILTER (WHERE NOT bot),
           counts_by_place(day_of_month, clicks) FILTER (WHERE NOT bot AND qr),
           counts_by_place(day_of_month, clicks) FILTER (WHERE bot),
           counts_by_place(day_of_month, clicks) FILTER (WHERE bot AND qr),
           (sum(clicks) FILTER (WHERE NOT bot))::bigint,
           (sum(clicks) FILTER (WHERE NOT bot AND qr))::bigint,
           (sum(clicks) FILTER (WHERE bot))::bigint,
           (sum(clicks) FILTER (WHERE bot AND qr))::bigint
    FROM counted GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (project_id, scope_id, dimension, month, value) DO UPDATE SET
      clicks = CASE WHEN excluded.clicks IS NULL THEN kept.clicks ELSE add_counts(kept.clicks, excluded.clicks) END,
      qr_scans = CASE WHEN excluded.qr_scans IS NULL THEN kept.qr_scans ELSE add_counts(kept.qr_scans, excluded.qr_scans) END,
      bots = CASE WHEN excluded.bots IS NULL THEN kept.bots ELSE add_counts(kept.bots, excluded.bots) END,
      bot_qr_scans = CASE WHEN excluded.bot_qr_scans IS NULL THEN kept.bot_qr_scans ELSE add_counts(kept.bot_qr_scans, excluded.bot_qr_scans) END,
      total_clicks = CASE WHEN excluded.clicks IS NULL THEN kept.total_clicks
                    ELSE coalesce(kept.total_clicks, sum_of_counts(kept.clicks), 0) + excluded.total_clicks END,
      total_qr_scans = CASE WHEN excluded.qr_scans IS NULL THEN kept.total_qr_scans
                    ELSE coalesce(kept.total_qr_scans, sum_of_counts(kept.qr_scans), 0) + excluded.total_qr_scans END,
      total_bots = CASE WHEN excluded.bots IS NULL THEN kept.total_bots
                    ELSE coalesce(kept.total_bots, sum_of_counts(kept.bots), 0) + excluded.total_bots END,
      total_bot_qr_scans = CASE WHEN excluded.bot_qr_scans IS NULL THEN kept.total_bot_qr_scans
                    ELSE coalesce(kept.total_bot_qr_scans, sum_of_counts(kept.bot_qr_scans), 0) + excluded.total_bot_qr_scans END
  ), added_to_quarters AS (
    INSERT INTO clicks_by_quarter AS kept (project_id, scope_id, dimension, day, value, clicks, qr_scans, bots, bot_qr_scans)
    SELECT project_id, scope_id, dimension, day, value,
           counts_by_place(quarter_of_day, clicks) FILTER (WHERE NOT bot),
           counts_by_place(quarter_of_day, clicks) FILTER (WHERE NOT bot AND qr),
           counts_by_place(quarter_of_day, clicks) FILTER (WHERE bot),
           counts_by_place(quarter_of_day, clicks) FILTER (WHERE bot AND qr)
    FROM counted GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (project_id, scope_id, dimension, day, value) DO UPDATE SET
      clicks = CASE WHEN excluded.clicks IS NULL THEN kept.clicks ELSE add_counts(kept.clicks, excluded.clicks) END,
      qr_scans = CASE WHEN excluded.qr_scans IS NULL THEN kept.qr_scans ELSE add_counts(kept.qr_scans, excluded.qr_scans) END,
      bots = CASE WHEN excluded.bots IS NULL THEN kept.bots ELSE add_counts(kept.bots, excluded.bots) END,
      bot_qr_scans = CASE WHEN excluded.bot_qr_scans IS NULL THEN kept.bot_qr_scans ELSE add_counts(kept.bot_qr_scans, excluded.bot_qr_scans) END
  )
  SELECT count(*) INTO rolled_up FROM taken;
  RETURN rolled_up;
END $$;
-- What is added up and sorted at once, some hundred thousand rows, stays in memory.
ALTER FUNCTION roll_up_clicks SET work_mem = '32MB';
COMMENT ON FUNCTION roll_up_clicks IS 'Adds up to so many fresh batches to clicks_by_day and clicks_by_quarter, and returns their number; 0 while another process does it. A project has at most 500 referring hosts a day, a link 100, and a month five times as many; clicks of further hosts count for the value *, which is no host.';
