-- Requests that change up to a thousand links of a project by few statements.

-- Connections share sixteen shards. A bulk request writes counts early and commits late, so it has a shard that no other request waits for.
CREATE FUNCTION count_shard() RETURNS smallint LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('signpost.count_shard', true), '')::smallint, (pg_backend_pid() % 16)::smallint)
$$;
COMMENT ON FUNCTION count_shard IS 'The shard of project_counts and tag_counts that this transaction writes.';

-- Bulk requests of a project run one after the other, because they would wait for names of each other in any order.
CREATE FUNCTION begin_bulk(project uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(1668049252, hashtext(project::text));
  PERFORM set_config('signpost.count_shard', '16', true);
END $$;
COMMENT ON FUNCTION begin_bulk IS 'Waits until no other bulk request of the project runs, and gives this transaction the shard of bulk requests.';

CREATE OR REPLACE FUNCTION count_dynamic_links(owner uuid, change bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO project_counts AS kept (project_id, shard, dynamic_links)
  SELECT id, count_shard(), change FROM projects WHERE id = owner
  ON CONFLICT (project_id, shard) DO UPDATE SET dynamic_links = kept.dynamic_links + excluded.dynamic_links
$$;

CREATE OR REPLACE FUNCTION count_short_links(owner uuid, change bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO project_counts AS kept (project_id, shard, short_links)
  SELECT id, count_shard(), change FROM projects WHERE id = owner
  ON CONFLICT (project_id, shard) DO UPDATE SET short_links = kept.short_links + excluded.short_links
$$;

CREATE OR REPLACE FUNCTION count_archived_links(owner uuid, change bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO project_counts AS kept (project_id, shard, archived_links)
  SELECT id, count_shard(), change FROM projects WHERE id = owner
  ON CONFLICT (project_id, shard) DO UPDATE SET archived_links = kept.archived_links + excluded.archived_links
$$;

CREATE OR REPLACE FUNCTION count_tags(ids uuid[], links bigint[], archived bigint[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO tag_counts AS kept (tag_id, shard, links, archived_links)
  SELECT tag.id, count_shard(), sum(change.links), sum(change.archived)
  FROM unnest(ids, links, archived) AS change (id, links, archived) JOIN tags AS tag ON tag.id = change.id
  GROUP BY tag.id HAVING sum(change.links) <> 0 OR sum(change.archived) <> 0 ORDER BY tag.id
  ON CONFLICT (tag_id, shard) DO UPDATE SET links = kept.links + excluded.links,
    archived_links = kept.archived_links + excluded.archived_links
$$;

CREATE FUNCTION delete_dynamic_links(project uuid, ids uuid[], batch integer) RETURNS TABLE (deleted_id uuid, complete boolean)
LANGUAGE plpgsql AS $$
DECLARE
  small uuid[];
  large uuid[];
BEGIN
  -- Waits for short links that are being created, as delete_dynamic_link does. In one order.
  PERFORM FROM dynamic_links WHERE project_id = project AND id = ANY (ids) AND deleted_at IS NULL ORDER BY id FOR UPDATE;
  SELECT array_agg(summed.id) FILTER (WHERE summed.so_far <= batch), array_agg(summed.id) FILTER (WHERE summed.so_far > batch)
  INTO small, large
  FROM (
    SELECT counted.id, sum(counted.short_links) OVER (ORDER BY counted.short_links, counted.id) AS so_far
    FROM (
      SELECT link.id, (
        SELECT count(*) FROM (
          SELECT FROM short_links AS short WHERE short.project_id = project AND short.dynamic_link_id = link.id LIMIT batch + 1
        ) AS first
      ) AS short_links
      FROM dynamic_links AS link WHERE link.project_id = project AND link.id = ANY (ids) AND link.deleted_at IS NULL
    ) AS counted
  ) AS summed;
  -- All paths by one statement, so that visitors' caches get one notification of them. The foreign keys would delete link by link.
  DELETE FROM link_paths WHERE dynamic_link_id = ANY (small);
  DELETE FROM dynamic_links WHERE id = ANY (small);
  -- Without their apps, so that these can be deleted at once.
  UPDATE dynamic_links SET deleted_at = now(), ios_app_id = NULL, android_app_id = NULL WHERE id = ANY (large);
  RETURN QUERY SELECT unnest(small), true UNION ALL SELECT unnest(large), false;
END $$;
COMMENT ON FUNCTION delete_dynamic_links IS 'Deletes links like delete_dynamic_link: with at most so many short links together, and marks those with more. Returns the ids of links that the project had.';
