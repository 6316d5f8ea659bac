-- The paths of links.

CREATE TABLE link_paths (
  project_id uuid NOT NULL,
  path text COLLATE "C" NOT NULL,
  -- By id alone: with the project too, the planner may check it by another index while the table is small, and keep that plan.
  dynamic_link_id uuid NOT NULL CONSTRAINT link_paths_dynamic_link_fk REFERENCES dynamic_links (id) ON DELETE CASCADE,
  short_link_id uuid CONSTRAINT link_paths_short_link_fk REFERENCES short_links (id) ON DELETE CASCADE,
  CONSTRAINT link_paths_one_namespace PRIMARY KEY (project_id, path)
);
COMMENT ON TABLE link_paths IS 'The one namespace of a project: every path that visitors can take, and the link it leads to. Written by triggers only.';
COMMENT ON COLUMN link_paths.short_link_id IS 'The short link whose slug the path is; null for a custom path.';
CREATE INDEX link_paths_by_dynamic_link ON link_paths (dynamic_link_id);
CREATE INDEX link_paths_by_short_link ON link_paths (short_link_id) WHERE short_link_id IS NOT NULL;
-- Finds the paths that differ only in letter case from one that no link has.
CREATE INDEX link_paths_in_other_letter_case ON link_paths (project_id, lower(path));

-- The mark of a link has invalidated its short links already. One notification per purged path would empty every cache.
CREATE FUNCTION announce_paths() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('paths', array_agg(DISTINCT changed.project_id || '/' || changed.path))
  FROM changed JOIN projects p ON p.id = changed.project_id AND p.deleted_at IS NULL
    LEFT JOIN dynamic_links AS link ON link.id = changed.dynamic_link_id
  WHERE changed.short_link_id IS NULL OR link.deleted_at IS NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER link_paths_updated_announced AFTER UPDATE ON link_paths
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_paths();
CREATE TRIGGER link_paths_deleted_announced AFTER DELETE ON link_paths
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_paths();
CREATE TRIGGER link_paths_truncated_announced AFTER TRUNCATE ON link_paths EXECUTE FUNCTION announce_everything();
