-- Tags of links. A link has the ids of its tags, so that a renamed tag changes no link.

CREATE TABLE tags (
  id uuid CONSTRAINT tags_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT tags_project_fk REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  folded_name text COLLATE "C" NOT NULL,
  retired_at timestamptz(3),
  merged_into uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE tags IS 'Tags of a project. A tag without links stays until it is removed.';
COMMENT ON COLUMN tags.folded_name IS 'The name without letter case, in which tags are unique. Folded by the service.';
COMMENT ON COLUMN tags.retired_at IS 'A removed or merged tag is gone at once. Links lose its id in batches, and the row goes last.';
COMMENT ON COLUMN tags.merged_into IS 'The tag that links with this retired one have instead; null if it was removed. Never a retired tag.';
CREATE UNIQUE INDEX tags_name_unique ON tags (project_id, folded_name) WHERE retired_at IS NULL;
CREATE INDEX tags_by_created_at ON tags (project_id, created_at, id);
CREATE INDEX tags_by_updated_at ON tags (project_id, updated_at, id);
CREATE INDEX tags_by_name ON tags (project_id, name COLLATE "C", id);
CREATE INDEX tags_retired ON tags (retired_at) WHERE retired_at IS NOT NULL;
CREATE INDEX tags_merged_into ON tags (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE tag_counts (
  tag_id uuid NOT NULL CONSTRAINT tag_counts_tag_fk REFERENCES tags ON DELETE CASCADE,
  -- squawk-ignore prefer-bigint-over-smallint
  shard smallint NOT NULL,
  links bigint NOT NULL DEFAULT 0,
  archived_links bigint NOT NULL DEFAULT 0,
  CONSTRAINT tag_counts_pkey PRIMARY KEY (tag_id, shard)
);
COMMENT ON TABLE tag_counts IS 'How many links have the id of a tag, as the sum over its shards (one may be negative). Kept by triggers.';

-- Adds differences to the counts, in one order, so that two statements do not wait for each other. A tag that is gone has no counts.
CREATE FUNCTION count_tags(ids uuid[], links bigint[], archived bigint[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO tag_counts AS stored (tag_id, shard, links, archived_links)
  SELECT tag.id, count_shard(), sum(change.links), sum(change.archived)
  FROM unnest(ids, links, archived) AS change (id, links, archived) JOIN tags AS tag ON tag.id = change.id
  GROUP BY tag.id HAVING sum(change.links) <> 0 OR sum(change.archived) <> 0 ORDER BY tag.id
  ON CONFLICT (tag_id, shard) DO UPDATE SET links = stored.links + excluded.links,
    archived_links = stored.archived_links + excluded.archived_links
$$;

-- Leaves out links that others change, because those may wait for the tag.
CREATE FUNCTION replace_tag(tag uuid, target uuid, batch integer) RETURNS bigint LANGUAGE sql AS $$
  WITH locked AS (
    SELECT id FROM dynamic_links WHERE tag_ids <> '{}' AND tag_ids && ARRAY[tag] LIMIT batch FOR NO KEY UPDATE SKIP LOCKED
  ), replaced AS (
    UPDATE dynamic_links AS link SET tag_ids = CASE
        WHEN target IS NULL OR tag_ids && ARRAY[target] THEN array_remove(tag_ids, tag)
        ELSE array_replace(tag_ids, tag, target)
      END
    FROM locked WHERE link.id = locked.id RETURNING 1
  )
  SELECT count(*) FROM replaced
$$;
COMMENT ON FUNCTION replace_tag IS 'Removes a tag from a batch of links, or gives them another one in its place. Returns the number of links.';

CREATE FUNCTION retire_tag(project uuid, tag uuid, target uuid, batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- Waits for links that are being written with the tag.
  UPDATE tags SET retired_at = now(), merged_into = target WHERE project_id = project AND id = tag AND retired_at IS NULL;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- Tags that were merged into this one follow it, so that each leads to a tag that is in use.
  UPDATE tags SET merged_into = target WHERE merged_into = tag;
  IF (
    SELECT count(*) FROM (SELECT FROM dynamic_links WHERE tag_ids <> '{}' AND tag_ids && ARRAY[tag] LIMIT batch + 1) AS first
  ) > batch THEN
    RETURN false;
  END IF;
  PERFORM replace_tag(tag, target, batch);
  DELETE FROM tags WHERE id = tag AND NOT EXISTS (SELECT FROM dynamic_links WHERE tag_ids <> '{}' AND tag_ids && ARRAY[tag]);
  RETURN FOUND;
END $$;
COMMENT ON FUNCTION retire_tag IS 'Removes a tag, or merges it into another one. Returns null if the project has no such tag, and false if links still have its id.';

-- Any number of processes may call it at once.
CREATE FUNCTION purge_retired_tags(batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  retired record;
BEGIN
  SELECT id, merged_into INTO retired FROM tags WHERE retired_at IS NOT NULL ORDER BY retired_at LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN true; END IF;
  IF replace_tag(retired.id, retired.merged_into, batch) > 0 THEN RETURN false; END IF;
  DELETE FROM tags WHERE id = retired.id
    AND NOT EXISTS (SELECT FROM dynamic_links WHERE tag_ids <> '{}' AND tag_ids && ARRAY[retired.id]);
  -- Links that others change are left to the next sweep.
  RETURN NOT FOUND;
END $$;
COMMENT ON FUNCTION purge_retired_tags IS 'Removes the id of one retired tag from the next batch of links, or the tag itself; true if none is left for this process.';
