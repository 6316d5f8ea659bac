-- Opens of apps, claims of deferred links, clicks on variants and steps through a store, summed by quarter of an hour. An app repeats a request whose answer was lost, so each event has an id. Its digest is kept for a week, and counts once.
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
    'open', 'claim', 'click', 'shown', 'copied', 'store', 'first_open', 'claimed', 'none', 'declined', 'expired', 'used', 'offline_later'
  )),
  platform text COLLATE "C" NOT NULL CONSTRAINT app_event_sums_platform_known CHECK (platform IN ('ios', 'android', 'desktop')),
  version text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  variant text COLLATE "C" NOT NULL,
  browser text COLLATE "C" NOT NULL,
  times integer NOT NULL,
  CONSTRAINT app_event_sums_pkey PRIMARY KEY (project_id, quarter, dynamic_link_id, event, platform, version, country, variant, browser)
);
COMMENT ON TABLE app_event_sums IS 'Events in a quarter of an hour (UTC) that are alike. No foreign keys, as in clicks.';
COMMENT ON COLUMN app_event_sums.dynamic_link_id IS 'The id of long links if a first launch had no link.';
COMMENT ON COLUMN app_event_sums.event IS 'A page with a token was shown, the token copied, the store opened; the app was opened first, and the outcome of that launch. A click is counted here only if it leads to a variant. The click store counts it, too.';
COMMENT ON COLUMN app_event_sums.version IS 'Of the app. Empty if unknown, and for claims, clicks and steps before the app. An asterisk for versions beyond the limit of a project.';
COMMENT ON COLUMN app_event_sums.country IS 'Two letters, as a trusted proxy stated it; empty if unknown, and for clicks and steps through a store.';
COMMENT ON COLUMN app_event_sums.variant IS 'Name of the variant of the link or of its rule; empty without one.';
COMMENT ON COLUMN app_event_sums.browser IS 'The app in whose browser the link was opened; empty for others, and for opens, claims and clicks.';
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
  variant text NOT NULL,
  browser text NOT NULL,
  times integer NOT NULL,
  delivered_at timestamptz
);
COMMENT ON TABLE app_event_deliveries IS 'Events of a region on their way to its primary. They are delivered twice, an hour apart, because a failover of the primary may lose its last transactions. They count once, by their digest.';
CREATE INDEX app_event_deliveries_by_delivery ON app_event_deliveries (delivered_at);

CREATE FUNCTION record_app_events(
  digests bytea[], events text[], project_ids uuid[], dynamic_link_ids uuid[], moments timestamptz[],
  platforms text[], versions text[], countries text[], variants text[], browsers text[], counts integer[], are_new boolean DEFAULT false
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  new_counts link_count[];
BEGIN
  IF EXISTS (SELECT FROM this_region) THEN
    INSERT INTO app_event_deliveries
    SELECT *
    FROM unnest(digests, events, project_ids, dynamic_link_ids, moments, platforms, versions, countries, variants, browsers, counts)
    ON CONFLICT DO NOTHING;
    RETURN;
  END IF;
  -- Excludes the end of the purge of a deleted project, like batches of clicks.
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  -- Makes the creation of an endpoint wait, so that its totals include all events before it.
  PERFORM pg_advisory_xact_lock_shared(1668049251, 7);
  -- Rows are locked in order, so that batches of several processes cause no deadlock.
  WITH input AS MATERIALIZED (
    SELECT DISTINCT ON (digest) *
    FROM unnest(digests, events, project_ids, dynamic_link_ids, moments, platforms, versions, countries, variants, browsers, counts)
      AS input (digest, event, project_id, dynamic_link_id, happened_at, platform, version, country, variant, browser, times)
    ORDER BY digest
  ), added AS (
    INSERT INTO app_event_ids (digest) SELECT digest FROM input WHERE NOT are_new ORDER BY digest ON CONFLICT DO NOTHING RETURNING digest
  ), counted AS MATERIALIZED (
    SELECT project_id, date_bin('15 minutes', happened_at, 'epoch') AS quarter, dynamic_link_id, event, platform, version, country, variant,
           browser, sum(times) AS times
    FROM input LEFT JOIN added USING (digest) JOIN projects ON projects.id = project_id AND projects.deleted_at IS NULL
    WHERE are_new OR added.digest IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
  ), stored AS (
    INSERT INTO app_event_sums AS sums (project_id, quarter, dynamic_link_id, event, platform, version, country, variant, browser, times)
    SELECT * FROM counted ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ON CONFLICT (project_id, quarter, dynamic_link_id, event, platform, version, country, variant, browser)
      DO UPDATE SET times = sums.times + excluded.times
  )
  SELECT array_agg((project_id, dynamic_link_id, event, times)::link_count) INTO new_counts FROM (
    SELECT project_id, dynamic_link_id, event, sum(times) AS times FROM counted WHERE event IN ('open', 'claim') GROUP BY 1, 2, 3
  ) AS link;
  -- Most accounts have no endpoint, and pay for this look alone.
  IF new_counts IS NOT NULL AND EXISTS (
    SELECT FROM projects JOIN webhook_endpoints USING (account_id) WHERE projects.id = ANY (project_ids)
  ) THEN
    PERFORM count_link_events(new_counts);
  END IF;
END $$;
COMMENT ON FUNCTION record_app_events IS 'Counts events by their digests, so that a repeated one counts once. In a region, it keeps them for the primary. Each array has an element per event, or per group of equal clicks. Events that the same statement creates are new, so their ids are not kept.';

CREATE TABLE visitor_keys (
  day date CONSTRAINT visitor_keys_pkey PRIMARY KEY,
  key bytea NOT NULL DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
);
COMMENT ON TABLE visitor_keys IS 'Random keys of today and tomorrow (UTC). Visitors get the same variant for a day by a keyed hash of their address, which is stored nowhere.';

-- The key of tomorrow exists before midnight, so that regions have it in time. Triggers of a region skip the insertion.
CREATE FUNCTION renew_visitor_keys() RETURNS void LANGUAGE sql AS $$
  DELETE FROM visitor_keys WHERE day < (now() AT TIME ZONE 'UTC')::date;
  INSERT INTO visitor_keys (day) SELECT (now() AT TIME ZONE 'UTC')::date + ahead FROM generate_series(0, 1) AS ahead
  WHERE (SELECT count(*) FROM visitor_keys) < 2 ON CONFLICT DO NOTHING;
$$;
COMMENT ON FUNCTION renew_visitor_keys IS 'Removes the keys of days that are over, and creates those that are missing.';

CREATE FUNCTION visitor_key() RETURNS TABLE (visitor_key bytea, remaining_ms integer) LANGUAGE plpgsql AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
BEGIN
  IF NOT EXISTS (SELECT FROM visitor_keys WHERE day = today) THEN PERFORM renew_visitor_keys(); END IF;
  RETURN QUERY
  SELECT key, ceil(1000 * extract(epoch FROM (today + 1)::timestamp - now() AT TIME ZONE 'UTC'))::integer FROM visitor_keys WHERE day = today;
END $$;
COMMENT ON FUNCTION visitor_key IS 'The key of today, and the milliseconds until the day is over. No row in a region that has not received the key yet.';

CREATE FUNCTION purge_app_events(retention_months integer, batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  removed bigint;
BEGIN
  PERFORM renew_visitor_keys();
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
COMMENT ON FUNCTION purge_app_events IS 'Removes visitor keys after their day, and a batch of ids after a week and of sums after so many whole months. False if none remain.';
