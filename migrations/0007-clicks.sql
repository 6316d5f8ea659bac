-- Clicks, month by month, and what statistics are read from: how often, by day and by quarter of an hour, for a project and for each
-- of its links.
--
-- A process writes its clicks in batches into `clicks`. Batches that are not summed up yet are in `fresh_click_batches`: one process at
-- a time adds them to `clicks_by_day` and `clicks_by_quarter`. Whoever reads adds up either of these and what is in fresh batches, in
-- one statement, which sees every click in exactly one of the two.

CREATE TABLE fresh_click_batches (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT fresh_click_batches_pkey PRIMARY KEY,
  -- A process writes some thousand at a time.
  -- squawk-ignore prefer-bigint-over-int
  clicks integer NOT NULL,
  first_at timestamptz(3) NOT NULL,
  last_at timestamptz(3) NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE fresh_click_batches IS 'Batches whose clicks are not in clicks_by_day and clicks_by_quarter yet.';
COMMENT ON COLUMN fresh_click_batches.clicks IS 'As they were sent, with those of projects that were deleted meanwhile.';
COMMENT ON COLUMN fresh_click_batches.first_at IS 'The earliest `clicks.clicked_at` of the batch: it tells in which partitions to look.';

CREATE TABLE clicks (
  clicked_at timestamptz(3) NOT NULL,
  batch_id bigint NOT NULL,
  project_id uuid NOT NULL,
  dynamic_link_ids uuid[] NOT NULL,
  short_link_ids uuid[],
  sources text[],
  platforms text[] NOT NULL,
  browsers text[],
  referrers text[],
  countries text[],
  bots boolean[],
  qrs boolean[],
  -- A batch has fewer than 32,768 clicks.
  -- squawk-ignore prefer-bigint-over-smallint
  opened smallint[] NOT NULL,
  -- squawk-ignore prefer-bigint-over-smallint
  opened_by smallint[] NOT NULL,
  -- squawk-ignore prefer-bigint-over-smallint
  times smallint[] NOT NULL,
  -- A quarter of an hour has less than a million milliseconds.
  -- squawk-ignore prefer-bigint-over-int
  moments integer[] NOT NULL
) PARTITION BY RANGE (clicked_at);
COMMENT ON TABLE clicks IS 'Visits of links, in partitions by month (UTC) that the service makes and drops. A row has those of one batch, one project and one quarter of an hour (UTC); single_clicks shows them one by one. No foreign keys: each check of one would lock the row of a link that thousands are opening.';
COMMENT ON COLUMN clicks.clicked_at IS 'The moment that `moments` are counted from.';
COMMENT ON COLUMN clicks.dynamic_link_ids IS 'What was opened: this array, `short_link_ids` and `sources` have the same places. Each of the arrays but this one is null where no place of it would hold anything.';
COMMENT ON COLUMN clicks.short_link_ids IS 'The short link that was used; null for the custom path.';
COMMENT ON COLUMN clicks.sources IS 'Of that short link.';
COMMENT ON COLUMN clicks.platforms IS 'Who opened it: this array, `browsers`, `referrers`, `countries`, `bots` and `qrs` have the same places. Each of the arrays but this one is null where no place of it would hold anything, or all are false.';
COMMENT ON COLUMN clicks.referrers IS 'The host alone, in lower case.';
COMMENT ON COLUMN clicks.countries IS 'Two letters, as a trusted proxy stated it.';
COMMENT ON COLUMN clicks.opened IS 'What was opened: the place in `dynamic_link_ids`. This array, `opened_by` and `times` have an element for all clicks that are alike but for the moment.';
COMMENT ON COLUMN clicks.opened_by IS 'Who opened it: the place in `platforms`.';
COMMENT ON COLUMN clicks.times IS 'How many clicks they are.';
COMMENT ON COLUMN clicks.moments IS 'When each click was made: milliseconds after `clicked_at`, or before. First those of the first element of `times`, and so on.';
-- Ids do not get smaller by being compressed.
ALTER TABLE clicks ALTER COLUMN dynamic_link_ids SET STORAGE EXTERNAL, ALTER COLUMN short_link_ids SET STORAGE EXTERNAL;
CREATE INDEX clicks_by_project ON clicks (project_id);
CREATE INDEX clicks_by_batch ON clicks (batch_id, project_id);

CREATE VIEW single_clicks AS
SELECT clicked_at + interval '1 millisecond' * moment AS clicked_at, batch_id, project_id, dynamic_link_id, short_link_id, source,
       platform, browser, referrer, country, coalesce(bot, false) AS bot, coalesce(qr, false) AS qr
FROM clicks
  CROSS JOIN LATERAL (
    SELECT what, who, row_number() OVER (ORDER BY place, number) AS click
    FROM unnest(opened, opened_by, times) WITH ORDINALITY AS alike (what, who, times, place) CROSS JOIN generate_series(1, times) AS number
  ) AS made
  JOIN unnest(moments) WITH ORDINALITY AS made_at (moment, click) USING (click)
  JOIN unnest(dynamic_link_ids, short_link_ids, sources) WITH ORDINALITY AS link (dynamic_link_id, short_link_id, source, place)
    ON link.place = what
  JOIN unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
    AS visitor (platform, browser, referrer, country, bot, qr, place) ON visitor.place = who;
COMMENT ON VIEW single_clicks IS 'A row a click, to look at. It is slow where it is not told which rows of `clicks` to read: say project_id or batch_id.';

CREATE TABLE clicks_by_day (
  project_id uuid NOT NULL,
  scope_id uuid NOT NULL,
  dimension text COLLATE "C" NOT NULL
    CONSTRAINT clicks_by_day_dimension_known CHECK (dimension IN
      ('platform', 'browser', 'referrer', 'country', 'link', 'short_link', 'source')),
  month date NOT NULL,
  value text COLLATE "C" NOT NULL,
  -- No quarter of an hour and no day has two thousand million.
  -- squawk-ignore prefer-bigint-over-int
  clicks integer[],
  -- squawk-ignore prefer-bigint-over-int
  qr_scans integer[],
  -- squawk-ignore prefer-bigint-over-int
  bots integer[],
  -- squawk-ignore prefer-bigint-over-int
  bot_qr_scans integer[],
  CONSTRAINT clicks_by_day_pkey PRIMARY KEY (project_id, scope_id, dimension, month, value)
) PARTITION BY RANGE (month);
COMMENT ON TABLE clicks_by_day IS 'Clicks of a month (UTC) by its days, in partitions by month. Each click is counted once in every dimension, for its project and, where it has a value there, for its link. Every click has a platform.';
COMMENT ON COLUMN clicks_by_day.scope_id IS 'The project, or one of its links.';
COMMENT ON COLUMN clicks_by_day.dimension IS 'Links are told apart in projects only.';
COMMENT ON COLUMN clicks_by_day.month IS 'Its first day.';
COMMENT ON COLUMN clicks_by_day.value IS 'In projects an empty text where there is none. Of links that is what the sums of `platform` have beyond those of the dimension: a row less to change for most clicks.';
COMMENT ON COLUMN clicks_by_day.clicks IS 'Without those of bots. In this one and the other three, an element is a day, from 1 to 31; null for none, and only from the first to the last that has some.';
COMMENT ON COLUMN clicks_by_day.qr_scans IS 'Among `clicks`.';
COMMENT ON COLUMN clicks_by_day.bot_qr_scans IS 'Among `bots`.';

CREATE TABLE clicks_by_quarter (
  project_id uuid NOT NULL,
  scope_id uuid NOT NULL,
  dimension text COLLATE "C" NOT NULL
    CONSTRAINT clicks_by_quarter_dimension_known CHECK (dimension IN
      ('platform', 'browser', 'referrer', 'country', 'link', 'short_link', 'source')),
  day date NOT NULL,
  value text COLLATE "C" NOT NULL,
  -- No quarter of an hour and no day has two thousand million.
  -- squawk-ignore prefer-bigint-over-int
  clicks integer[],
  -- squawk-ignore prefer-bigint-over-int
  qr_scans integer[],
  -- squawk-ignore prefer-bigint-over-int
  bots integer[],
  -- squawk-ignore prefer-bigint-over-int
  bot_qr_scans integer[],
  CONSTRAINT clicks_by_quarter_pkey PRIMARY KEY (project_id, scope_id, dimension, day, value)
) PARTITION BY RANGE (day);
COMMENT ON TABLE clicks_by_quarter IS 'The same by quarter of an hour, where every time zone''s days and hours begin: a row a day (UTC), elements from 1 to 96.';

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
  writer uuid, batch_number bigint, clicks integer,
  project_ids uuid[], first_moments bigint[],
  dynamic_link_ids text[], short_link_ids text[], sources text[],
  platforms text[], browsers text[], referrers text[], countries text[], bots text[], qrs text[],
  opened text[], opened_by text[], times text[], moments text[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  batch bigint;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  INSERT INTO click_writers AS kept (id, batch) VALUES (writer, batch_number)
  ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = now() WHERE kept.batch < excluded.batch;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO fresh_click_batches (clicks, first_at, last_at)
  SELECT record_clicks.clicks, to_timestamp(min(moment)::double precision / 1000), to_timestamp(max(moment)::double precision / 1000)
  FROM unnest(first_moments) AS moment
  RETURNING id INTO batch;
  INSERT INTO clicks
    (clicked_at, batch_id, project_id, dynamic_link_ids, short_link_ids, sources,
     platforms, browsers, referrers, countries, bots, qrs, opened, opened_by, times, moments)
  SELECT to_timestamp(given.first_moment::double precision / 1000), batch, given.project_id,
         given.dynamic_link_ids::uuid[], given.short_link_ids::uuid[], given.sources::text[],
         given.platforms::text[], given.browsers::text[], given.referrers::text[], given.countries::text[],
         given.bots::boolean[], given.qrs::boolean[],
         given.opened::smallint[], given.opened_by::smallint[], given.times::smallint[], given.moments::integer[]
  FROM unnest(project_ids, first_moments, dynamic_link_ids, short_link_ids, sources,
              platforms, browsers, referrers, countries, bots, qrs, opened, opened_by, times, moments)
    AS given (project_id, first_moment, dynamic_link_ids, short_link_ids, sources,
              platforms, browsers, referrers, countries, bots, qrs, opened, opened_by, times, moments)
  WHERE EXISTS (SELECT FROM projects WHERE projects.id = given.project_id AND projects.deleted_at IS NULL);
END $$;
COMMENT ON FUNCTION record_clicks IS 'Writes one batch of a process, once: a batch that is written already is not written again. Each array has an element a row of `clicks`, most of which are arrays themselves, as texts. `first_moments` are milliseconds since 1970 (UTC).';

CREATE FUNCTION add_counts(counts integer[], more integer[]) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF counts IS NULL THEN
    RETURN more;
  END IF;
  FOR place IN array_lower(more, 1)..array_upper(more, 1) LOOP
    IF more[place] IS NOT NULL THEN
      counts[place] := coalesce(counts[place], 0) + more[place];
    END IF;
  END LOOP;
  RETURN counts;
END $$;
COMMENT ON FUNCTION add_counts IS 'The sum, place by place.';

CREATE FUNCTION add_count(counts integer[], place integer, clicks bigint) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  counts[place] := coalesce(counts[place], 0) + clicks;
  RETURN counts;
END $$;
CREATE AGGREGATE counts_by_place(place integer, clicks bigint) (SFUNC = add_count, STYPE = integer[]);

CREATE FUNCTION roll_up_clicks(batches integer) RETURNS integer LANGUAGE plpgsql AS $$
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
    -- OFFSET 0: batch by batch, by the index, whatever is known of how many there are.
    FROM taken CROSS JOIN LATERAL (
      SELECT *, date_bin('15 minutes', clicked_at, 'epoch') AS quarter FROM clicks
      WHERE batch_id = taken.id AND clicked_at BETWEEN taken.first_at AND taken.last_at OFFSET 0
    ) AS row CROSS JOIN LATERAL (SELECT unnest(opened) AS what, unnest(opened_by) AS who, unnest(row.times) AS times) AS click
      JOIN unnest(dynamic_link_ids, short_link_ids, sources) WITH ORDINALITY AS link (dynamic_link_id, short_link_id, source, place)
        ON link.place = what
      JOIN unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
        AS visitor (platform, browser, referrer, country, bot, qr, place) ON visitor.place = who
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  ), moment AS MATERIALIZED (
    SELECT *, date_trunc('month', day)::date AS month, extract(day FROM day)::integer AS day_of_month
    FROM (
      SELECT *, (quarter AT TIME ZONE 'UTC')::date AS day,
             1 + extract(epoch FROM (quarter AT TIME ZONE 'UTC')::time)::integer / 900 AS quarter_of_day
      FROM alike
    ) AS dated
  ), counted AS (
    SELECT project_id, scope_id, dimension, month, day, value, day_of_month, quarter_of_day, bot, qr, sum(times::integer) AS clicks
    FROM moment
      CROSS JOIN LATERAL (VALUES (project_id), (dynamic_link_id)) AS scope (scope_id)
      CROSS JOIN LATERAL (VALUES
        ('platform', platform),
        ('browser', coalesce(browser, '')),
        ('referrer', coalesce(referrer, '')),
        ('country', coalesce(country, '')),
        ('link', dynamic_link_id::text),
        ('short_link', coalesce(short_link_id::text, '')),
        ('source', coalesce(source, ''))
      ) AS counted_as (dimension, value)
    WHERE scope_id = project_id OR dimension <> 'link' AND value <> ''
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
  ), added_to_days AS (
    INSERT INTO clicks_by_day AS kept (project_id, scope_id, dimension, month, value, clicks, qr_scans, bots, bot_qr_scans)
    SELECT project_id, scope_id, dimension, month, value,
           counts_by_place(day_of_month, clicks) FILTER (WHERE NOT bot),
           counts_by_place(day_of_month, clicks) FILTER (WHERE NOT bot AND qr),
           counts_by_place(day_of_month, clicks) FILTER (WHERE bot),
           counts_by_place(day_of_month, clicks) FILTER (WHERE bot AND qr)
    FROM counted GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (project_id, scope_id, dimension, month, value) DO UPDATE SET
      clicks = CASE WHEN excluded.clicks IS NULL THEN kept.clicks ELSE add_counts(kept.clicks, excluded.clicks) END,
      qr_scans = CASE WHEN excluded.qr_scans IS NULL THEN kept.qr_scans ELSE add_counts(kept.qr_scans, excluded.qr_scans) END,
      bots = CASE WHEN excluded.bots IS NULL THEN kept.bots ELSE add_counts(kept.bots, excluded.bots) END,
      bot_qr_scans = CASE WHEN excluded.bot_qr_scans IS NULL THEN kept.bot_qr_scans ELSE add_counts(kept.bot_qr_scans, excluded.bot_qr_scans) END
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
COMMENT ON FUNCTION roll_up_clicks IS 'Adds up to so many fresh batches to clicks_by_day and clicks_by_quarter, and tells how many; 0 also while another process does it.';

-- Partitions are made as tables of their own and then attached, and dropped one by one: either holds the table up for a moment
-- only. Both are done as the owner of the tables, so that the service's user need not be: see docs/operating/clicks.md.
CREATE FUNCTION make_click_partitions(days date[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  parent text;
  partition text;
  month date;
BEGIN
  PERFORM pg_advisory_xact_lock(1668049251, 3);
  FOR parent, month IN
    SELECT DISTINCT name, date_trunc('month', day)::date
    FROM unnest(ARRAY['clicks', 'clicks_by_day', 'clicks_by_quarter']) AS name, unnest(days) AS day ORDER BY 2, 1
  LOOP
    partition := parent || to_char(month, '_YYYY_MM');
    CONTINUE WHEN to_regclass(quote_ident(partition)) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)%s', partition, parent,
                   CASE WHEN parent <> 'clicks' THEN ' WITH (fillfactor = 80)' END);
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
    WHERE inhparent IN ('clicks'::regclass, 'clicks_by_day'::regclass, 'clicks_by_quarter'::regclass) AND right(inhrelid::regclass::text, 7) < first_kept
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
  month_begun date;
  month_over date;
  begun_at timestamptz;
  over_at timestamptz;
BEGIN
  SELECT project_id INTO doomed FROM click_purges ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- Rows that are being added to are left for the next time: who waits for nobody is part of no deadlock.
  -- By month: a row's place says nothing of its partition.
  SELECT clicks_by_day.month INTO month_begun FROM clicks_by_day WHERE project_id = doomed LIMIT 1;
  IF FOUND THEN
    DELETE FROM clicks_by_day
    WHERE month = month_begun AND ctid = ANY (ARRAY(
      SELECT ctid FROM clicks_by_day WHERE project_id = doomed AND month = month_begun LIMIT batch FOR UPDATE SKIP LOCKED
    ));
    RETURN true;
  END IF;
  SELECT date_trunc('month', day) INTO month_begun FROM clicks_by_quarter WHERE project_id = doomed LIMIT 1;
  IF FOUND THEN
    month_over := month_begun + interval '1 month';
    DELETE FROM clicks_by_quarter
    WHERE day >= month_begun AND day < month_over AND ctid = ANY (ARRAY(
      SELECT ctid FROM clicks_by_quarter
      WHERE project_id = doomed AND day >= month_begun AND day < month_over LIMIT batch FOR UPDATE SKIP LOCKED
    ));
    RETURN true;
  END IF;
  SELECT date_trunc('month', clicked_at AT TIME ZONE 'UTC') INTO month_begun FROM clicks WHERE project_id = doomed LIMIT 1;
  IF FOUND THEN
    begun_at := month_begun::timestamp AT TIME ZONE 'UTC';
    over_at := (month_begun + interval '1 month') AT TIME ZONE 'UTC';
    DELETE FROM clicks
    WHERE clicked_at >= begun_at AND clicked_at < over_at AND ctid = ANY (ARRAY(
      SELECT ctid FROM clicks WHERE project_id = doomed AND clicked_at >= begun_at AND clicked_at < over_at LIMIT batch
    ));
    RETURN true;
  END IF;
  PERFORM pg_advisory_xact_lock(1668049251, 1);
  IF NOT EXISTS (SELECT FROM clicks_by_day WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM clicks_by_quarter WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM clicks WHERE project_id = doomed) THEN
    DELETE FROM click_purges WHERE project_id = doomed;
  END IF;
  RETURN true;
END $$;
COMMENT ON FUNCTION purge_clicks IS 'Removes the next batch of the clicks of deleted projects; false once there are none, or other processes are at the rest of them. Any number of processes may call it at once.';
