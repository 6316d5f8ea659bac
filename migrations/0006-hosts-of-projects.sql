-- Every name that a project answers on: its subdomain, the subdomains that it had before, and custom domains.

-- One name, one row: the current subdomain of every project, those that projects left and still answer on, and those that are
-- held for an account since their project was deleted.
CREATE TABLE subdomains (
  name text COLLATE "C" CONSTRAINT subdomains_pkey PRIMARY KEY,
  account_id uuid CONSTRAINT subdomains_account_fk REFERENCES accounts ON DELETE SET NULL,
  project_id uuid,
  left_at timestamptz(3),
  CONSTRAINT subdomains_used_or_left CHECK (project_id IS NOT NULL OR left_at IS NOT NULL)
);
COMMENT ON TABLE subdomains IS 'Who has a name under the link domain. Written by triggers of projects; holds that are over are removed by the service.';
COMMENT ON COLUMN subdomains.project_id IS 'The project that answers on the name; null where it was deleted, and the name is held for its account.';
COMMENT ON COLUMN subdomains.left_at IS 'When the project took another name, or was deleted; null for the current name of a project.';
CREATE INDEX subdomains_by_project ON subdomains (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX subdomains_held_by_account ON subdomains (account_id, left_at) WHERE project_id IS NULL;
CREATE INDEX subdomains_held ON subdomains (left_at) WHERE project_id IS NULL;

-- Before anything locks the projects: this is as long as there are many of them.
INSERT INTO subdomains (name, account_id, project_id, left_at)
SELECT subdomain, account_id, id, NULL FROM projects WHERE deleted_at IS NULL;
INSERT INTO subdomains (name, account_id, project_id, left_at)
SELECT subdomain, account_id, NULL, deleted_at FROM projects WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC
ON CONFLICT DO NOTHING;

-- The name is claimed before the project's row is written, for every program in the same order: two that want each other's names
-- must not wait for each other. It is refused by the name of the index that refuses current names, which every release knows.
CREATE FUNCTION claim_subdomain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO subdomains AS known (name, account_id, project_id) VALUES (NEW.subdomain, NEW.account_id, NEW.id)
  ON CONFLICT (name) DO UPDATE SET account_id = excluded.account_id, project_id = excluded.project_id, left_at = NULL
    WHERE known.project_id = NEW.id OR (known.project_id IS NULL AND known.account_id = NEW.account_id);
  IF NOT FOUND THEN
    RAISE unique_violation USING
      MESSAGE = 'the subdomain is used, or held for the account that had it',
      TABLE = 'projects', CONSTRAINT = 'projects_subdomain_unique';
  END IF;
  IF TG_OP = 'UPDATE' THEN
    UPDATE subdomains SET left_at = now() WHERE name = OLD.subdomain AND name <> NEW.subdomain AND project_id = NEW.id;
  END IF;
  RETURN NEW;
END $$;
COMMENT ON FUNCTION claim_subdomain IS 'Gives a project its name: a free one, one that it had before, or one that is held for its account.';

CREATE FUNCTION leave_hosts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE subdomains SET project_id = NULL, left_at = now() WHERE project_id = OLD.id;
  WITH gone AS (DELETE FROM custom_domains WHERE project_id = OLD.id RETURNING hostname, challenge, verified_at)
  INSERT INTO held_domains (hostname, challenge, account_id, left_at)
  SELECT gone.hostname, gone.challenge, a.id, now() FROM gone JOIN accounts a ON a.id = OLD.account_id WHERE gone.verified_at IS NOT NULL
  ON CONFLICT DO NOTHING;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
COMMENT ON FUNCTION leave_hosts IS 'A deleted project answers nowhere: its subdomains are held for the account from now on, and so are proved custom domains while their record stands.';

CREATE TRIGGER projects_subdomain_claimed BEFORE INSERT ON projects
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL) EXECUTE FUNCTION claim_subdomain();
CREATE TRIGGER projects_subdomain_changed BEFORE UPDATE OF subdomain, deleted_at ON projects
  FOR EACH ROW WHEN (NEW.deleted_at IS NULL AND (OLD.subdomain <> NEW.subdomain OR OLD.deleted_at IS NOT NULL))
  EXECUTE FUNCTION claim_subdomain();
CREATE TRIGGER projects_hosts_left AFTER UPDATE OF deleted_at ON projects
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION leave_hosts();
CREATE TRIGGER projects_hosts_lost BEFORE DELETE ON projects FOR EACH ROW EXECUTE FUNCTION leave_hosts();

-- What happened to projects between the copy above and the triggers.
UPDATE subdomains SET left_at = now() FROM projects p
WHERE p.id = subdomains.project_id AND p.deleted_at IS NULL AND p.subdomain <> subdomains.name;
UPDATE subdomains SET project_id = NULL, left_at = now()
WHERE project_id IS NOT NULL AND NOT EXISTS (SELECT FROM projects p WHERE p.id = subdomains.project_id AND p.deleted_at IS NULL);
INSERT INTO subdomains (name, account_id, project_id, left_at)
SELECT p.subdomain, p.account_id, p.id, NULL FROM projects p WHERE p.deleted_at IS NULL AND NOT EXISTS (
  SELECT FROM subdomains s WHERE s.name = p.subdomain AND s.project_id = p.id AND s.left_at IS NULL
)
ON CONFLICT (name) DO UPDATE SET account_id = excluded.account_id, project_id = excluded.project_id, left_at = NULL;

-- Deferred: a new project claims its name before its row is there.
ALTER TABLE subdomains ADD CONSTRAINT subdomains_project_fk FOREIGN KEY (project_id) REFERENCES projects
  ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED NOT VALID;

CREATE TABLE custom_domains (
  id uuid CONSTRAINT custom_domains_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT custom_domains_project_fk REFERENCES projects ON DELETE CASCADE,
  hostname text COLLATE "C" NOT NULL,
  challenge text NOT NULL,
  active boolean NOT NULL DEFAULT false,
  verified_at timestamptz(3),
  checked_at timestamptz(3),
  record_missing_since timestamptz(3),
  next_check_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT custom_domains_id_in_project_unique UNIQUE (project_id, id),
  CONSTRAINT custom_domains_hostname_in_project_unique UNIQUE (project_id, hostname),
  CONSTRAINT custom_domains_hostname_form CHECK (hostname ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$'),
  CONSTRAINT custom_domains_only_verified_active CHECK (NOT active OR verified_at IS NOT NULL),
  CONSTRAINT custom_domains_verified_checked CHECK ((verified_at IS NULL) = (next_check_at IS NULL))
);
COMMENT ON TABLE custom_domains IS 'Host names of customers. Any number of projects may claim one; the one that proved it has it, until its record has been missing for the grace time.';
COMMENT ON COLUMN custom_domains.hostname IS 'In lower case, internationalised names as A-labels, without the root''s dot: as a Host header has it.';
COMMENT ON COLUMN custom_domains.challenge IS 'What the TXT record must say. Each claim has its own.';
COMMENT ON COLUMN custom_domains.next_check_at IS 'When the record is looked for again. Whoever does moves it ahead first, so that nobody else does meanwhile.';
CREATE UNIQUE INDEX custom_domains_verified_unique ON custom_domains (hostname) WHERE verified_at IS NOT NULL;
CREATE UNIQUE INDEX custom_domains_one_active ON custom_domains (project_id) WHERE active;
CREATE INDEX custom_domains_by_created_at ON custom_domains (project_id, created_at, id);
CREATE INDEX custom_domains_to_check ON custom_domains (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX custom_domains_missing ON custom_domains (record_missing_since)
  WHERE verified_at IS NOT NULL AND record_missing_since IS NOT NULL;

-- Custom domains that deleted projects had.
CREATE TABLE held_domains (
  hostname text COLLATE "C" NOT NULL,
  challenge text NOT NULL,
  account_id uuid NOT NULL CONSTRAINT held_domains_account_fk REFERENCES accounts ON DELETE CASCADE,
  left_at timestamptz(3) NOT NULL,
  CONSTRAINT held_domains_pkey PRIMARY KEY (hostname, challenge)
);
COMMENT ON TABLE held_domains IS 'Proofs of deleted projects: as long as its record stands, the host name is nobody''s but the account''s. Written by triggers of projects; holds that are over are removed by the service.';
CREATE INDEX held_domains_by_account ON held_domains (account_id);
CREATE INDEX held_domains_by_left_at ON held_domains (left_at);

-- Announcements, as in 0003. Hosts are announced when they come to lead to a project too: unlike links, hosts that lead nowhere are
-- known by heart. What a check notes of a domain is nobody's business.
CREATE FUNCTION announce_inserted_domains() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('hosts', array_agg(DISTINCT inserted.hostname)), announce('projects', array_agg(DISTINCT inserted.project_id::text))
  FROM inserted WHERE inserted.verified_at IS NOT NULL;
  RETURN NULL;
END $$;

-- Pages of a project name its open host.
CREATE FUNCTION announce_updated_domains() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('hosts', array_agg(DISTINCT changed.hostname)), announce('projects', array_agg(DISTINCT changed.project_id::text))
  FROM changed LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.hostname, changed.project_id, changed.verified_at IS NULL, changed.active, changed.open_host)
    IS DISTINCT FROM (updated.hostname, updated.project_id, updated.verified_at IS NULL, updated.active, updated.open_host);
  PERFORM announce('hosts', array_agg(DISTINCT updated.hostname)) FROM updated JOIN changed ON updated.id = changed.id
  WHERE updated.hostname <> changed.hostname;
  RETURN NULL;
END $$;

CREATE FUNCTION announce_deleted_domains() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('hosts', array_agg(DISTINCT changed.hostname)), announce('projects', array_agg(DISTINCT changed.project_id::text))
  FROM changed WHERE changed.verified_at IS NOT NULL;
  RETURN NULL;
END $$;

-- A project that leaves a name or is deleted is announced by its own triggers: this is for names taken from it.
CREATE FUNCTION announce_deleted_subdomains() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('projects', array_agg(DISTINCT changed.project_id::text)) FROM changed WHERE changed.project_id IS NOT NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER custom_domains_inserted_announced AFTER INSERT ON custom_domains
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION announce_inserted_domains();
CREATE TRIGGER custom_domains_updated_announced AFTER UPDATE ON custom_domains
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_domains();
CREATE TRIGGER custom_domains_deleted_announced AFTER DELETE ON custom_domains
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_domains();
CREATE TRIGGER subdomains_deleted_announced AFTER DELETE ON subdomains
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_subdomains();
CREATE TRIGGER custom_domains_truncated_announced AFTER TRUNCATE ON custom_domains EXECUTE FUNCTION announce_everything();
CREATE TRIGGER subdomains_truncated_announced AFTER TRUNCATE ON subdomains EXECUTE FUNCTION announce_everything();

-- Of two tables of which one is new: nobody reads it yet, and checking locks no projects.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE subdomains VALIDATE CONSTRAINT subdomains_project_fk;
