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

-- The search path of replication is empty, and the replacement has none yet.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION announce_replicated_project SET search_path = %I, pg_temp', current_schema());
END $$;
