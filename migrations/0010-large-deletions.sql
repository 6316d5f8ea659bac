-- Deletions whose duration does not depend on how much they remove.

-- A link with many short links is marked, and its rows are purged in batches. A program of the previous version shows a marked link
-- until it is purged.
ALTER TABLE dynamic_links ADD COLUMN deleted_at timestamptz(3);
COMMENT ON COLUMN dynamic_links.deleted_at IS 'A marked link is gone for API and visitors at once. Its short links are then purged in batches, and the row last.';

-- Returns null if the project has no such link; whether it is removed completely. A link with more than `batch` short links is marked only.
CREATE FUNCTION delete_dynamic_link(project uuid, link uuid, batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- Waits for short links that are being created, whose foreign key locks this row.
  PERFORM FROM dynamic_links WHERE project_id = project AND id = link AND deleted_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF (
    SELECT count(*) FROM (SELECT FROM short_links WHERE project_id = project AND dynamic_link_id = link LIMIT batch + 1) AS first
  ) <= batch THEN
    DELETE FROM dynamic_links WHERE id = link;
    RETURN true;
  END IF;
  -- Without its apps, so that they can be deleted at once.
  UPDATE dynamic_links SET deleted_at = now(), ios_app_id = NULL, android_app_id = NULL WHERE id = link;
  RETURN false;
END $$;
COMMENT ON FUNCTION delete_dynamic_link IS 'Deletes or marks a link: null if the project has none, true if it is removed, false if it is marked.';

CREATE FUNCTION dynamic_links_marked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM link_paths WHERE project_id = NEW.project_id AND path = NEW.custom_path;
  PERFORM count_dynamic_links(NEW.project_id, -1);
  PERFORM count_short_links(NEW.project_id, -count(*)) FROM short_links
  WHERE project_id = NEW.project_id AND dynamic_link_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER dynamic_links_marked AFTER UPDATE OF deleted_at ON dynamic_links
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION dynamic_links_marked();

-- Rows of marked links are not counted again when they are purged.
CREATE OR REPLACE FUNCTION dynamic_links_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_dynamic_links(project_id, -count(*)) FROM deleted WHERE deleted_at IS NULL
  GROUP BY project_id ORDER BY project_id;
  RETURN NULL;
END $$;

-- Any number of processes may call it at once.
CREATE FUNCTION purge_deleted_links(batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  doomed record;
  rows uuid[];
BEGIN
  SELECT project_id, id INTO doomed FROM dynamic_links WHERE deleted_at IS NOT NULL LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN true;
  END IF;
  rows := ARRAY(
    SELECT id FROM short_links WHERE project_id = doomed.project_id AND dynamic_link_id = doomed.id LIMIT batch
  );
  IF cardinality(rows) = 0 THEN
    DELETE FROM dynamic_links WHERE id = doomed.id;
  ELSE
    DELETE FROM link_paths WHERE short_link_id = ANY (rows);
    DELETE FROM short_links WHERE id = ANY (rows);
  END IF;
  RETURN false;
END $$;
COMMENT ON FUNCTION purge_deleted_links IS 'Removes the next batch of the short links of one marked link, or the link itself; true if no link is left for this process.';
