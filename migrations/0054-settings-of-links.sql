-- Destinations of `/` and of unknown paths, and the visitor's parameters that destinations get.

ALTER TABLE projects
  ADD COLUMN root_url text,
  ADD COLUMN not_found_url text,
  ADD COLUMN query_forwarding text NOT NULL DEFAULT 'all',
  ADD COLUMN forwarded_params text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN projects.root_url IS 'Where visitors of `/` are sent; null for a page with the status 404.';
COMMENT ON COLUMN projects.not_found_url IS 'Where visitors of unknown paths are sent; null for a page with the status 404.';
COMMENT ON COLUMN projects.query_forwarding IS 'Which parameters of visitors destinations get: all, none or listed. Links can have another value.';
COMMENT ON COLUMN projects.forwarded_params IS 'Names of the parameters if query_forwarding is listed.';

ALTER TABLE dynamic_links
  ADD COLUMN query_forwarding text,
  ADD COLUMN forwarded_params text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN dynamic_links.query_forwarding IS 'Like that of the project, which decides if this is null.';
COMMENT ON COLUMN dynamic_links.forwarded_params IS 'Names of the parameters if query_forwarding of the link is listed.';

-- Visitors notice these columns at once.
CREATE OR REPLACE FUNCTION announce_updated_projects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('projects', array_agg(changed.id::text)) FROM changed LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.subdomain, changed.deleted_at, changed.long_link_destinations, changed.root_url, changed.not_found_url,
         changed.query_forwarding, changed.forwarded_params)
    IS DISTINCT FROM
        (updated.subdomain, updated.deleted_at, updated.long_link_destinations, updated.root_url, updated.not_found_url,
         updated.query_forwarding, updated.forwarded_params);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_updated_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('links', array_agg(DISTINCT changed.id::text))
  FROM changed JOIN projects p ON p.id = changed.project_id AND p.deleted_at IS NULL
    LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.custom_path, changed.desktop_url, changed.ios_app_id, changed.android_app_id, changed.ios_fallback_url,
         changed.android_fallback_url, changed.ios_deferred_deep_link, changed.social_title, changed.social_description,
         changed.social_image_url, changed.referrer_params, changed.title, changed.disabled, changed.deleted_at,
         changed.query_forwarding, changed.forwarded_params)
    IS DISTINCT FROM
        (updated.custom_path, updated.desktop_url, updated.ios_app_id, updated.android_app_id, updated.ios_fallback_url,
         updated.android_fallback_url, updated.ios_deferred_deep_link, updated.social_title, updated.social_description,
         updated.social_image_url, updated.referrer_params, updated.title, updated.disabled, updated.deleted_at,
         updated.query_forwarding, updated.forwarded_params);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_replicated_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.deleted_at IS NULL AND (TG_OP = 'DELETE' OR NEW.deleted_at IS NOT NULL) THEN
    INSERT INTO click_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
    INSERT INTO clickhouse_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  END IF;
  -- The columns of announce_updated_projects.
  IF (TG_OP = 'DELETE' AND OLD.deleted_at IS NULL)
     OR (TG_OP = 'UPDATE' AND
         (OLD.subdomain, OLD.deleted_at, OLD.long_link_destinations, OLD.root_url, OLD.not_found_url, OLD.query_forwarding,
          OLD.forwarded_params)
         IS DISTINCT FROM
         (NEW.subdomain, NEW.deleted_at, NEW.long_link_destinations, NEW.root_url, NEW.not_found_url, NEW.query_forwarding,
          NEW.forwarded_params)) THEN
    PERFORM announce_replicated('projects', OLD.id::text);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION announce_replicated_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The columns of announce_updated_links.
  IF TG_OP = 'UPDATE' AND
     (OLD.custom_path, OLD.desktop_url, OLD.ios_app_id, OLD.android_app_id, OLD.ios_fallback_url, OLD.android_fallback_url,
      OLD.ios_deferred_deep_link, OLD.social_title, OLD.social_description, OLD.social_image_url, OLD.referrer_params, OLD.title,
      OLD.disabled, OLD.deleted_at, OLD.query_forwarding, OLD.forwarded_params)
     IS NOT DISTINCT FROM
     (NEW.custom_path, NEW.desktop_url, NEW.ios_app_id, NEW.android_app_id, NEW.ios_fallback_url, NEW.android_fallback_url,
      NEW.ios_deferred_deep_link, NEW.social_title, NEW.social_description, NEW.social_image_url, NEW.referrer_params, NEW.title,
      NEW.disabled, NEW.deleted_at, NEW.query_forwarding, NEW.forwarded_params) THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL) THEN
    PERFORM announce_replicated('links', OLD.id::text);
  END IF;
  RETURN NULL;
END $$;

-- The search path of replication is empty, and the replacements have none yet.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION announce_replicated_project SET search_path = %I, pg_temp', current_schema());
  EXECUTE format('ALTER FUNCTION announce_replicated_link SET search_path = %I, pg_temp', current_schema());
END $$;
