-- Fields that links of other systems have, and links that are archived or disabled.

ALTER TABLE dynamic_links
  ADD COLUMN external_id text COLLATE "C",
  ADD COLUMN title text,
  ADD COLUMN notes text,
  ADD COLUMN archived boolean NOT NULL DEFAULT false,
  ADD COLUMN disabled boolean NOT NULL DEFAULT false,
  ADD COLUMN imported_from text,
  ADD COLUMN original_created_at timestamptz(3),
  ADD COLUMN original_clicks bigint;
COMMENT ON COLUMN dynamic_links.external_id IS 'The id of the link in the system of its owner, unique in the project; null without one.';
COMMENT ON COLUMN dynamic_links.title IS 'A title for people, on pages without a social title.';
COMMENT ON COLUMN dynamic_links.archived IS 'Lists hide archived links unless they are requested. Visitors notice nothing.';
COMMENT ON COLUMN dynamic_links.disabled IS 'Visitors of a disabled link get 410.';
COMMENT ON COLUMN dynamic_links.imported_from IS 'The system that the link was imported from; null if it was created here.';
COMMENT ON COLUMN dynamic_links.original_created_at IS 'The time of its creation in that system, if known.';
COMMENT ON COLUMN dynamic_links.original_clicks IS 'The clicks that it had in that system, if known.';

ALTER TABLE project_counts ADD COLUMN archived_links bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN project_counts.archived_links IS 'How many of the dynamic links are archived.';

CREATE FUNCTION count_archived_links(owner uuid, change bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO project_counts AS kept (project_id, shard, archived_links)
  SELECT id, pg_backend_pid() % 16, change FROM projects WHERE id = owner
  ON CONFLICT (project_id, shard) DO UPDATE SET archived_links = kept.archived_links + excluded.archived_links
$$;

-- Rows of marked links are not counted again when they are purged.
CREATE OR REPLACE FUNCTION dynamic_links_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_dynamic_links(project_id, -count(*)) FROM deleted WHERE deleted_at IS NULL
  GROUP BY project_id ORDER BY project_id;
  PERFORM count_archived_links(project_id, -count(*)) FROM deleted WHERE deleted_at IS NULL AND archived
  GROUP BY project_id ORDER BY project_id;
  RETURN NULL;
END $$;

CREATE FUNCTION count_updated_archived_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_archived_links(changed.project_id, count(*) FILTER (WHERE updated.archived AND updated.deleted_at IS NULL)
    - count(*) FILTER (WHERE changed.archived AND changed.deleted_at IS NULL))
  FROM changed JOIN updated ON updated.id = changed.id
  WHERE (changed.archived AND changed.deleted_at IS NULL) <> (updated.archived AND updated.deleted_at IS NULL)
  GROUP BY changed.project_id ORDER BY changed.project_id;
  RETURN NULL;
END $$;
CREATE TRIGGER dynamic_links_updated_archived AFTER UPDATE ON dynamic_links
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION count_updated_archived_links();

-- Visitors notice no other change. Notes and archives of many links would empty every cache.
CREATE FUNCTION announce_updated_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('links', array_agg(DISTINCT changed.id::text))
  FROM changed JOIN projects p ON p.id = changed.project_id AND p.deleted_at IS NULL
    LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.custom_path, changed.desktop_url, changed.ios_app_id, changed.android_app_id, changed.ios_fallback_url,
         changed.android_fallback_url, changed.ios_deferred_deep_link, changed.social_title, changed.social_description,
         changed.social_image_url, changed.referrer_params, changed.title, changed.disabled, changed.deleted_at)
    IS DISTINCT FROM
        (updated.custom_path, updated.desktop_url, updated.ios_app_id, updated.android_app_id, updated.ios_fallback_url,
         updated.android_fallback_url, updated.ios_deferred_deep_link, updated.social_title, updated.social_description,
         updated.social_image_url, updated.referrer_params, updated.title, updated.disabled, updated.deleted_at);
  RETURN NULL;
END $$;
DROP TRIGGER dynamic_links_updated_announced ON dynamic_links;
CREATE TRIGGER dynamic_links_updated_announced AFTER UPDATE ON dynamic_links
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_links();
