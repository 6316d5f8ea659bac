-- A rebuilt region inserts domains that are already verified and active. What its processes cached of their projects names the former host.
CREATE OR REPLACE FUNCTION announce_inserted_domains() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('hosts', array_agg(DISTINCT inserted.hostname)), announce('projects', array_agg(DISTINCT inserted.project_id::text))
  FROM inserted WHERE inserted.verified_at IS NOT NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_replicated_domain() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- The search path of replication is empty, and the replacement has none yet.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION announce_replicated_domain SET search_path = %I, pg_temp', current_schema());
END $$;
