-- Custom domains of projects, and those that are held since their project was deleted.

CREATE TABLE custom_domains (
  id uuid CONSTRAINT custom_domains_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT custom_domains_project_fk REFERENCES projects ON DELETE CASCADE,
  hostname text COLLATE "C" NOT NULL
    CONSTRAINT custom_domains_hostname_form CHECK (hostname ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$'),
  challenge text NOT NULL,
  active boolean NOT NULL DEFAULT false,
  open_host boolean NOT NULL DEFAULT false,
  verified_at timestamptz(3),
  checked_at timestamptz(3),
  record_missing_since timestamptz(3),
  next_check_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT custom_domains_hostname_in_project_unique UNIQUE (project_id, hostname),
  CONSTRAINT custom_domains_only_verified_active CHECK (NOT active OR verified_at IS NOT NULL),
  CONSTRAINT custom_domains_verified_checked CHECK ((verified_at IS NULL) = (next_check_at IS NULL))
);
COMMENT ON TABLE custom_domains IS 'Host names of customers. Any number of projects may claim one; the one that proved it has it, until its record has been missing for the grace time.';
COMMENT ON COLUMN custom_domains.hostname IS 'In lower case, internationalised names as A-labels, without the root''s dot: as a Host header has it.';
COMMENT ON COLUMN custom_domains.challenge IS 'The text that the TXT record must have. Each claim has another one.';
COMMENT ON COLUMN custom_domains.open_host IS 'Whether pages open the apps through this host. It counts while the domain is verified and not active.';
COMMENT ON COLUMN custom_domains.next_check_at IS 'The time of the next check. The process that checks moves it ahead first, so that no other process checks meanwhile.';
CREATE UNIQUE INDEX custom_domains_verified_unique ON custom_domains (hostname) WHERE verified_at IS NOT NULL;
CREATE UNIQUE INDEX custom_domains_one_active ON custom_domains (project_id) WHERE active;
CREATE UNIQUE INDEX custom_domains_one_open_host ON custom_domains (project_id) WHERE open_host;
CREATE INDEX custom_domains_by_created_at ON custom_domains (project_id, created_at, id);
CREATE INDEX custom_domains_to_check ON custom_domains (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX custom_domains_missing ON custom_domains (record_missing_since)
  WHERE verified_at IS NOT NULL AND record_missing_since IS NOT NULL;

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
CREATE TRIGGER projects_hosts_left AFTER UPDATE OF deleted_at ON projects
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION leave_hosts();
CREATE TRIGGER projects_hosts_lost BEFORE DELETE ON projects FOR EACH ROW EXECUTE FUNCTION leave_hosts();

-- A host that starts to lead to a project notifies too, because unlike those of links, caches remember hosts that lead nowhere. Pages of a
-- project name its open host. No cache has the time of a check.
CREATE FUNCTION announce_inserted_domains() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('hosts', array_agg(DISTINCT inserted.hostname)), announce('projects', array_agg(DISTINCT inserted.project_id::text))
  FROM inserted WHERE inserted.verified_at IS NOT NULL;
  RETURN NULL;
END $$;

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

CREATE TRIGGER custom_domains_inserted_announced AFTER INSERT ON custom_domains
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION announce_inserted_domains();
CREATE TRIGGER custom_domains_updated_announced AFTER UPDATE ON custom_domains
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_domains();
CREATE TRIGGER custom_domains_deleted_announced AFTER DELETE ON custom_domains
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_domains();
CREATE TRIGGER custom_domains_truncated_announced AFTER TRUNCATE ON custom_domains EXECUTE FUNCTION announce_everything();

CREATE TABLE association_checks (
  domain_id uuid CONSTRAINT association_checks_pkey PRIMARY KEY
    CONSTRAINT association_checks_domain_fk REFERENCES custom_domains ON DELETE CASCADE,
  next_check_at timestamptz(3) NOT NULL,
  -- squawk-ignore prefer-bigint-over-int
  failures integer NOT NULL DEFAULT 0,
  is_failing boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE association_checks IS 'Checks of the association files of custom domains, for webhooks that want to know when phones do not get them any more.';
COMMENT ON COLUMN association_checks.failures IS 'Failed checks since the last success.';
COMMENT ON COLUMN association_checks.is_failing IS 'Whether the last event is that of a failure.';
