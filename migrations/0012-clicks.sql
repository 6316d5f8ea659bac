-- Clicks, month by month, as processes write them.
--
-- A process writes its clicks in batches into `clicks`. Batches that are not summed up yet are in `fresh_click_batches`: one process at
-- a time adds them to the sums (0013). A reader adds the sums and the fresh batches up in one statement, which sees each click
-- in one of the two.
-- squawk-ignore-file prefer-bigint-over-int, prefer-bigint-over-smallint

CREATE TABLE fresh_click_batches (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT fresh_click_batches_pkey PRIMARY KEY,
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
  -- A batch has fewer than 32,768 clicks, and a quarter of an hour less than a million milliseconds.
  opened smallint[] NOT NULL,
  opened_by smallint[] NOT NULL,
  times smallint[] NOT NULL,
  moments integer[] NOT NULL,
  -- A process that writes both stores sets it in the transaction of its batch.
  mirrored boolean DEFAULT current_setting('signpost.mirrors_clicks', true) = 'on'
) PARTITION BY RANGE (clicked_at);
COMMENT ON TABLE clicks IS 'Visits of links, in partitions by month (UTC) that the service makes and drops. A row has those of one batch, one project and one quarter of an hour (UTC); single_clicks shows them one by one. No foreign keys: each check of one would lock the row of a link that thousands are opening.';
COMMENT ON COLUMN clicks.clicked_at IS 'The moment that `moments` are counted from.';
COMMENT ON COLUMN clicks.dynamic_link_ids IS 'The opened links. This array, `short_link_ids` and `sources` have the same places. Each of the arrays but this one is null where no place of it would hold anything.';
COMMENT ON COLUMN clicks.short_link_ids IS 'The short link that was used; null for the custom path.';
COMMENT ON COLUMN clicks.sources IS 'Of that short link.';
COMMENT ON COLUMN clicks.platforms IS 'Who opened it: this array, `browsers`, `referrers`, `countries`, `bots` and `qrs` have the same places. Each of the arrays but this one is null where no place of it would hold anything, or all are false.';
COMMENT ON COLUMN clicks.referrers IS 'The host alone, in lower case.';
COMMENT ON COLUMN clicks.countries IS 'Two letters, as a trusted proxy stated it.';
COMMENT ON COLUMN clicks.opened IS 'The place of the opened link in `dynamic_link_ids`. This array, `opened_by` and `times` have an element for all clicks that are alike but for the moment.';
COMMENT ON COLUMN clicks.opened_by IS 'Who opened it: the place in `platforms`.';
COMMENT ON COLUMN clicks.times IS 'How many clicks they are.';
COMMENT ON COLUMN clicks.moments IS 'When each click was made: milliseconds after `clicked_at`, or before. First those of the first element of `times`, and so on.';
COMMENT ON COLUMN clicks.mirrored IS 'Whether ClickHouse has these clicks from the process that made them. Null for no.';
-- Ids do not get smaller by compression.
ALTER TABLE clicks ALTER COLUMN dynamic_link_ids SET STORAGE EXTERNAL, ALTER COLUMN short_link_ids SET STORAGE EXTERNAL;
CREATE INDEX clicks_by_batch ON clicks (batch_id, project_id);
CREATE INDEX clicks_in_order ON clicks (project_id, clicked_at);

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
COMMENT ON VIEW single_clicks IS 'A row per click, for inspection. Without a condition on project_id or batch_id, it is slow, because it reads all rows of `clicks`.';

CREATE TABLE click_writers (
  id uuid CONSTRAINT click_writers_pkey PRIMARY KEY,
  batch bigint NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE click_writers IS 'Processes that write clicks, and the last batch that each has written. A batch whose answer was lost is sent again, and must not count twice.';

-- Advisory locks, by the letters "clic" (1668049251) and a number. 1: shared by processes that add clicks, and
-- exclusive for the one that has removed the last clicks of a deleted project. A batch that began before the deletion cannot end
-- after the purge. 2: the process that rolls up. 3: the process that makes or drops partitions. Each is taken by a separate statement
-- before the one that reads, which then sees all that was committed during the wait.

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
  INSERT INTO click_writers AS stored (id, batch) VALUES (writer, batch_number)
  ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = now() WHERE stored.batch < excluded.batch;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO fresh_click_batches (clicks, first_at, last_at)
  SELECT record_clicks.clicks, to_timestamp(min(moment)::double precision / 1000), to_timestamp(max(moment)::double precision / 1000)
  FROM unnest(first_moments) AS moment
  RETURNING id INTO batch;
  INSERT INTO clicks
    (clicked_at, batch_id, project_id, dynamic_link_ids, short_link_ids, sources,
     platforms, browsers, referrers, countries, bots, qrs, opened, opened_by, times, moments)
  SELECT to_timestamp(input.first_moment::double precision / 1000), batch, input.project_id,
         input.dynamic_link_ids::uuid[], input.short_link_ids::uuid[], input.sources::text[],
         input.platforms::text[], input.browsers::text[], input.referrers::text[], input.countries::text[],
         input.bots::boolean[], input.qrs::boolean[],
         input.opened::smallint[], input.opened_by::smallint[], input.times::smallint[], input.moments::integer[]
  FROM unnest(project_ids, first_moments, dynamic_link_ids, short_link_ids, sources,
              platforms, browsers, referrers, countries, bots, qrs, opened, opened_by, times, moments)
    AS input (project_id, first_moment, dynamic_link_ids, short_link_ids, sources,
              platforms, browsers, referrers, countries, bots, qrs, opened, opened_by, times, moments)
  WHERE EXISTS (SELECT FROM projects WHERE projects.id = input.project_id AND projects.deleted_at IS NULL);
END $$;
COMMENT ON FUNCTION record_clicks IS 'Writes one batch of a process, once: a batch that is written already is not written again. Each array has an element a row of `clicks`, most of which are arrays themselves, as texts. `first_moments` are milliseconds since 1970 (UTC).';
