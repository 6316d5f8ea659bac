-- Any text in the form of a token can name a region, so that claims of random tokens could ask a region for more than it answers. A
-- region takes 100 tokens at each contact, about once a second, and a claim waits for three seconds. More open requests than about
-- 300 would only wait in vain. A claim that finds no place asks again until its time is over.
CREATE OR REPLACE FUNCTION request_deferred_link(digest bytea, region_code integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  request deferred_link_requests%ROWTYPE;
BEGIN
  IF NOT EXISTS (SELECT FROM regions WHERE code = region_code) THEN
    RETURN 'none';
  END IF;
  SELECT * INTO request FROM deferred_link_requests WHERE token_digest = digest;
  IF request.expires_at IS NOT NULL THEN
    RETURN 'moved';
  END IF;
  -- A token can be claimed before its region has written it, so a region that had none is asked again later.
  IF request.answered_at >= now() - interval '5 seconds' THEN
    RETURN 'none';
  END IF;
  IF (request.token_digest IS NULL OR request.answered_at IS NOT NULL)
     AND NOT EXISTS (SELECT FROM deferred_link_requests AS asked WHERE asked.region = region_code AND asked.answered_at IS NULL OFFSET 299)
  THEN
    INSERT INTO deferred_link_requests AS kept (token_digest, region) VALUES (digest, region_code)
    ON CONFLICT (token_digest) DO UPDATE SET requested_at = now(), answered_at = NULL
      WHERE kept.expires_at IS NULL AND kept.answered_at < now() - interval '5 seconds';
  END IF;
  RETURN 'open';
END $$;
COMMENT ON FUNCTION request_deferred_link IS 'Asks a region for a token, unless about 300 tokens wait for its answer. Returns open until the region has answered, and then moved or none.';

CREATE OR REPLACE FUNCTION contact_primary(region_code integer, region_writer uuid)
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
