-- Partitions of clicks and sums, and removal of the clicks of deleted projects.

-- Partitions are created as separate tables and then attached, and dropped one by one, because either locks the table for a moment
-- only. Both are done as the owner of the tables, so that the user of the service need not be: see docs/operating/clicks.md. Nobody
-- can make the owner work on tables of another schema, or on temporary ones.
-- Rows of sums change often. Half a page of space for their next versions keeps them on their page, so that no index changes.
CREATE FUNCTION make_click_partitions(days date[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  parent text;
  partition text;
  month date;
BEGIN
  PERFORM pg_advisory_xact_lock(1668049251, 3);
  FOR parent, month IN
    SELECT DISTINCT name, date_trunc('month', day)::date
    FROM unnest(ARRAY['clicks', 'clicks_by_day', 'clicks_by_link', 'clicks_by_quarter']) AS name, unnest(days) AS day ORDER BY 2, 1
  LOOP
    partition := parent || to_char(month, '_YYYY_MM');
    CONTINUE WHEN to_regclass(quote_ident(partition)) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)%s', partition, parent,
                   CASE WHEN parent IN ('clicks_by_day', 'clicks_by_quarter') THEN ' WITH (fillfactor = 50)' END);
    EXECUTE format(CASE parent
      WHEN 'clicks' THEN 'ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (''%s 00:00:00+00'') TO (''%s 00:00:00+00'')'
      ELSE 'ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (''%s'') TO (''%s'')'
    END, parent, partition, month, (month + interval '1 month')::date);
  END LOOP;
END $$;
COMMENT ON FUNCTION make_click_partitions IS 'Creates the partitions that are missing for these days. Any number of processes may call it at once.';
REVOKE EXECUTE ON FUNCTION make_click_partitions FROM PUBLIC;

CREATE FUNCTION drop_click_partitions(months integer) RETURNS text[] LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  first_kept text := to_char(date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => months), 'YYYY_MM');
  partition text;
  dropped text[] := '{}';
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 3) THEN RETURN dropped; END IF;
  FOR partition IN
    SELECT inhrelid::regclass::text FROM pg_inherits
    WHERE inhparent IN ('clicks'::regclass, 'clicks_by_day'::regclass, 'clicks_by_link'::regclass, 'clicks_by_quarter'::regclass)
      AND right(inhrelid::regclass::text, 7) < first_kept
  LOOP
    EXECUTE format('DROP TABLE %s', partition);
    dropped := dropped || partition;
  END LOOP;
  RETURN dropped;
END $$;
COMMENT ON FUNCTION drop_click_partitions IS 'Drops the partitions of all months but the current one and so many before it (UTC, by the clock of the database), and names them. Nothing while another process does.';
REVOKE EXECUTE ON FUNCTION drop_click_partitions FROM PUBLIC;

SELECT make_click_partitions(ARRAY(
  SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => ahead))::date FROM generate_series(0, 2) AS ahead
));

CREATE TABLE click_purges (
  project_id uuid CONSTRAINT click_purges_pkey PRIMARY KEY,
  deleted_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE click_purges IS 'Deleted projects whose clicks are not removed yet.';

CREATE TABLE clickhouse_purges (
  project_id uuid CONSTRAINT clickhouse_purges_pkey PRIMARY KEY,
  deleted_at timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz
);
COMMENT ON TABLE clickhouse_purges IS 'Deleted projects whose clicks may be in ClickHouse. Without ClickHouse nothing reads it, and a row has 40 bytes.';
COMMENT ON COLUMN clickhouse_purges.checked_at IS 'When a process last looked for clicks in ClickHouse. The next one looks ten minutes later in the first hour, and a day later in the week after that.';

-- In the transaction of the deletion: from then on the clicks are on the list, whatever happens to the process.
CREATE FUNCTION purge_clicks_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO click_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  INSERT INTO clickhouse_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER projects_marked_deleted_purge_clicks AFTER UPDATE OF deleted_at ON projects
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION purge_clicks_of_project();
CREATE TRIGGER projects_deleted_purge_clicks AFTER DELETE ON projects
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL) EXECUTE FUNCTION purge_clicks_of_project();

CREATE FUNCTION purge_clicks(batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  doomed uuid;
  sums text;
  month_begun date;
  month_over date;
  begun_at timestamptz;
  over_at timestamptz;
BEGIN
  SELECT project_id INTO doomed FROM click_purges ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  -- Rows that are being added to are left for the next time. A process that waits for nobody is part of no deadlock.
  -- By month, because the place of a row does not identify its partition.
  FOREACH sums IN ARRAY ARRAY['clicks_by_day', 'clicks_by_link'] LOOP
    EXECUTE format('SELECT month FROM %I WHERE project_id = $1 LIMIT 1', sums) INTO month_begun USING doomed;
    CONTINUE WHEN month_begun IS NULL;
    EXECUTE format('DELETE FROM %1$I WHERE month = $2 AND ctid = ANY (ARRAY(
      SELECT ctid FROM %1$I WHERE project_id = $1 AND month = $2 LIMIT $3 FOR UPDATE SKIP LOCKED
    ))', sums) USING doomed, month_begun, batch;
    RETURN true;
  END LOOP;
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
  DELETE FROM app_event_sums WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM app_event_sums WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED
  ));
  IF FOUND THEN RETURN true; END IF;
  DELETE FROM link_totals WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM link_totals WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED
  ));
  IF FOUND THEN RETURN true; END IF;
  PERFORM pg_advisory_xact_lock(1668049251, 1);
  IF NOT EXISTS (SELECT FROM link_totals WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM app_event_sums WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM clicks_by_day WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM clicks_by_link WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM clicks_by_quarter WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM clicks WHERE project_id = doomed) THEN
    DELETE FROM click_purges WHERE project_id = doomed;
  END IF;
  RETURN true;
END $$;
COMMENT ON FUNCTION purge_clicks IS 'Removes the next batch of the clicks, opens and claims of deleted projects; false if no clicks are left, or other processes remove the rest. Any number of processes may call it at once.';
