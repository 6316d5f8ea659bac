-- Ways out of in-app browsers, as visits measure them for the whole service. No project, link, address or moment of a visit is kept.
-- squawk-ignore-file prefer-bigint-over-int

CREATE TABLE browser_escape_counts (
  app text COLLATE "C" NOT NULL,
  platform text COLLATE "C" NOT NULL CONSTRAINT browser_escape_counts_platform_known CHECK (platform IN ('ios', 'android')),
  app_version integer NOT NULL,
  system_version integer NOT NULL,
  way text COLLATE "C" NOT NULL,
  offers double precision NOT NULL,
  arrivals double precision NOT NULL,
  since_arrival integer NOT NULL,
  counted_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT browser_escape_counts_pkey PRIMARY KEY (app, platform, app_version, system_version, way)
);
COMMENT ON TABLE browser_escape_counts IS 'Recent offers and arrivals of ways out of in-app browsers. Each database of a region has its own.';
COMMENT ON COLUMN browser_escape_counts.app_version IS 'Major version; 0 if it is unknown. With 0 in both columns, all versions together.';
COMMENT ON COLUMN browser_escape_counts.since_arrival IS 'Offers since the last arrival.';
COMMENT ON COLUMN browser_escape_counts.offers IS 'Reduced to half, together with arrivals, when 400 are reached; for all versions together when 4,000 are.';

-- Visitors choose their user agents, so there are at most 5,000 rows. Those of versions with the fewest offers are deleted for further ones.
CREATE FUNCTION count_browser_escapes(
  apps text[], platforms text[], app_versions integer[], system_versions integer[], ways text[], offered integer[], arrived integer[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  surplus bigint;
BEGIN
  -- Rows are locked in order, so that batches of several processes cause no deadlock.
  WITH input AS (
    SELECT * FROM unnest(apps, platforms, app_versions, system_versions, ways, offered, arrived)
      AS input (app, platform, app_version, system_version, way, offers, arrivals)
  ), added AS (
    SELECT app, platform, 0 AS app_version, 0 AS system_version, way, offers, arrivals FROM input
    UNION ALL
    SELECT * FROM input WHERE (app_version, system_version) <> (0, 0)
  )
  INSERT INTO browser_escape_counts AS counts (app, platform, app_version, system_version, way, offers, arrivals, since_arrival)
  SELECT app, platform, app_version, system_version, way, sum(offers), sum(arrivals), CASE WHEN sum(arrivals) > 0 THEN 0 ELSE sum(offers) END
  FROM added
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (app, platform, app_version, system_version, way) DO UPDATE
    SET offers = counts.offers + excluded.offers, arrivals = counts.arrivals + excluded.arrivals, counted_at = now(),
        since_arrival = CASE WHEN excluded.arrivals > 0 THEN 0 ELSE least(counts.since_arrival + excluded.since_arrival, 1000000) END;
  -- Only rows that this transaction has locked are so large.
  UPDATE browser_escape_counts SET arrivals = arrivals * 200 / offers, offers = 200
  WHERE offers >= 400 AND (app_version, system_version) <> (0, 0);
  UPDATE browser_escape_counts SET arrivals = arrivals * 2000 / offers, offers = 2000 WHERE offers >= 4000;
  -- Last, because others wait for the rows above: a deletion waits for nobody.
  DELETE FROM browser_escape_counts WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM browser_escape_counts WHERE counted_at < now() - interval '7 days' FOR UPDATE SKIP LOCKED
  ));
  SELECT count(*) - 5000 INTO surplus FROM browser_escape_counts;
  IF surplus > 0 THEN
    DELETE FROM browser_escape_counts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM browser_escape_counts WHERE (app_version, system_version) <> (0, 0)
      ORDER BY offers, counted_at LIMIT surplus + 500 FOR UPDATE SKIP LOCKED
    ));
  END IF;
END $$;
COMMENT ON FUNCTION count_browser_escapes IS 'Adds offers and arrivals of ways to their versions and to all versions together. Each array has an element per way and version. Versions of the last seven days remain.';
