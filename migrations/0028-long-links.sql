-- Long links of Firebase, whose destinations a project allows.

ALTER TABLE projects ADD COLUMN long_link_destinations text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN projects.long_link_destinations IS 'The hosts to which long links may lead, as patterns; empty if the project serves none.';

-- Long links follow the list at once.
CREATE OR REPLACE FUNCTION announce_updated_projects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('projects', array_agg(changed.id::text)) FROM changed LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.subdomain, changed.deleted_at, changed.long_link_destinations)
    IS DISTINCT FROM (updated.subdomain, updated.deleted_at, updated.long_link_destinations);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_replicated_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.deleted_at IS NULL AND (TG_OP = 'DELETE' OR NEW.deleted_at IS NOT NULL) THEN
    INSERT INTO click_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
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
