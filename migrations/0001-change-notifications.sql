-- Notifications, by which processes keep their caches current. Each file after this one defines the tables of one subject, with their
-- constraints, indexes, functions and triggers.

-- No migration leads here from the schema of earlier development versions. Searches normalize text, which needs UTF8.
DO $$
BEGIN
  IF to_regclass('link_paths') IS NOT NULL THEN
    RAISE EXCEPTION 'This database is of an earlier development version. Export its links with that version (signpost export), create a database, and import them (signpost import).';
  END IF;
  IF getdatabaseencoding() <> 'UTF8' THEN
    RAISE EXCEPTION 'This database has the encoding %. Create one with the encoding UTF8.', getdatabaseencoding();
  END IF;
END $$;

-- Each notification is a JSON object of one kind of thing and the names of those that changed, or `"everything"`. NOTIFY sends it
-- when the transaction commits and only then, whatever program made the change. Insertions notify only for apps, because no cache
-- remembers that something is missing, and commits that notify wait for each other.
-- Names of many rows are sent in several notifications, because one that is too long would empty the caches of all projects.
CREATE FUNCTION announce(kind text, names text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  announcement text := json_build_object(kind, names);
BEGIN
  IF coalesce(cardinality(names), 0) = 0 THEN RETURN; END IF;
  -- A payload has less than 8,000 bytes.
  IF octet_length(announcement) < 7900 THEN
    PERFORM pg_notify('signpost_changes', announcement);
  ELSIF octet_length(announcement) < 280000 THEN
    PERFORM pg_notify('signpost_changes', json_build_object(kind, array_agg(placed.name))::text)
    FROM (
      SELECT name, (sum(octet_length(to_json(name)::text) + 1) OVER (ORDER BY place))::integer / 7000 AS part
      FROM unnest(names) WITH ORDINALITY AS input (name, place)
    ) AS placed
    GROUP BY placed.part;
  ELSE
    PERFORM pg_notify('signpost_changes', '"everything"');
  END IF;
END $$;
COMMENT ON FUNCTION announce IS 'Tells all listening processes, at commit, what changed.';

CREATE FUNCTION announce_everything() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('signpost_changes', '"everything"');
  RETURN NULL;
END $$;
