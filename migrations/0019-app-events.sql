-- Opens of apps by links, claims of deferred links, and the steps through a store, summed by quarter of an hour. An app repeats a
-- request whose answer was lost, so each event has an id. Its digest is kept for a week, and counts once.
-- squawk-ignore-file prefer-bigint-over-int

CREATE TABLE app_event_ids (
  digest bytea CONSTRAINT app_event_ids_pkey PRIMARY KEY,
  seen_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE app_event_ids IS 'SHA-256 of the ids of events that are counted, for a week.';
CREATE INDEX app_event_ids_by_age ON app_event_ids (seen_at);

CREATE TABLE app_event_sums (
  project_id uuid NOT NULL,
  quarter timestamptz(0) NOT NULL,
  dynamic_link_id uuid NOT NULL,
  event text COLLATE "C" NOT NULL CONSTRAINT app_event_sums_event_known CHECK (event IN (
    'open', 'claim', 'shown', 'copied', 'store', 'first_open', 'claimed', 'none', 'declined', 'expired', 'used', 'offline_later'
  )),
  platform text COLLATE "C" NOT NULL CONSTRAINT app_event_sums_platform_known CHECK (platform IN ('ios', 'android')),
  version text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  browser text COLLATE "C" NOT NULL,
  times integer NOT NULL,
  CONSTRAINT app_event_sums_pkey PRIMARY KEY (project_id, quarter, dynamic_link_id, event, platform, version, country, browser)
);
COMMENT ON TABLE app_event_sums IS 'Events in a quarter of an hour (UTC) that are alike. No foreign keys, as in clicks.';
COMMENT ON COLUMN app_event_sums.dynamic_link_id IS 'The id of long links if a first launch had no link.';
COMMENT ON COLUMN app_event_sums.event IS 'A page with a token was shown, the token copied, the store opened; the app was opened first, and the outcome of that launch.';
COMMENT ON COLUMN app_event_sums.version IS 'Of the app. Empty if unknown, and for claims and steps before the app. An asterisk for versions beyond the limit of a project.';
COMMENT ON COLUMN app_event_sums.country IS 'Two letters, as a trusted proxy stated it; empty if unknown, and for steps through a store.';
COMMENT ON COLUMN app_event_sums.browser IS 'The app in whose browser the link was opened; empty for others, and for opens and claims.';
CREATE INDEX app_event_sums_by_link ON app_event_sums (dynamic_link_id, quarter);
CREATE INDEX app_event_sums_by_age ON app_event_sums (quarter);

CREATE TABLE app_event_deliveries (
  digest bytea CONSTRAINT app_event_deliveries_pkey PRIMARY KEY,
  event text NOT NULL,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  happened_at timestamptz NOT NULL,
  platform text NOT NULL,
  version text NOT NULL,
  country text NOT NULL,
  browser text NOT NULL,
  delivered_at timestamptz
);
COMMENT ON TABLE app_event_deliveries IS 'Events of a region on their way to its primary. They are delivered twice, an hour apart, because a failover of the primary may lose its last transactions. They count once, by their digest.';
CREATE INDEX app_event_deliveries_by_delivery ON app_event_deliveries (delivered_at);

CREATE FUNCTION record_app_events(
  digests bytea[], events text[], project_ids uuid[], dynamic_link_ids uuid[], moments timestamptz[],
  platforms text[], versions text[], countries text[], browsers text[], are_new boolean DEFAULT false
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM this_region) THEN
    INSERT INTO app_event_deliveries
    SELECT * FROM unnest(digests, events, project_ids, dynamic_link_ids, moments, platforms, versions, countries, browsers)
    ON CONFLICT DO NOTHING;
    RETURN;
  END IF;
  -- Excludes the end of the purge of a deleted project, like batches of clicks.
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  -- Rows are locked in order, so that batches of several processes cause no deadlock.
  WITH input AS MATERIALIZED (
    SELECT DISTINCT ON (digest) *
    FROM unnest(digests, events, project_ids, dynamic_link_ids, moments, platforms, versions, countries, browsers)
      AS input (digest, event, project_id, dynamic_link_id, happened_at, platform, version, country, browser)
    ORDER BY digest
  ), added AS (
    INSERT INTO app_event_ids (digest) SELECT digest FROM input WHERE NOT are_new ORDER BY digest ON CONFLICT DO NOTHING RETURNING digest
  )
  INSERT INTO app_event_sums AS sums (project_id, quarter, dynamic_link_id, event, platform, version, country, browser, times)
  SELECT project_id, date_bin('15 minutes', happened_at, 'epoch'), dynamic_link_id, event, platform, version, country, browser, count(*)
  FROM input LEFT JOIN added USING (digest) JOIN projects ON projects.id = project_id AND projects.deleted_at IS NULL
  WHERE are_new OR added.digest IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
  ON CONFLICT (project_id, quarter, dynamic_link_id, event, platform, version, country, browser)
    DO UPDATE SET times = sums.times + excluded.times;
END $$;
COMMENT ON FUNCTION record_app_events IS 'Counts events once each, by their digests. In a region, it keeps them for the primary. Each array has an element per event. Events that the same statement creates are new, so their ids are not kept.';

CREATE FUNCTION purge_app_events(retention_months integer, batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  removed bigint;
BEGIN
  DELETE FROM app_event_ids WHERE digest IN (
    SELECT digest FROM app_event_ids WHERE seen_at < now() - interval '7 days' ORDER BY seen_at LIMIT batch FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS removed = ROW_COUNT;
  DELETE FROM app_event_sums WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM app_event_sums
    WHERE quarter < date_trunc('month', now(), 'UTC') - make_interval(months => retention_months) LIMIT batch FOR UPDATE SKIP LOCKED
  ));
  RETURN FOUND OR removed > 0;
END $$;
COMMENT ON FUNCTION purge_app_events IS 'Removes the next batch of ids after a week, and of sums after so many whole months; false if none remain.';
