-- How often the links of a project changed, so that a process knows whether the places in a list that it has cached still hold.

ALTER TABLE project_counts
  ADD COLUMN dynamic_link_changes bigint NOT NULL DEFAULT 0,
  ADD COLUMN short_link_changes bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN project_counts.dynamic_link_changes IS 'The sum over the shards is the version of the project''s links. It grows with every statement that may change their number, order or filtered columns. Equal versions in two snapshots mean equal lists.';
COMMENT ON COLUMN project_counts.short_link_changes IS 'The same for short links.';

CREATE OR REPLACE FUNCTION count_dynamic_links(owner uuid, change bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO project_counts AS kept (project_id, shard, dynamic_links, dynamic_link_changes)
  SELECT id, pg_backend_pid() % 16, change, 1 FROM projects WHERE id = owner
  ON CONFLICT (project_id, shard) DO UPDATE SET dynamic_links = kept.dynamic_links + excluded.dynamic_links,
    dynamic_link_changes = kept.dynamic_link_changes + 1
$$;

CREATE OR REPLACE FUNCTION count_short_links(owner uuid, change bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO project_counts AS kept (project_id, shard, short_links, short_link_changes)
  SELECT id, pg_backend_pid() % 16, change, 1 FROM projects WHERE id = owner
  ON CONFLICT (project_id, shard) DO UPDATE SET short_links = kept.short_links + excluded.short_links,
    short_link_changes = kept.short_link_changes + 1
$$;

CREATE FUNCTION dynamic_links_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_dynamic_links(project_id, 0) FROM updated GROUP BY project_id ORDER BY project_id;
  RETURN NULL;
END $$;

CREATE FUNCTION short_links_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_short_links(project_id, 0) FROM updated GROUP BY project_id ORDER BY project_id;
  RETURN NULL;
END $$;

CREATE TRIGGER dynamic_links_updated AFTER UPDATE ON dynamic_links
  REFERENCING NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION dynamic_links_updated();
CREATE TRIGGER short_links_updated AFTER UPDATE ON short_links
  REFERENCING NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION short_links_updated();
