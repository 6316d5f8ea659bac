-- Accounts, their people and keys, projects, dynamic links, and the one namespace of link paths.
--
-- Reading order of a list is always (owner, sort column, id), and each such order has its index. Names sort by Unicode code
-- point (COLLATE "C"), so that order does not change with the operating system's locale data. Searches are substrings of folded text
-- inside one owner. Links, which may be millions, have an index of the trigrams of this text. Other lists are read completely.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE FUNCTION fold_text(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN normalize(replace(lower(upper(normalize(given COLLATE "default", NFKC))), 'ß', 'ss'), NFKC);
COMMENT ON FUNCTION fold_text IS 'The text without letter case and without differences between composed and decomposed characters, for searches.';

CREATE FUNCTION search_pattern(search text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN '%' || regexp_replace(fold_text(search), '([\\%_])', '\\\1', 'g') || '%';
COMMENT ON FUNCTION search_pattern IS 'The pattern of LIKE for folded texts that contain the search.';

CREATE TABLE accounts (
  id uuid CONSTRAINT accounts_pkey PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL CONSTRAINT accounts_plan_known CHECK (plan IN ('free', 'pro', 'enterprise')),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE accounts IS 'Tenants. Each has a plan and owns users, API keys and projects. Creating under a quota locks the account''s row.';

CREATE TABLE users (
  id uuid CONSTRAINT users_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT users_account_fk REFERENCES accounts ON DELETE CASCADE,
  email text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT users_id_in_account_unique UNIQUE (account_id, id)
);
COMMENT ON TABLE users IS 'People of an account. The first one of an account owns what its API keys make.';

CREATE TABLE api_keys (
  id uuid CONSTRAINT api_keys_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT api_keys_account_fk REFERENCES accounts ON DELETE CASCADE,
  user_id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  digest bytea NOT NULL CONSTRAINT api_keys_digest_unique UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  CONSTRAINT api_keys_user_fk FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE api_keys IS 'API keys. Of the key itself only an HMAC-SHA-256 is kept, and its first characters to recognise it by.';
CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at, id);

CREATE TABLE projects (
  id uuid CONSTRAINT projects_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT projects_account_fk REFERENCES accounts ON DELETE CASCADE,
  user_id uuid NOT NULL,
  name text NOT NULL,
  subdomain text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  CONSTRAINT projects_user_fk FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id) ON DELETE CASCADE,
  CONSTRAINT projects_subdomain_form CHECK (subdomain ~ '^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$')
);
COMMENT ON TABLE projects IS 'Top-level containers. The subdomain is the host of every link inside; no URL is stored.';
COMMENT ON COLUMN projects.deleted_at IS 'A deleted project is gone for everybody at once; what it holds is then purged in batches, and the row last.';
CREATE UNIQUE INDEX projects_subdomain_unique ON projects (subdomain) WHERE deleted_at IS NULL;
CREATE INDEX projects_by_created_at ON projects (account_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX projects_by_updated_at ON projects (account_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX projects_by_name ON projects (account_id, name COLLATE "C", id) WHERE deleted_at IS NULL;
CREATE INDEX projects_by_subdomain ON projects (account_id, subdomain, id) WHERE deleted_at IS NULL;
CREATE INDEX projects_to_purge ON projects (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE dynamic_links (
  id uuid CONSTRAINT dynamic_links_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT dynamic_links_project_fk REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  custom_path text COLLATE "C" NOT NULL,
  desktop_url text,
  ios_app_id uuid,
  android_app_id uuid,
  ios_fallback_url text,
  android_fallback_url text,
  ios_deferred_deep_link boolean NOT NULL DEFAULT false,
  social_title text,
  social_description text,
  social_image_url text,
  referrer_params jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  search_text text NOT NULL GENERATED ALWAYS AS (fold_text(
    name || E'\n' || custom_path || coalesce(E'\n' || desktop_url, '') || coalesce(E'\n' || ios_fallback_url, '')
      || coalesce(E'\n' || android_fallback_url, '')
  )) STORED,
  CONSTRAINT dynamic_links_id_in_project_unique UNIQUE (project_id, id)
);
COMMENT ON TABLE dynamic_links IS 'Where visitors of a path are sent, by device.';
COMMENT ON COLUMN dynamic_links.custom_path IS 'Copied into link_paths by trigger; that table alone decides uniqueness.';
COMMENT ON COLUMN dynamic_links.search_text IS 'What searches find: name, path and destinations, one per line, folded.';
COMMENT ON COLUMN dynamic_links.referrer_params IS 'Array of [key, value] pairs: jsonb objects do not keep the order of their keys.';
CREATE INDEX dynamic_links_by_created_at ON dynamic_links (project_id, created_at, id);
CREATE INDEX dynamic_links_by_updated_at ON dynamic_links (project_id, updated_at, id);
CREATE INDEX dynamic_links_by_name ON dynamic_links (project_id, name COLLATE "C", id);
CREATE INDEX dynamic_links_by_custom_path ON dynamic_links (project_id, custom_path, id);
-- An insertion that fills the list of new entries moves them into the index. A short list keeps that short.
CREATE INDEX dynamic_links_search ON dynamic_links USING gin (project_id, search_text gin_trgm_ops) WITH (gin_pending_list_limit = 64);

CREATE TABLE link_paths (
  project_id uuid NOT NULL,
  path text COLLATE "C" NOT NULL,
  dynamic_link_id uuid NOT NULL,
  CONSTRAINT link_paths_one_namespace PRIMARY KEY (project_id, path),
  -- By id alone: with the project too, the planner may check it by another index while the table is small, and keep that plan.
  CONSTRAINT link_paths_dynamic_link_fk FOREIGN KEY (dynamic_link_id) REFERENCES dynamic_links (id) ON DELETE CASCADE
);
COMMENT ON TABLE link_paths IS 'The one namespace of a project: every path that visitors can take, and the link it leads to. Written by triggers only.';
CREATE INDEX link_paths_by_dynamic_link ON link_paths (dynamic_link_id);

CREATE TABLE project_counts (
  project_id uuid NOT NULL CONSTRAINT project_counts_project_fk REFERENCES projects ON DELETE CASCADE,
  -- One of sixteen.
  -- squawk-ignore prefer-bigint-over-smallint
  shard smallint NOT NULL,
  dynamic_links bigint NOT NULL DEFAULT 0,
  CONSTRAINT project_counts_pkey PRIMARY KEY (project_id, shard)
);
COMMENT ON TABLE project_counts IS 'How many links a project has, as the sum over its shards (one may be negative). Kept by trigger, so that lists need no COUNT(*); sharded by connection, so that parallel creates do not queue for one row.';

CREATE FUNCTION count_dynamic_links(owner uuid, change bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO project_counts AS kept (project_id, shard, dynamic_links)
  SELECT id, pg_backend_pid() % 16, change FROM projects WHERE id = owner
  ON CONFLICT (project_id, shard) DO UPDATE SET dynamic_links = kept.dynamic_links + excluded.dynamic_links
$$;

CREATE FUNCTION dynamic_links_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In one order, so that two statements that create the same paths do not wait for each other.
  INSERT INTO link_paths (project_id, path, dynamic_link_id)
  SELECT project_id, custom_path, id FROM inserted ORDER BY project_id, custom_path;
  PERFORM count_dynamic_links(project_id, count(*)) FROM inserted GROUP BY project_id ORDER BY project_id;
  IF EXISTS (SELECT FROM inserted WHERE archived OR tag_ids <> '{}') THEN
    PERFORM count_archived_links(project_id, count(*)) FROM inserted WHERE archived GROUP BY project_id ORDER BY project_id;
    PERFORM count_tags(array_agg(tag_id), array_agg(1::bigint), array_agg(archived::int::bigint))
    FROM inserted CROSS JOIN LATERAL unnest(tag_ids) AS tag_id;
  END IF;
  RETURN NULL;
END $$;

-- A project that is being deleted is gone already when its links go: its counts go with it, and are not written again.
CREATE FUNCTION dynamic_links_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_dynamic_links(project_id, -count(*)) FROM deleted GROUP BY project_id ORDER BY project_id;
  RETURN NULL;
END $$;

CREATE FUNCTION dynamic_links_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Both rows in one order: two links that would swap their paths must not wait for each other.
  PERFORM FROM link_paths
  WHERE project_id = OLD.project_id AND path IN (OLD.custom_path, NEW.custom_path) ORDER BY path FOR UPDATE;
  UPDATE link_paths SET path = NEW.custom_path WHERE project_id = OLD.project_id AND path = OLD.custom_path;
  RETURN NULL;
END $$;

CREATE TRIGGER dynamic_links_inserted AFTER INSERT ON dynamic_links
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION dynamic_links_inserted();
CREATE TRIGGER dynamic_links_deleted AFTER DELETE ON dynamic_links
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION dynamic_links_deleted();
CREATE TRIGGER dynamic_links_moved AFTER UPDATE OF custom_path ON dynamic_links
  FOR EACH ROW WHEN (OLD.custom_path IS DISTINCT FROM NEW.custom_path) EXECUTE FUNCTION dynamic_links_moved();

CREATE FUNCTION purge_deleted_project(doomed uuid, batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM projects WHERE id = doomed AND deleted_at IS NOT NULL) THEN
    RETURN true;
  END IF;
  DELETE FROM short_links WHERE id IN (
    SELECT id FROM short_links WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED
  );
  IF FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM dynamic_links WHERE id IN (
    SELECT id FROM dynamic_links WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED
  );
  IF FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM deferred_links WHERE token_digest IN (
    SELECT token_digest FROM deferred_links WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED
  );
  IF FOUND THEN
    RETURN false;
  END IF;
  -- No import begins from here on, because its foreign key waits for this lock.
  PERFORM FROM projects WHERE id = doomed FOR UPDATE;
  PERFORM drop_import_data(id) FROM (SELECT id FROM imports WHERE project_id = doomed AND has_data LIMIT 1 FOR UPDATE) AS found;
  IF FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM projects WHERE id = doomed;
  RETURN true;
END $$;
COMMENT ON FUNCTION purge_deleted_project IS 'Removes the next batch of what a deleted project holds; true once nothing is left, the project included. Any number of processes may call it at once.';
