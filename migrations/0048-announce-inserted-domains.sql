-- A rebuilt region inserts domains that are already verified and active. What its processes cached of their projects names the former host.
-- The search path of replication is empty, and the replacement has none yet.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION announce_replicated_domain SET search_path = %I, pg_temp', current_schema());
END $$;
