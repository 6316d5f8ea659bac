-- A region that is behind writes clicks of a project that its primary has deleted. ClickHouse gets them too late for the purge of the
-- primary, so the region purges them itself, as it does in PostgreSQL.
-- The search path of replication is empty, and the replacement has none yet.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION announce_replicated_project SET search_path = %I, pg_temp', current_schema());
END $$;
