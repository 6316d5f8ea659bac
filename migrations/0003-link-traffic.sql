-- Announcements, by which every process keeps what it remembers of the database true, and deferred deep links.

-- Each announcement is a JSON object of one kind of thing and the names of those that changed, or `"everything"`. NOTIFY hands
-- it over when the transaction commits and only then, whatever program made the change. What is new is not announced, but for
-- apps: nobody remembers that something is missing, and commits that notify wait for each other.
-- Names of many rows are sent in several notifications, because one that is too long would empty the caches of all projects.
CREATE FUNCTION announce(kind text, names text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  announcement text := json_build_object(kind, names);
BEGIN
  IF coalesce(cardinality(names), 0) = 0 THEN
    RETURN;
  END IF;
  -- A payload has less than 8,000 bytes.
  IF octet_length(announcement) < 7900 THEN
    PERFORM pg_notify('signpost_changes', announcement);
  ELSIF octet_length(announcement) < 280000 THEN
    PERFORM pg_notify('signpost_changes', json_build_object(kind, array_agg(placed.name))::text)
    FROM (
      SELECT name, (sum(octet_length(to_json(name)::text) + 1) OVER (ORDER BY place))::integer / 7000 AS part
      FROM unnest(names) WITH ORDINALITY AS given (name, place)
    ) AS placed
    GROUP BY placed.part;
  ELSE
    PERFORM pg_notify('signpost_changes', '"everything"');
  END IF;
END $$;
COMMENT ON FUNCTION announce IS 'Tells all listening processes, at commit, what changed.';

CREATE FUNCTION announce_everything() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('signpost_changes', '"everything"');
  RETURN NULL;
END $$;

-- What belongs to a deleted project is unreachable since the project's own announcement, and purged by the thousand.
CREATE FUNCTION announce_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('links', array_agg(DISTINCT changed.id::text))
  FROM changed JOIN projects p ON p.id = changed.project_id AND p.deleted_at IS NULL;
  RETURN NULL;
END $$;

-- The mark of a link has invalidated its short links already. One notification per purged path would empty every cache.
CREATE FUNCTION announce_paths() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('paths', array_agg(DISTINCT changed.project_id || '/' || changed.path))
  FROM changed JOIN projects p ON p.id = changed.project_id AND p.deleted_at IS NULL
    LEFT JOIN dynamic_links AS link ON link.id = changed.dynamic_link_id
  WHERE changed.short_link_id IS NULL OR link.deleted_at IS NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION announce_apps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('projects', array_agg(DISTINCT p.id::text))
  FROM changed JOIN projects p ON p.id = changed.project_id AND p.deleted_at IS NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION announce_updated_projects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('projects', array_agg(changed.id::text)) FROM changed LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.subdomain, changed.deleted_at) IS DISTINCT FROM (updated.subdomain, updated.deleted_at);
  RETURN NULL;
END $$;

CREATE FUNCTION announce_deleted_projects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('projects', array_agg(changed.id::text)) FROM changed WHERE changed.deleted_at IS NULL;
  RETURN NULL;
END $$;

-- When a key was last used is written every few seconds, and is nobody's business here.
CREATE FUNCTION announce_updated_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('keys', array_agg(changed.id::text)) FROM changed LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.digest, changed.account_id, changed.user_id, changed.revoked_at, changed.expires_at)
    IS DISTINCT FROM (updated.digest, updated.account_id, updated.user_id, updated.revoked_at, updated.expires_at);
  RETURN NULL;
END $$;

CREATE FUNCTION announce_deleted_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('keys', array_agg(changed.id::text)) FROM changed;
  RETURN NULL;
END $$;

CREATE FUNCTION announce_updated_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('accounts', array_agg(changed.id::text)) FROM changed LEFT JOIN updated ON updated.id = changed.id
  WHERE changed.plan IS DISTINCT FROM updated.plan;
  RETURN NULL;
END $$;

CREATE TRIGGER dynamic_links_updated_announced AFTER UPDATE ON dynamic_links
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_links();
CREATE TRIGGER dynamic_links_deleted_announced AFTER DELETE ON dynamic_links
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_links();
CREATE TRIGGER link_paths_updated_announced AFTER UPDATE ON link_paths
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_paths();
CREATE TRIGGER link_paths_deleted_announced AFTER DELETE ON link_paths
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_paths();

CREATE TRIGGER projects_updated_announced AFTER UPDATE ON projects
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_projects();
CREATE TRIGGER projects_deleted_announced AFTER DELETE ON projects
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_projects();

CREATE TRIGGER ios_apps_inserted_announced AFTER INSERT ON ios_apps
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER ios_apps_updated_announced AFTER UPDATE ON ios_apps
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER ios_apps_deleted_announced AFTER DELETE ON ios_apps
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER android_apps_inserted_announced AFTER INSERT ON android_apps
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER android_apps_updated_announced AFTER UPDATE ON android_apps
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER android_apps_deleted_announced AFTER DELETE ON android_apps
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();

CREATE TRIGGER api_keys_updated_announced AFTER UPDATE ON api_keys
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_keys();
CREATE TRIGGER api_keys_deleted_announced AFTER DELETE ON api_keys
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_keys();
CREATE TRIGGER accounts_updated_announced AFTER UPDATE ON accounts
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_accounts();

CREATE TRIGGER accounts_truncated_announced AFTER TRUNCATE ON accounts EXECUTE FUNCTION announce_everything();
CREATE TRIGGER api_keys_truncated_announced AFTER TRUNCATE ON api_keys EXECUTE FUNCTION announce_everything();
CREATE TRIGGER projects_truncated_announced AFTER TRUNCATE ON projects EXECUTE FUNCTION announce_everything();
CREATE TRIGGER dynamic_links_truncated_announced AFTER TRUNCATE ON dynamic_links EXECUTE FUNCTION announce_everything();
CREATE TRIGGER link_paths_truncated_announced AFTER TRUNCATE ON link_paths EXECUTE FUNCTION announce_everything();
CREATE TRIGGER ios_apps_truncated_announced AFTER TRUNCATE ON ios_apps EXECUTE FUNCTION announce_everything();
CREATE TRIGGER android_apps_truncated_announced AFTER TRUNCATE ON android_apps EXECUTE FUNCTION announce_everything();

CREATE TABLE deferred_links (
  token_digest bytea CONSTRAINT deferred_links_pkey PRIMARY KEY,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  clicked_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE deferred_links IS 'Visits that may continue in an app that is yet to be installed. A claim deletes its row; the rest is purged when it expires. Of the token only a SHA-256 is kept.';
COMMENT ON COLUMN deferred_links.dynamic_link_id IS 'No foreign key: every check of one would lock the row of a link that thousands are opening. A claim looks whether the link is still there.';
CREATE INDEX deferred_links_by_expiry ON deferred_links (expires_at);
CREATE INDEX deferred_links_by_project ON deferred_links (project_id);
