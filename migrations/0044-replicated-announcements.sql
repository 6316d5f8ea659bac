-- A request may delete 2,000 links by a filter, with 2,000 paths and 2,000 short links. In a region, each of these rows has a message. With
-- the former bound of 1,000 messages, such a request of one project emptied the caches of all projects there.
CREATE OR REPLACE FUNCTION announce_replicated(kind text, name text) RETURNS void LANGUAGE plpgsql AS $$
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
