-- Accounts, their people and keys.
--
-- The order of a list is always (owner, sort column, id), and each such order has its index. Names sort by Unicode code point
-- (COLLATE "C"), so that order does not change with the operating system's locale data.
-- squawk-ignore-file prefer-bigint-over-int

CREATE TABLE accounts (
  id uuid CONSTRAINT accounts_pkey PRIMARY KEY,
  name text NOT NULL,
  plan text NOT NULL CONSTRAINT accounts_plan_known CHECK (plan IN ('free', 'pro', 'enterprise')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  frozen boolean NOT NULL DEFAULT false,
  disabled boolean NOT NULL DEFAULT false,
  max_key_age_days integer
);
COMMENT ON TABLE accounts IS 'Tenants. Each has a plan and owns users, API keys and projects. Creating under a quota locks the account''s row.';

COMMENT ON COLUMN accounts.frozen IS 'Whether its owner has stopped all changes.';
COMMENT ON COLUMN accounts.disabled IS 'Whether the operator has stopped all requests to the API.';
COMMENT ON COLUMN accounts.max_key_age_days IS 'Days after which an API key is refused; null for no limit.';

CREATE TABLE users (
  id uuid CONSTRAINT users_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT users_account_fk REFERENCES accounts ON DELETE CASCADE,
  email text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT users_id_in_account_unique UNIQUE (account_id, id)
);
COMMENT ON TABLE users IS 'People of an account. The first one of an account owns what its API keys make.';

CREATE TABLE user_identities (
  account_id uuid NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT user_identities_pkey PRIMARY KEY (account_id, issuer, subject),
  CONSTRAINT user_identities_user_fk FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE user_identities IS 'By which name an identity provider knows a user. Written once, at the first request of that person; the key decides which of many parallel first requests makes the user.';
COMMENT ON COLUMN user_identities.subject IS 'Unique within its issuer only (OpenID Connect Core, section 5.7).';
CREATE INDEX user_identities_by_user ON user_identities (account_id, user_id);

CREATE TABLE members (
  id uuid CONSTRAINT members_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT members_account_fk REFERENCES accounts ON DELETE CASCADE,
  email text,
  subject text COLLATE "C",
  user_id uuid,
  role text CONSTRAINT members_role_known CHECK (role IN ('viewer', 'editor', 'admin', 'owner')),
  project_roles jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT members_named CHECK (email IS NOT NULL OR subject IS NOT NULL),
  CONSTRAINT members_user_fk FOREIGN KEY (account_id, user_id) REFERENCES users (account_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE members IS 'People who have roles in an account. Each is invited by address or subject, and bound to a user at the first sign-in. Changes lock the account''s row, so that an owner remains.';
COMMENT ON COLUMN members.email IS 'In lower case.';
COMMENT ON COLUMN members.role IS 'In the whole account. Null: only in projects.';
COMMENT ON COLUMN members.project_roles IS 'Roles by the ids of projects. The id of a deleted project matches none.';
CREATE UNIQUE INDEX members_email_unique ON members (account_id, email);
CREATE UNIQUE INDEX members_subject_unique ON members (account_id, subject);
CREATE UNIQUE INDEX members_user_unique ON members (account_id, user_id);
CREATE INDEX members_by_account ON members (account_id, created_at, id);

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
  scopes text[],
  project_ids uuid[],
  allowed_networks text[],
  destination_hosts text[],
  publishable boolean NOT NULL DEFAULT false,
  allowed_origins text[],
  links_per_day integer,
  CONSTRAINT api_keys_limits_bounded CHECK (
    cardinality(scopes) <= 50 AND cardinality(project_ids) <= 50 AND cardinality(allowed_networks) <= 20
      AND cardinality(destination_hosts) <= 50 AND cardinality(allowed_origins) <= 20
  ),
  CONSTRAINT api_keys_publishable_limited CHECK (
    CASE WHEN publishable
      THEN allowed_origins IS NOT NULL AND project_ids IS NOT NULL AND scopes <@ '{links:create,conversions:write}'
        AND (destination_hosts IS NOT NULL OR NOT 'links:create' = ANY (scopes))
      ELSE allowed_origins IS NULL AND links_per_day IS NULL
    END IS TRUE
  )
);
COMMENT ON TABLE api_keys IS 'API keys. Of the key itself only an HMAC-SHA-256 is kept, and its first characters to recognise it by.';
COMMENT ON COLUMN api_keys.user_id IS 'The user in whose name the key acts. No foreign key: the key stays when the user is erased.';
COMMENT ON COLUMN api_keys.scopes IS 'Permissions of the key. Null: all.';
COMMENT ON COLUMN api_keys.project_ids IS 'Projects that the key may use. Null: all of the account. No foreign keys: the id of a deleted project matches none.';
COMMENT ON COLUMN api_keys.allowed_networks IS 'Networks in CIDR notation that requests may come from. Null: all.';
COMMENT ON COLUMN api_keys.destination_hosts IS 'Hosts to which links that the key writes may lead, as patterns. Null: all.';
COMMENT ON COLUMN api_keys.publishable IS 'Whether the key may stand in pages, which everybody can read.';
COMMENT ON COLUMN api_keys.allowed_origins IS 'Origins of the pages that use a publishable key.';
COMMENT ON COLUMN api_keys.links_per_day IS 'Links that a publishable key creates in a day (UTC). Null: the default.';

CREATE TABLE api_key_days (
  api_key_id uuid CONSTRAINT api_key_days_pkey PRIMARY KEY CONSTRAINT api_key_days_key_fk REFERENCES api_keys ON DELETE CASCADE,
  day date NOT NULL,
  created integer NOT NULL
);
COMMENT ON TABLE api_key_days IS 'Links that each publishable key has created on its last day (UTC).';

CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at, id);
CREATE INDEX api_keys_live ON api_keys (account_id, created_at, id) WHERE revoked_at IS NULL;

CREATE FUNCTION announce_updated_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('accounts', array_agg(changed.id::text)) FROM changed LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.plan, changed.frozen, changed.disabled, changed.max_key_age_days)
    IS DISTINCT FROM (updated.plan, updated.frozen, updated.disabled, updated.max_key_age_days);
  RETURN NULL;
END $$;

-- When a key was last used is written every few seconds. No cache has it.
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

CREATE TRIGGER accounts_updated_announced AFTER UPDATE ON accounts
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_accounts();
CREATE TRIGGER accounts_truncated_announced AFTER TRUNCATE ON accounts EXECUTE FUNCTION announce_everything();
CREATE TRIGGER api_keys_updated_announced AFTER UPDATE ON api_keys
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_keys();
CREATE TRIGGER api_keys_deleted_announced AFTER DELETE ON api_keys
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_keys();
CREATE TRIGGER api_keys_truncated_announced AFTER TRUNCATE ON api_keys EXECUTE FUNCTION announce_everything();
