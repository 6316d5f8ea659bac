-- Clicks, month by month, and what statistics are read from: how often, by day, for a project and for each of its links.
--
-- A process writes its clicks in batches: each click into `clicks`, and the batch once more, summed up, into `fresh_clicks`. From
-- there one process at a time adds them to `click_counts`. Whoever reads adds up both, in one statement, which sees every click
-- in exactly one of the two.

CREATE TABLE clicks (
  clicked_at timestamptz(3) NOT NULL,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  short_link_id uuid,
  source text,
  platform text NOT NULL,
  browser text,
  referrer text,
  country text,
  bot boolean NOT NULL,
  qr boolean NOT NULL
) PARTITION BY RANGE (clicked_at);
COMMENT ON TABLE clicks IS 'Visits of links, a row each, in partitions by month (UTC) that the service makes and drops. No foreign keys: each check of one would lock the row of a link that thousands are opening.';
COMMENT ON COLUMN clicks.short_link_id IS 'The short link that was used; null for the custom path.';
COMMENT ON COLUMN clicks.source IS 'Of that short link.';
COMMENT ON COLUMN clicks.referrer IS 'The host alone, in lower case.';
COMMENT ON COLUMN clicks.country IS 'Two letters, as a trusted proxy stated it.';
CREATE INDEX clicks_by_project ON clicks (project_id);

CREATE TABLE fresh_clicks (
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  short_link_id uuid,
  source text,
  platform text NOT NULL,
  browser text,
  referrer text,
  country text,
  bot boolean NOT NULL,
  qr boolean NOT NULL,
  quarter timestamptz NOT NULL,
  clicks bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
COMMENT ON TABLE fresh_clicks IS 'Clicks that are not in click_counts yet: those of one batch that are alike but for the moment, by quarter of an hour.';
CREATE INDEX fresh_clicks_by_project ON fresh_clicks (project_id);

CREATE TABLE click_counts (
  project_id uuid NOT NULL,
  scope_id uuid NOT NULL,
  dimension text COLLATE "C" NOT NULL
    CONSTRAINT click_counts_dimension_known CHECK (dimension IN ('total', 'client', 'referrer', 'country', 'path')),
  day date NOT NULL,
  value text COLLATE "C" NOT NULL,
  detail text COLLATE "C" NOT NULL,
  bot boolean NOT NULL,
  qr boolean NOT NULL,
  clicks bigint NOT NULL,
  -- No quarter of an hour has two thousand million.
  -- squawk-ignore prefer-bigint-over-int
  quarters integer[] NOT NULL,
  CONSTRAINT click_counts_pkey PRIMARY KEY (project_id, scope_id, dimension, day, value, detail, bot, qr)
) PARTITION BY RANGE (day);
COMMENT ON TABLE click_counts IS 'Clicks of a day (UTC), in partitions by month. Each click is counted once in every dimension, for its project and for its link.';
COMMENT ON COLUMN click_counts.scope_id IS 'The project, or one of its links.';
COMMENT ON COLUMN click_counts.value IS 'By dimension: client, the platform; path, the short link; an empty text where there is none.';
COMMENT ON COLUMN click_counts.detail IS 'By dimension: client, the browser; path, the source of the short link; else empty.';
COMMENT ON COLUMN click_counts.quarters IS 'The same clicks by quarter of an hour, from 1 to 96; null for none, and only from the first to the last that has some. Every time zone''s days and hours begin on one.';
-- What the links of a project were clicked.
CREATE INDEX click_counts_by_day ON click_counts (project_id, day) WHERE dimension = 'total';

CREATE TABLE click_writers (
  id uuid CONSTRAINT click_writers_pkey PRIMARY KEY,
  batch bigint NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE click_writers IS 'Processes that write clicks, and the last batch of each that is written: one whose answer was lost is sent again, and must not count twice.';

CREATE TABLE click_purges (
  project_id uuid CONSTRAINT click_purges_pkey PRIMARY KEY,
  deleted_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE click_purges IS 'Deleted projects whose clicks are not removed yet.';

-- Advisory locks, by the letters "clic" (1668049251) and a number. 1: shared by whoever adds clicks, exclusive for whoever has
-- removed the last ones of a deleted project: a batch that began before the deletion cannot end after the purge. 2: the process
-- that rolls up. 3: the process that makes or drops partitions. Each is taken by a statement of its own, before the one that reads:
-- what was committed while it was waited for is seen.

CREATE FUNCTION record_clicks(
  writer uuid, batch_number bigint,
  project_ids uuid[], dynamic_link_ids uuid[], short_link_ids text[], sources text[], platforms text[], browsers text[],
  referrers text[], countries text[], bots boolean[], qrs boolean[],
  since bigint, kinds integer[], moments bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  INSERT INTO click_writers AS kept (id, batch) VALUES (writer, batch_number)
  ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = now() WHERE kept.batch < excluded.batch;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  WITH kind AS (
    SELECT number, project_id, dynamic_link_id, nullif(short_link_id, '')::uuid AS short_link_id, nullif(source, '') AS source,
           platform, nullif(browser, '') AS browser, nullif(referrer, '') AS referrer, nullif(country, '') AS country, bot, qr
    FROM unnest(project_ids, dynamic_link_ids, short_link_ids, sources, platforms, browsers, referrers, countries, bots, qrs)
      WITH ORDINALITY AS given (project_id, dynamic_link_id, short_link_id, source, platform, browser, referrer, country, bot, qr, number)
    WHERE EXISTS (SELECT FROM projects WHERE projects.id = given.project_id AND projects.deleted_at IS NULL)
  ), click AS (
    SELECT given.kind, to_timestamp((since + given.moment)::double precision / 1000) AS clicked_at
    FROM unnest(kinds, moments) AS given (kind, moment)
  ), kept AS (
    INSERT INTO clicks
      (clicked_at, project_id, dynamic_link_id, short_link_id, source, platform, browser, referrer, country, bot, qr)
    SELECT clicked_at, project_id, dynamic_link_id, short_link_id, source, platform, browser, referrer, country, bot, qr
    FROM click JOIN kind ON kind.number = click.kind
  )
  INSERT INTO fresh_clicks
    (project_id, dynamic_link_id, short_link_id, source, platform, browser, referrer, country, bot, qr, quarter, clicks)
  SELECT project_id, dynamic_link_id, short_link_id, source, platform, browser, referrer, country, bot, qr, quarter, clicks
  FROM (
    SELECT click.kind, date_bin('15 minutes', clicked_at, 'epoch') AS quarter, count(*) AS clicks FROM click GROUP BY 1, 2
  ) summed JOIN kind ON kind.number = summed.kind;
END $$;
COMMENT ON FUNCTION record_clicks IS 'Writes one batch of a process, once: a batch that is written already is not written again. Clicks of the same kind share what is known of them: the kinds are numbered from 1 by their place in the first arrays, `kinds` and `moments` (milliseconds after `since`, which is Unix time) have an element a click. An empty text is none.';

CREATE FUNCTION add_quarters(counts integer[], more integer[]) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  FOR quarter IN array_lower(more, 1)..array_upper(more, 1) LOOP
    IF more[quarter] IS NOT NULL THEN
      counts[quarter] := coalesce(counts[quarter], 0) + more[quarter];
    END IF;
  END LOOP;
  RETURN counts;
END $$;
COMMENT ON FUNCTION add_quarters IS 'The sum of two `click_counts.quarters`.';

CREATE FUNCTION add_quarter(counts integer[], quarter integer, clicks bigint) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  counts[quarter] := coalesce(counts[quarter], 0) + clicks;
  RETURN counts;
END $$;
CREATE AGGREGATE quarters_of(quarter integer, clicks bigint) (SFUNC = add_quarter, STYPE = integer[]);

CREATE FUNCTION roll_up_clicks(batch integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  rolled_up integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 2) THEN
    RETURN 0;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  WITH taken AS (
    DELETE FROM fresh_clicks WHERE ctid = ANY (ARRAY(SELECT ctid FROM fresh_clicks LIMIT batch)) RETURNING *
  ), moment AS (
    SELECT *, (quarter AT TIME ZONE 'UTC')::date AS day,
           1 + extract(epoch FROM (quarter AT TIME ZONE 'UTC')::time)::integer / 900 AS quarter_of_day
    FROM taken WHERE EXISTS (SELECT FROM projects WHERE projects.id = taken.project_id AND projects.deleted_at IS NULL)
  ), added AS (
    INSERT INTO click_counts AS kept (project_id, scope_id, dimension, day, value, detail, bot, qr, clicks, quarters)
    SELECT project_id, scope_id, dimension, day, value, detail, bot, qr, sum(clicks), quarters_of(quarter_of_day, clicks)
    FROM moment
      CROSS JOIN LATERAL (VALUES (project_id), (dynamic_link_id)) AS scope (scope_id)
      CROSS JOIN LATERAL (VALUES
        ('total', '', ''),
        ('client', platform, coalesce(browser, '')),
        ('referrer', coalesce(referrer, ''), ''),
        ('country', coalesce(country, ''), ''),
        ('path', coalesce(short_link_id::text, ''), coalesce(source, ''))
      ) AS counted_as (dimension, value, detail)
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ON CONFLICT (project_id, scope_id, dimension, day, value, detail, bot, qr) DO UPDATE
    SET clicks = kept.clicks + excluded.clicks, quarters = add_quarters(kept.quarters, excluded.quarters)
  )
  SELECT count(*) INTO rolled_up FROM taken;
  RETURN rolled_up;
END $$;
COMMENT ON FUNCTION roll_up_clicks IS 'Moves up to `batch` rows from fresh_clicks into click_counts, and tells how many; 0 also while another process does it.';

-- Partitions are made as tables of their own and then attached, and dropped one by one: either holds the table up for a moment
-- only. Both are done as the owner of the tables, so that the service's user need not be: see docs/operating.md.
CREATE FUNCTION make_click_partitions(days date[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  parent text;
  partition text;
  month date;
BEGIN
  PERFORM pg_advisory_xact_lock(1668049251, 3);
  FOR parent, month IN
    SELECT DISTINCT name, date_trunc('month', day)::date
    FROM unnest(ARRAY['clicks', 'click_counts']) AS name, unnest(days) AS day ORDER BY 2, 1
  LOOP
    partition := parent || to_char(month, '_YYYY_MM');
    CONTINUE WHEN to_regclass(quote_ident(partition)) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)%s', partition, parent,
                   CASE parent WHEN 'click_counts' THEN ' WITH (fillfactor = 80)' END);
    EXECUTE format(CASE parent
      WHEN 'clicks' THEN 'ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (''%s 00:00:00+00'') TO (''%s 00:00:00+00'')'
      ELSE 'ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (''%s'') TO (''%s'')'
    END, parent, partition, month, (month + interval '1 month')::date);
  END LOOP;
END $$;
COMMENT ON FUNCTION make_click_partitions IS 'Makes the partitions that are missing for these days. Any number of processes may call it at once.';

CREATE FUNCTION drop_click_partitions(months integer) RETURNS text[] LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  first_kept text := to_char(date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => months), 'YYYY_MM');
  partition text;
  dropped text[] := '{}';
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 3) THEN
    RETURN dropped;
  END IF;
  FOR partition IN
    SELECT inhrelid::regclass::text FROM pg_inherits
    WHERE inhparent IN ('clicks'::regclass, 'click_counts'::regclass) AND right(inhrelid::regclass::text, 7) < first_kept
  LOOP
    EXECUTE format('DROP TABLE %s', partition);
    dropped := dropped || partition;
  END LOOP;
  RETURN dropped;
END $$;
COMMENT ON FUNCTION drop_click_partitions IS 'Drops the partitions of all months but the current one and so many before it (UTC, by the clock of the database), and names them. Nothing while another process does.';

DO $$
DECLARE
  signature text;
BEGIN
  FOREACH signature IN ARRAY ARRAY['make_click_partitions(date[])', 'drop_click_partitions(integer)'] LOOP
    -- Nobody can have the owner work on tables of another schema, or on temporary ones of theirs.
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', signature, current_schema());
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', signature);
  END LOOP;
  PERFORM make_click_partitions(ARRAY(
    SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => ahead))::date FROM generate_series(0, 2) AS ahead
  ));
END $$;

-- In the deletion's own transaction: from then on the clicks are on the list, whatever happens to the process.
CREATE FUNCTION purge_clicks_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO click_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER projects_marked_deleted_purge_clicks AFTER UPDATE OF deleted_at ON projects
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION purge_clicks_of_project();
CREATE TRIGGER projects_deleted_purge_clicks AFTER DELETE ON projects
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION purge_clicks_of_project();

CREATE FUNCTION purge_clicks(batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  doomed uuid;
  month date;
  month_start timestamptz;
  month_end timestamptz;
BEGIN
  SELECT project_id INTO doomed FROM click_purges ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- Rows that are being rolled up are left for the next time: who waits for nobody is part of no deadlock.
  DELETE FROM fresh_clicks WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM fresh_clicks WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED
  ));
  IF FOUND THEN
    RETURN true;
  END IF;
  -- By month: a row's place says nothing of its partition.
  SELECT date_trunc('month', day) INTO month FROM click_counts WHERE project_id = doomed LIMIT 1;
  IF FOUND THEN
    DELETE FROM click_counts
    WHERE day >= month AND day < month + interval '1 month' AND ctid = ANY (ARRAY(
      SELECT ctid FROM click_counts
      WHERE project_id = doomed AND day >= month AND day < month + interval '1 month' LIMIT batch FOR UPDATE SKIP LOCKED
    ));
    RETURN true;
  END IF;
  SELECT date_trunc('month', clicked_at AT TIME ZONE 'UTC') INTO month FROM clicks WHERE project_id = doomed LIMIT 1;
  IF FOUND THEN
    month_start := month::timestamp AT TIME ZONE 'UTC';
    month_end := (month + interval '1 month') AT TIME ZONE 'UTC';
    DELETE FROM clicks
    WHERE clicked_at >= month_start AND clicked_at < month_end AND ctid = ANY (ARRAY(
      SELECT ctid FROM clicks
      WHERE project_id = doomed AND clicked_at >= month_start AND clicked_at < month_end LIMIT batch
    ));
    RETURN true;
  END IF;
  PERFORM pg_advisory_xact_lock(1668049251, 1);
  IF NOT EXISTS (SELECT FROM fresh_clicks WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM click_counts WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM clicks WHERE project_id = doomed) THEN
    DELETE FROM click_purges WHERE project_id = doomed;
  END IF;
  RETURN true;
END $$;
COMMENT ON FUNCTION purge_clicks IS 'Removes the next batch of the clicks of deleted projects; false once there are none, or other processes are at the rest of them. Any number of processes may call it at once.';
