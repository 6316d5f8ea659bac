-- New entries of a GIN index wait in a list, and the insertion that fills it moves them. From a cold disk, that took longer than a statement may,
-- even with a list of 64 kB. Now the API moves them in the background, so that the list of PostgreSQL's default size is not filled.
CREATE FUNCTION move_search_entries() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  index regclass;
  pages bigint := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 8) THEN
    RETURN 0;
  END IF;
  FOR index IN
    SELECT indexrelid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
    WHERE indrelid = 'dynamic_links'::regclass AND amname = 'gin' AND indisready
  LOOP
    pages := pages + gin_clean_pending_list(index);
  END LOOP;
  RETURN pages;
EXCEPTION
  WHEN lock_not_available THEN RETURN 0; -- such as by REINDEX
END $$;
COMMENT ON FUNCTION move_search_entries IS 'Moves the new entries of the GIN indexes of links into these indexes, and tells how many pages the lists had; 0 also while another process does it.';

DO $$
DECLARE
  index regclass;
BEGIN
  -- Only the owner of an index may move its entries.
  EXECUTE format('ALTER FUNCTION move_search_entries SET search_path = %I, pg_temp', current_schema());
  -- In a region, the subscription moves the entries: a long list would delay changes.
  IF NOT EXISTS (SELECT FROM this_region) THEN
    FOR index IN
      SELECT indexrelid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE indrelid = 'dynamic_links'::regclass AND 'gin_pending_list_limit=64' = ANY (reloptions)
    LOOP
      EXECUTE format('ALTER INDEX %s RESET (gin_pending_list_limit)', index);
    END LOOP;
  END IF;
END $$;
-- Work that waits behind the lock of an index can wait for the next time.
ALTER FUNCTION move_search_entries SET lock_timeout = '100ms';
REVOKE EXECUTE ON FUNCTION move_search_entries FROM PUBLIC;
