-- Exact totals of searches and filters in large projects (docs/decisions/0035-search-in-large-projects.md).

CREATE TABLE link_search_projects (
  project_id uuid CONSTRAINT link_search_projects_pkey PRIMARY KEY
    CONSTRAINT link_search_projects_project_fk REFERENCES projects ON DELETE CASCADE,
  all_since xid8,
  built_at timestamptz(3),
  built_links bigint NOT NULL DEFAULT 0,
  has_all_short_texts boolean NOT NULL DEFAULT false,
  characters text NOT NULL DEFAULT ''
);
COMMENT ON TABLE link_search_projects IS 'Large projects, whose changes of links are noted. A project without a row has no counts and no noted changes.';
COMMENT ON COLUMN link_search_projects.all_since IS 'Every transaction from this one on notes its changes. Counts are built after the earlier ones have ended.';
COMMENT ON COLUMN link_search_projects.built_at IS 'The time of the last build of the counts; null before the first.';
COMMENT ON COLUMN link_search_projects.built_links IS 'The number of links at the last build. A project that has grown much is built again.';
COMMENT ON COLUMN link_search_projects.has_all_short_texts IS 'Whether each text of one or two characters that any link contains has a count.';
COMMENT ON COLUMN link_search_projects.characters IS 'All characters of names and paths, in lower case. Characters of deleted links may remain.';

CREATE TABLE link_search_counts (
  project_id uuid NOT NULL
    CONSTRAINT link_search_counts_project_fk REFERENCES link_search_projects ON DELETE CASCADE,
  text text COLLATE "C" NOT NULL,
  ios_app_id uuid,
  android_app_id uuid,
  links bigint NOT NULL,
  CONSTRAINT link_search_counts_unique UNIQUE NULLS NOT DISTINCT (project_id, text, ios_app_id, android_app_id)
);
COMMENT ON TABLE link_search_counts IS 'How many links of a large project contain a text, for each frequent text and each pair of apps. A text is in lower case; the empty one is in all links. Written by upkeep only.';

CREATE TABLE link_search_changes (
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  -- 1 or -1.
  -- squawk-ignore prefer-bigint-over-smallint
  change smallint NOT NULL,
  name text NOT NULL,
  custom_path text COLLATE "C" NOT NULL,
  ios_app_id uuid,
  android_app_id uuid
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
COMMENT ON TABLE link_search_changes IS 'Links that were added (1) or removed (-1) since the counts. A total is the count plus the changes that match. Written by triggers, and added to the counts by upkeep.';
CREATE INDEX link_search_changes_by_project ON link_search_changes (project_id);

CREATE OR REPLACE FUNCTION dynamic_links_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO link_paths (project_id, path, dynamic_link_id) SELECT project_id, custom_path, id FROM inserted;
  PERFORM count_dynamic_links(project_id, count(*)) FROM inserted GROUP BY project_id ORDER BY project_id;
  INSERT INTO link_search_changes (project_id, dynamic_link_id, change, name, custom_path, ios_app_id, android_app_id)
  SELECT project_id, id, 1, name, custom_path, ios_app_id, android_app_id
  FROM inserted JOIN link_search_projects USING (project_id);
  RETURN NULL;
END $$;

-- Rows of marked links are not counted again when they are purged.
CREATE OR REPLACE FUNCTION dynamic_links_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_dynamic_links(project_id, -count(*)) FROM deleted WHERE deleted_at IS NULL
  GROUP BY project_id ORDER BY project_id;
  INSERT INTO link_search_changes (project_id, dynamic_link_id, change, name, custom_path, ios_app_id, android_app_id)
  SELECT project_id, id, -1, name, custom_path, ios_app_id, android_app_id
  FROM deleted JOIN link_search_projects USING (project_id) WHERE deleted_at IS NULL;
  RETURN NULL;
END $$;

-- A trigger beside dynamic_links_updated, because that one has no table of the previous rows.
CREATE FUNCTION note_updated_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO link_search_changes (project_id, dynamic_link_id, change, name, custom_path, ios_app_id, android_app_id)
  SELECT changed.project_id, changed.id, noted.*
  FROM changed JOIN updated ON updated.id = changed.id
    JOIN link_search_projects AS search ON search.project_id = changed.project_id
    CROSS JOIN LATERAL (
      SELECT -1, changed.name, changed.custom_path, changed.ios_app_id, changed.android_app_id
      WHERE changed.deleted_at IS NULL
      UNION ALL
      SELECT 1, updated.name, updated.custom_path, updated.ios_app_id, updated.android_app_id
      WHERE updated.deleted_at IS NULL
    ) AS noted
  WHERE (changed.name, changed.custom_path, changed.ios_app_id, changed.android_app_id, changed.deleted_at)
    IS DISTINCT FROM (updated.name, updated.custom_path, updated.ios_app_id, updated.android_app_id, updated.deleted_at);
  RETURN NULL;
END $$;
CREATE TRIGGER dynamic_links_updated_noted AFTER UPDATE ON dynamic_links
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION note_updated_links();

CREATE FUNCTION forget_link_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM link_search_projects;
  DELETE FROM link_search_changes;
  RETURN NULL;
END $$;
CREATE TRIGGER dynamic_links_truncated_noted AFTER TRUNCATE ON dynamic_links EXECUTE FUNCTION forget_link_search();
