-- Projects, the subdomains that they answer on, and the numbers of their links.

CREATE TABLE projects (
  id uuid CONSTRAINT projects_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT projects_account_fk REFERENCES accounts ON DELETE CASCADE,
  user_id uuid NOT NULL,
  name text NOT NULL,
  subdomain text COLLATE "C" NOT NULL CONSTRAINT projects_subdomain_form CHECK (subdomain ~ '^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$'),
  root_url text,
  not_found_url text,
  expired_url text,
  query_forwarding text NOT NULL DEFAULT 'all',
  forwarded_params text[] NOT NULL DEFAULT '{}',
  allowed_schemes text[] NOT NULL DEFAULT '{}',
  long_link_destinations text[] NOT NULL DEFAULT '{}',
  destination_hosts text[] NOT NULL DEFAULT '{}',
  release_guard text NOT NULL DEFAULT 'warn',
  -- squawk-ignore prefer-bigint-over-int
  retire_releases_after_days integer,
  -- squawk-ignore prefer-bigint-over-int
  retire_releases_below_percent integer,
  conversions boolean NOT NULL DEFAULT false,
  click_id_param text NOT NULL DEFAULT 'click_id',
  -- squawk-ignore prefer-bigint-over-int
  conversion_window_days integer NOT NULL DEFAULT 30
    CONSTRAINT projects_conversion_window_range CHECK (conversion_window_days BETWEEN 1 AND 90),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3)
);
COMMENT ON TABLE projects IS 'Top-level containers. The subdomain is the host of every link inside; no URL is stored.';
COMMENT ON COLUMN projects.user_id IS 'The user who created it. No foreign key: the project stays when the user is erased.';
COMMENT ON COLUMN projects.root_url IS 'Where visitors of `/` are sent; null for a page with the status 404.';
COMMENT ON COLUMN projects.expired_url IS 'Where visitors of links that have ended are sent; null for a page with the status 410.';
COMMENT ON COLUMN projects.not_found_url IS 'Where visitors of unknown paths are sent; null for a page with the status 404.';
COMMENT ON COLUMN projects.query_forwarding IS 'Which parameters of visitors destinations get: all, none or listed. Links can have another value.';
COMMENT ON COLUMN projects.forwarded_params IS 'Names of the parameters if query_forwarding is listed.';
COMMENT ON COLUMN projects.allowed_schemes IS 'Schemes that destinations of links may have beside http and https.';
COMMENT ON COLUMN projects.long_link_destinations IS 'The hosts to which long links may lead, as patterns; empty if the project serves none.';
COMMENT ON COLUMN projects.destination_hosts IS 'The hosts to which later writes of links may lead, as patterns; empty for all hosts.';
COMMENT ON COLUMN projects.release_guard IS 'Treatment of a change that breaks a released version of an app: refuse, warn or off.';
COMMENT ON COLUMN projects.retire_releases_after_days IS 'The age at which a release counts as retired; null for never.';
COMMENT ON COLUMN projects.retire_releases_below_percent IS 'The share of opens of the last 30 days below which a release retires; null for never.';
COMMENT ON COLUMN projects.conversions IS 'Whether visits of all its links get click ids.';
COMMENT ON COLUMN projects.click_id_param IS 'The query parameter of destinations that has the click id.';
COMMENT ON COLUMN projects.conversion_window_days IS 'How many days after the click conversions count.';
COMMENT ON COLUMN projects.deleted_at IS 'A deleted project is gone for everybody at once; what it holds is then purged in batches, and the row last.';
CREATE UNIQUE INDEX projects_subdomain_unique ON projects (subdomain) WHERE deleted_at IS NULL;
CREATE INDEX projects_by_created_at ON projects (account_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX projects_by_updated_at ON projects (account_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX projects_by_name ON projects (account_id, name COLLATE "C", id) WHERE deleted_at IS NULL;
CREATE INDEX projects_by_subdomain ON projects (account_id, subdomain, id) WHERE deleted_at IS NULL;
CREATE INDEX projects_to_purge ON projects (deleted_at) WHERE deleted_at IS NOT NULL;

-- One row for each name: the current subdomain of a project, or one that the project left and still answers on. Names of deleted
-- projects are held for their account.
CREATE TABLE subdomains (
  name text COLLATE "C" CONSTRAINT subdomains_pkey PRIMARY KEY,
  account_id uuid CONSTRAINT subdomains_account_fk REFERENCES accounts ON DELETE SET NULL,
  -- Deferred, because a new project claims its name before its row exists.
  project_id uuid CONSTRAINT subdomains_project_fk REFERENCES projects ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
  left_at timestamptz(3),
  CONSTRAINT subdomains_used_or_left CHECK (project_id IS NOT NULL OR left_at IS NOT NULL)
);
COMMENT ON TABLE subdomains IS 'Who has a name under the link domain. Written by triggers of projects; holds that are over are removed by the service.';
COMMENT ON COLUMN subdomains.project_id IS 'The project that answers on the name; null where it was deleted, and the name is held for its account.';
COMMENT ON COLUMN subdomains.left_at IS 'When the project took another name, or was deleted; null for the current name of a project.';
CREATE INDEX subdomains_by_project ON subdomains (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX subdomains_held_by_account ON subdomains (account_id, left_at) WHERE project_id IS NULL;
CREATE INDEX subdomains_held ON subdomains (left_at) WHERE project_id IS NULL;

-- The name is claimed before the row of the project is written, in one order for all. Otherwise two projects that want the names of
-- each other would wait for each other. The refusal has the name of the index that refuses current names, and says whether the name
-- is in use or held.
CREATE FUNCTION claim_subdomain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subdomains AS known (name, account_id, project_id) VALUES (NEW.subdomain, NEW.account_id, NEW.id)
  ON CONFLICT (name) DO UPDATE SET account_id = excluded.account_id, project_id = excluded.project_id, left_at = NULL
    WHERE known.project_id = NEW.id OR (known.project_id IS NULL AND known.account_id = NEW.account_id);
  IF NOT FOUND THEN
    -- The refused insertion has locked the row, so it is still the one that refused.
    RAISE unique_violation USING
      MESSAGE = 'the subdomain is used, or held for the account that had it',
      DETAIL = (SELECT CASE WHEN project_id IS NULL THEN 'held' ELSE 'used' END FROM subdomains WHERE name = NEW.subdomain),
      TABLE = 'projects', CONSTRAINT = 'projects_subdomain_unique';
  END IF;
  IF TG_OP = 'UPDATE' THEN
    UPDATE subdomains SET left_at = now() WHERE name = OLD.subdomain AND name <> NEW.subdomain AND project_id = NEW.id;
  END IF;
  RETURN NEW;
END $$;
COMMENT ON FUNCTION claim_subdomain IS 'Gives a project its name: a free one, one that it had before, or one that is held for its account.';
CREATE TRIGGER projects_subdomain_claimed BEFORE INSERT ON projects
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL) EXECUTE FUNCTION claim_subdomain();
CREATE TRIGGER projects_subdomain_changed BEFORE UPDATE OF subdomain, deleted_at ON projects
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL AND (OLD.subdomain <> NEW.subdomain OR OLD.deleted_at IS NOT NULL))
  EXECUTE FUNCTION claim_subdomain();

CREATE TABLE project_counts (
  project_id uuid NOT NULL CONSTRAINT project_counts_project_fk REFERENCES projects ON DELETE CASCADE,
  -- squawk-ignore prefer-bigint-over-smallint
  shard smallint NOT NULL,
  dynamic_links bigint NOT NULL DEFAULT 0,
  short_links bigint NOT NULL DEFAULT 0,
  archived_links bigint NOT NULL DEFAULT 0,
  CONSTRAINT project_counts_pkey PRIMARY KEY (project_id, shard)
);
COMMENT ON TABLE project_counts IS 'How many links a project has, as the sum over its shards (one may be negative). Kept by trigger, so that lists need no COUNT(*); sharded by connection, so that parallel creates do not queue for one row.';
COMMENT ON COLUMN project_counts.archived_links IS 'How many of the dynamic links are archived.';

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

CREATE FUNCTION count_links(owner uuid, dynamic bigint, archived bigint, short bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO project_counts AS stored (project_id, shard, dynamic_links, archived_links, short_links)
  SELECT id, count_shard(), dynamic, archived, short FROM projects WHERE id = owner
  ON CONFLICT (project_id, shard) DO UPDATE SET dynamic_links = stored.dynamic_links + excluded.dynamic_links,
    archived_links = stored.archived_links + excluded.archived_links, short_links = stored.short_links + excluded.short_links
$$;
COMMENT ON FUNCTION count_links IS 'Adds differences to the counts of a project. A project that is gone has no counts.';

CREATE FUNCTION purge_deleted_project(doomed uuid, batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM projects WHERE id = doomed AND deleted_at IS NOT NULL) THEN RETURN true; END IF;
  DELETE FROM short_links WHERE id IN (SELECT id FROM short_links WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED);
  IF FOUND THEN RETURN false; END IF;
  DELETE FROM dynamic_links WHERE id IN (SELECT id FROM dynamic_links WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED);
  IF FOUND THEN RETURN false; END IF;
  DELETE FROM deferred_links WHERE token_digest IN (
    SELECT token_digest FROM deferred_links WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED
  );
  IF FOUND THEN RETURN false; END IF;
  DELETE FROM click_ids WHERE digest IN (SELECT digest FROM click_ids WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED);
  IF FOUND THEN RETURN false; END IF;
  DELETE FROM conversions WHERE project_id = doomed AND key IN (
    SELECT key FROM conversions WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED
  );
  IF FOUND THEN RETURN false; END IF;
  DELETE FROM pictures WHERE id IN (SELECT id FROM pictures WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED);
  IF FOUND THEN RETURN false; END IF;
  -- No import begins from here on, because its foreign key waits for this lock.
  PERFORM FROM projects WHERE id = doomed FOR UPDATE;
  PERFORM drop_import_data(id) FROM (SELECT id FROM imports WHERE project_id = doomed AND has_data LIMIT 1 FOR UPDATE) AS matching;
  IF FOUND THEN RETURN false; END IF;
  DELETE FROM projects WHERE id = doomed;
  RETURN true;
END $$;
COMMENT ON FUNCTION purge_deleted_project IS 'Removes the next batch of what a deleted project holds; true once nothing is left, the project included. Any number of processes may call it at once.';

-- Visitors notice these columns at once.
CREATE FUNCTION announce_updated_projects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('projects', array_agg(changed.id::text)) FROM changed LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.subdomain, changed.deleted_at, changed.long_link_destinations, changed.root_url, changed.not_found_url,
         changed.query_forwarding, changed.forwarded_params, changed.expired_url, changed.conversions, changed.click_id_param)
    IS DISTINCT FROM
        (updated.subdomain, updated.deleted_at, updated.long_link_destinations, updated.root_url, updated.not_found_url,
         updated.query_forwarding, updated.forwarded_params, updated.expired_url, updated.conversions, updated.click_id_param);
  RETURN NULL;
END $$;

CREATE FUNCTION announce_deleted_projects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('projects', array_agg(changed.id::text)) FROM changed WHERE changed.deleted_at IS NULL;
  RETURN NULL;
END $$;

-- Triggers of a project notify when it leaves a name or is deleted. This one notifies when another project takes its name.
CREATE FUNCTION announce_deleted_subdomains() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('projects', array_agg(DISTINCT changed.project_id::text)) FROM changed WHERE changed.project_id IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER projects_updated_announced AFTER UPDATE ON projects
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_projects();
CREATE TRIGGER projects_deleted_announced AFTER DELETE ON projects
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_projects();
CREATE TRIGGER projects_truncated_announced AFTER TRUNCATE ON projects EXECUTE FUNCTION announce_everything();
CREATE TRIGGER subdomains_deleted_announced AFTER DELETE ON subdomains
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_subdomains();
CREATE TRIGGER subdomains_truncated_announced AFTER TRUNCATE ON subdomains EXECUTE FUNCTION announce_everything();
