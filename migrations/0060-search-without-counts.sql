-- Searches, counts and lists of earlier development versions differ so much that no migration leads here.
DO $$
BEGIN
  IF to_regclass('link_search_counts') IS NOT NULL THEN
    RAISE EXCEPTION 'This database is of a development version. Export the links with that version, create a database, and import them.';
  END IF;
END $$;
