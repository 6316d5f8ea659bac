-- Regions: databases that receive projects, links and hosts from this one by logical replication, and serve visitors near them.
-- Each database has all of this. A primary uses `regions` and `deferred_link_requests`, and a region the rest. The triggers for a region
-- are created there alone, by create_region_triggers.
-- Codes are small, because tokens of deferred links have four bits for them.
-- squawk-ignore-file prefer-bigint-over-int, prefer-bigint-over-smallint

CREATE TABLE regions (
  code smallint CONSTRAINT regions_pkey PRIMARY KEY CONSTRAINT regions_code_range CHECK (code BETWEEN 1 AND 15),
  name text COLLATE "C" NOT NULL CONSTRAINT regions_name_unique UNIQUE
    CONSTRAINT regions_name_form CHECK (name ~ '^[a-z][a-z0-9_]{0,29}$'),
  writer uuid NOT NULL,
  heartbeat_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE regions IS 'Regions that follow this database. Replicated to them, so that the row of a region there shows how far it has come.';
COMMENT ON COLUMN regions.writer IS 'The region in click_writers.';
COMMENT ON COLUMN regions.heartbeat_at IS 'When the service of the region last had contact, by the clock of the primary.';

CREATE TABLE this_region (
  code smallint CONSTRAINT this_region_pkey PRIMARY KEY,
  name text NOT NULL,
  writer uuid NOT NULL,
  id boolean NOT NULL DEFAULT true CONSTRAINT this_region_single UNIQUE CONSTRAINT this_region_true CHECK (id)
);
COMMENT ON TABLE this_region IS 'One row in the database of a region: its row in regions of the primary. Empty in a primary.';

CREATE FUNCTION replicated_tables() RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY['regions', 'projects', 'subdomains', 'custom_domains', 'ios_apps', 'android_apps', 'dynamic_links', 'short_links', 'link_paths',
               'visitor_keys']
$$;
COMMENT ON FUNCTION replicated_tables IS 'The tables that a region receives: all that visits read. Accounts, people and keys stay in the primary.';

-- More notifications than this in one transaction become one that everything changed, as in a statement of a primary.
-- A request may delete 2,000 links by a filter, with 2,000 paths and 2,000 short links. In a region, each of these rows has a message.
-- With a bound of 1,000 messages, such a request of one project emptied the caches of all projects there.
CREATE FUNCTION announce_replicated(kind text, name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before integer := coalesce(nullif(current_setting('signpost.announced', true), ''), '0');
BEGIN
  PERFORM set_config('signpost.announced', (before + 1)::text, true);
  IF before < 10000 THEN
    PERFORM announce(kind, ARRAY[name]);
  ELSE
    PERFORM pg_notify('signpost_changes', '"everything"');
  END IF;
END $$;
COMMENT ON FUNCTION announce_replicated IS 'Tells all processes of a region, at commit, what changed.';

-- The triggers by statement of a primary do not fire for replicated changes. These do the same by row. Each has a search path, because
-- that of replication is empty.
CREATE FUNCTION announce_replicated_link() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  -- The columns of announce_updated_links.
  IF TG_OP = 'UPDATE' AND
     (OLD.custom_path, OLD.desktop_url, OLD.ios_app_id, OLD.android_app_id, OLD.ios_fallback_url, OLD.android_fallback_url,
      OLD.ios_deferred_deep_link, OLD.social_title, OLD.social_description, OLD.social_image_url, OLD.referrer_params, OLD.title,
      OLD.disabled, OLD.deleted_at, OLD.query_forwarding, OLD.forwarded_params, OLD.external_id, OLD.app_data,
      OLD.variants, OLD.rules, OLD.active_from, OLD.active_until, OLD.expired_url, OLD.conversions, OLD.password_hash, OLD.click_limit, OLD.used_up)
     IS NOT DISTINCT FROM
     (NEW.custom_path, NEW.desktop_url, NEW.ios_app_id, NEW.android_app_id, NEW.ios_fallback_url, NEW.android_fallback_url,
      NEW.ios_deferred_deep_link, NEW.social_title, NEW.social_description, NEW.social_image_url, NEW.referrer_params, NEW.title,
      NEW.disabled, NEW.deleted_at, NEW.query_forwarding, NEW.forwarded_params, NEW.external_id, NEW.app_data,
      NEW.variants, NEW.rules, NEW.active_from, NEW.active_until, NEW.expired_url, NEW.conversions, NEW.password_hash, NEW.click_limit, NEW.used_up) THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL) THEN
    PERFORM announce_replicated('links', OLD.id::text);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION announce_replicated_path() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL) AND (
    OLD.short_link_id IS NULL
    OR NOT EXISTS (SELECT FROM dynamic_links WHERE id = OLD.dynamic_link_id AND deleted_at IS NOT NULL)
  ) THEN
    PERFORM announce_replicated('paths', OLD.project_id || '/' || OLD.path);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION announce_replicated_app() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  changed uuid := CASE WHEN TG_OP = 'INSERT' THEN NEW.project_id ELSE OLD.project_id END;
BEGIN
  IF EXISTS (SELECT FROM projects WHERE id = changed AND deleted_at IS NULL) THEN
    PERFORM announce_replicated('projects', changed::text);
  END IF;
  RETURN NULL;
END $$;

-- Deferred links of a deleted project are in this region alone, so they are purged here. So are its clicks. A region that is
-- behind writes clicks of a project that its primary has deleted, too late for the purge there.
CREATE FUNCTION announce_replicated_project() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.deleted_at IS NULL AND (TG_OP = 'DELETE' OR NEW.deleted_at IS NOT NULL) THEN
    INSERT INTO click_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
    INSERT INTO clickhouse_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  END IF;
  -- The columns of announce_updated_projects.
  IF (TG_OP = 'DELETE' AND OLD.deleted_at IS NULL)
     OR (TG_OP = 'UPDATE' AND
         (OLD.subdomain, OLD.deleted_at, OLD.long_link_destinations, OLD.root_url, OLD.not_found_url, OLD.query_forwarding,
          OLD.forwarded_params, OLD.expired_url, OLD.conversions, OLD.click_id_param)
         IS DISTINCT FROM
         (NEW.subdomain, NEW.deleted_at, NEW.long_link_destinations, NEW.root_url, NEW.not_found_url, NEW.query_forwarding,
          NEW.forwarded_params, NEW.expired_url, NEW.conversions, NEW.click_id_param)) THEN
    PERFORM announce_replicated('projects', OLD.id::text);
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION announce_replicated_subdomain() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.project_id IS NOT NULL THEN
    PERFORM announce_replicated('projects', OLD.project_id::text);
  END IF;
  RETURN NULL;
END $$;

-- A rebuilt region inserts domains that are already verified and active. Cached data of their projects has the former host.
CREATE FUNCTION announce_replicated_domain() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.verified_at IS NOT NULL THEN
      PERFORM announce_replicated('hosts', NEW.hostname), announce_replicated('projects', NEW.project_id::text);
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF OLD.verified_at IS NOT NULL THEN
      PERFORM announce_replicated('hosts', OLD.hostname), announce_replicated('projects', OLD.project_id::text);
    END IF;
  ELSIF (OLD.hostname, OLD.project_id, OLD.verified_at IS NULL, OLD.active, OLD.open_host)
    IS DISTINCT FROM (NEW.hostname, NEW.project_id, NEW.verified_at IS NULL, NEW.active, NEW.open_host) THEN
    PERFORM announce_replicated('hosts', OLD.hostname), announce_replicated('hosts', NEW.hostname),
            announce_replicated('projects', OLD.project_id::text);
  END IF;
  RETURN NULL;
END $$;

-- A migration that inserts rows runs in the primary too. Its rows arrive from there, and would conflict with those of the region.
CREATE FUNCTION skip_replicated_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN NULL;
END $$;
COMMENT ON FUNCTION skip_replicated_row IS 'Makes sure that only the primary inserts into a replicated table.';

CREATE FUNCTION create_region_triggers() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  place record;
BEGIN
  FOR place IN
    SELECT * FROM (VALUES
      ('projects', 'UPDATE OR DELETE', 'announce_replicated_project'),
      ('subdomains', 'DELETE', 'announce_replicated_subdomain'),
      ('custom_domains', 'INSERT OR UPDATE OR DELETE', 'announce_replicated_domain'),
      ('ios_apps', 'INSERT OR UPDATE OR DELETE', 'announce_replicated_app'),
      ('android_apps', 'INSERT OR UPDATE OR DELETE', 'announce_replicated_app'),
      ('dynamic_links', 'UPDATE OR DELETE', 'announce_replicated_link'),
      ('link_paths', 'UPDATE OR DELETE', 'announce_replicated_path')
    ) AS announced (name, events, function)
  LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER announced_in_region AFTER %s ON %I FOR EACH ROW EXECUTE FUNCTION %I()',
                   place.events, place.name, place.function);
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER announced_in_region', place.name);
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', place.name, place.name || '_truncated_announced');
  END LOOP;
  FOR place IN SELECT unnest(replicated_tables()) AS name LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER inserted_by_primary_only BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION skip_replicated_row()',
                   place.name);
  END LOOP;
END $$;
COMMENT ON FUNCTION create_region_triggers IS 'Creates the triggers of a region, once or again.';

CREATE TABLE click_deliveries (
  number bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT click_deliveries_pkey PRIMARY KEY,
  delivered_at timestamptz,
  clicks integer NOT NULL,
  project_ids uuid[] NOT NULL,
  first_moments bigint[] NOT NULL,
  dynamic_link_ids text[] NOT NULL,
  short_link_ids text[] NOT NULL,
  sources text[] NOT NULL,
  platforms text[] NOT NULL,
  browsers text[] NOT NULL,
  referrers text[] NOT NULL,
  countries text[] NOT NULL,
  bots text[] NOT NULL,
  qrs text[] NOT NULL,
  opened text[] NOT NULL,
  opened_by text[] NOT NULL,
  times text[] NOT NULL,
  moments text[] NOT NULL
);
COMMENT ON TABLE click_deliveries IS 'Clicks of a region on their way to the primary, by quarter of an hour. The columns are the parameters of record_clicks. The primary has all deliveries up to the batch of the region in click_writers. Those that it has are kept for an hour, because a failover of the primary may lose its last transactions.';

CREATE FUNCTION make_click_delivery(most_clicks integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  taken bigint[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 2) THEN RETURN 0; END IF;
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  SELECT array_agg(id ORDER BY id) INTO taken FROM (
    SELECT id, sum(clicks) OVER (ORDER BY id) - clicks AS clicks_before FROM fresh_click_batches ORDER BY id LIMIT 1000
  ) AS batch WHERE clicks_before < most_clicks;
  INSERT INTO click_deliveries
    (clicks, project_ids, first_moments, dynamic_link_ids, short_link_ids, sources,
     platforms, browsers, referrers, countries, bots, qrs, opened, opened_by, times, moments)
  SELECT sum(cardinality(moments)), array_agg(project_id),
         array_agg((extract(epoch FROM date_bin('15 minutes', clicked_at, 'epoch')) * 1000)::bigint),
         array_agg(dynamic_link_ids::text), array_agg(short_link_ids::text), array_agg(sources::text),
         array_agg(platforms::text), array_agg(browsers::text), array_agg(referrers::text), array_agg(countries::text),
         array_agg(bots::text), array_agg(qrs::text), array_agg(opened::text), array_agg(opened_by::text), array_agg(times::text),
         array_agg(array_fill(0, ARRAY[cardinality(moments)])::text)
  FROM fresh_click_batches AS batch CROSS JOIN LATERAL (
    -- OFFSET 0 makes the planner read batch by batch from the index.
    SELECT * FROM clicks WHERE batch_id = batch.id AND clicked_at BETWEEN batch.first_at AND batch.last_at OFFSET 0
  ) AS row
  WHERE batch.id = ANY (taken)
  HAVING count(*) > 0;
  DELETE FROM fresh_click_batches WHERE id = ANY (taken);
  RETURN coalesce(cardinality(taken), 0);
END $$;
COMMENT ON FUNCTION make_click_delivery IS 'Makes one delivery of the oldest fresh batches, up to so many clicks or one batch. Returns the number of batches; 0 if none are fresh, or while another process does it.';

-- The database of a region that was restored, or a standby that took over, can be older than its last delivery of clicks. It would give
-- the numbers of earlier deliveries again, and the primary ignores a number that it has.
-- A user who is not the owner may not change a sequence, so it runs as the owner.
CREATE FUNCTION skip_click_deliveries(last bigint) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  numbers regclass := pg_get_serial_sequence('click_deliveries', 'number');
BEGIN
  IF last <= coalesce(pg_sequence_last_value(numbers), 0) THEN RETURN false; END IF;
  -- Held by each delivery while it is made.
  PERFORM pg_advisory_xact_lock(1668049251, 2);
  PERFORM setval(numbers, greatest(last, coalesce(pg_sequence_last_value(numbers), 0)));
  RETURN true;
END $$;
COMMENT ON FUNCTION skip_click_deliveries IS 'Makes sure that the next delivery has a larger number than the last one that the primary has. Returns whether numbers were left out.';
REVOKE EXECUTE ON FUNCTION skip_click_deliveries FROM PUBLIC;

CREATE FUNCTION purge_region(batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM deferred_links WHERE token_digest IN (
    SELECT token_digest FROM click_purges JOIN deferred_links USING (project_id) LIMIT batch FOR UPDATE OF deferred_links SKIP LOCKED
  );
  RETURN FOUND OR purge_clicks(batch);
END $$;
COMMENT ON FUNCTION purge_region IS 'Removes the next batch of the deferred links and clicks of deleted projects in a region; false once none are left for this process.';

CREATE TABLE deferred_link_requests (
  token_digest bytea CONSTRAINT deferred_link_requests_pkey PRIMARY KEY,
  region smallint NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  answered_at timestamptz,
  expires_at timestamptz
);
COMMENT ON TABLE deferred_link_requests IS 'Tokens that were claimed outside their region. The region answers: it moves the token to deferred_links of the primary, or has none.';
COMMENT ON COLUMN deferred_link_requests.expires_at IS 'When the moved token expires; null if none was moved. The row stays until then, so that the token is moved once.';
CREATE INDEX deferred_link_requests_open ON deferred_link_requests (region) WHERE answered_at IS NULL;
CREATE INDEX deferred_link_requests_by_end ON deferred_link_requests (coalesce(expires_at, requested_at));

-- Any text in the form of a token can name a region. Claims of random tokens could ask a region for more than it answers. A region
-- takes 100 tokens at each contact, about once a second, and a claim waits for three seconds. More open requests than about
-- 300 would only wait in vain. A claim that finds no place asks again until its time is over.
CREATE FUNCTION request_deferred_link(digest bytea, region_code integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  request deferred_link_requests%ROWTYPE;
BEGIN
  IF NOT EXISTS (SELECT FROM regions WHERE code = region_code) THEN RETURN 'none'; END IF;
  SELECT * INTO request FROM deferred_link_requests WHERE token_digest = digest;
  IF request.expires_at IS NOT NULL THEN RETURN 'moved'; END IF;
  -- A token can be claimed before its region has written it, so a region that had none is asked again later.
  IF request.answered_at >= now() - interval '5 seconds' THEN RETURN 'none'; END IF;
  IF (request.token_digest IS NULL OR request.answered_at IS NOT NULL)
     AND NOT EXISTS (SELECT FROM deferred_link_requests AS asked WHERE asked.region = region_code AND asked.answered_at IS NULL OFFSET 299)
  THEN
    INSERT INTO deferred_link_requests AS stored (token_digest, region) VALUES (digest, region_code)
    ON CONFLICT (token_digest) DO UPDATE SET requested_at = now(), answered_at = NULL
      WHERE stored.expires_at IS NULL AND stored.answered_at < now() - interval '5 seconds';
  END IF;
  RETURN 'open';
END $$;
COMMENT ON FUNCTION request_deferred_link IS 'Asks a region for a token, unless about 300 tokens wait for its answer. Returns open until the region has answered, and then moved or none.';

CREATE FUNCTION receive_deferred_links(
  region_code integer, digests bytea[], project_ids uuid[], dynamic_link_ids uuid[], clicked_ats timestamptz[], expires_ats timestamptz[],
  browsers text[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH input AS MATERIALIZED (
    SELECT * FROM unnest(digests, project_ids, dynamic_link_ids, clicked_ats, expires_ats, browsers)
      AS input (token_digest, project_id, dynamic_link_id, clicked_at, expires_at, browser)
  ), moved AS (
    INSERT INTO deferred_link_requests AS stored (token_digest, region, answered_at, expires_at)
    SELECT token_digest, region_code, now(), expires_at FROM input ORDER BY token_digest
    ON CONFLICT (token_digest) DO UPDATE SET answered_at = now(), expires_at = excluded.expires_at WHERE stored.expires_at IS NULL
    RETURNING stored.token_digest
  )
  INSERT INTO deferred_links (token_digest, project_id, dynamic_link_id, clicked_at, expires_at, browser)
  SELECT input.token_digest, input.project_id, input.dynamic_link_id, input.clicked_at, input.expires_at, input.browser
  FROM input JOIN moved USING (token_digest) JOIN projects ON projects.id = input.project_id AND projects.deleted_at IS NULL
  ON CONFLICT DO NOTHING;
END $$;
COMMENT ON FUNCTION receive_deferred_links IS 'Moves tokens of a region to the primary. A token is moved once, however often it is sent.';

CREATE FUNCTION contact_primary(region_code integer, region_writer uuid)
RETURNS TABLE (contacted_at timestamptz, last_delivery bigint, requested_tokens bytea[]) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE regions SET heartbeat_at = clock_timestamp()
  WHERE code = region_code AND writer = region_writer AND heartbeat_at < clock_timestamp() - interval '0.9 seconds';
  RETURN QUERY
  SELECT clock_timestamp(), coalesce((SELECT batch FROM click_writers WHERE id = region_writer), 0),
         ARRAY(SELECT token_digest FROM deferred_link_requests AS asked
               WHERE asked.region = region_code AND asked.answered_at IS NULL ORDER BY requested_at, token_digest LIMIT 100)
  FROM regions WHERE code = region_code AND writer = region_writer;
END $$;
COMMENT ON FUNCTION contact_primary IS 'Called by each region about once a second, in the primary. Returns the clock, the last delivery of clicks and the tokens that others asked for first; no row if the region was removed.';
