-- A region that is behind writes clicks of a project that its primary has deleted. ClickHouse gets them too late for the purge of the
-- primary, so the region purges them itself, as it does in PostgreSQL.
CREATE OR REPLACE FUNCTION announce_replicated_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.deleted_at IS NULL AND (TG_OP = 'DELETE' OR NEW.deleted_at IS NOT NULL) THEN
    INSERT INTO click_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
    INSERT INTO clickhouse_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  END IF;
  IF (TG_OP = 'DELETE' AND OLD.deleted_at IS NULL)
     OR (TG_OP = 'UPDATE' AND (OLD.subdomain, OLD.deleted_at, OLD.long_link_destinations)
                              IS DISTINCT FROM (NEW.subdomain, NEW.deleted_at, NEW.long_link_destinations)) THEN
    PERFORM announce_replicated('projects', OLD.id::text);
  END IF;
  RETURN NULL;
END $$;

-- The search path of replication is empty, and the replacement has none yet.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION announce_replicated_project SET search_path = %I, pg_temp', current_schema());
END $$;
