-- People who sign in at the customer's identity provider, and the keys that they manage.

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

-- Until now keys were made from the shell alone: there are few, and the index is built in an instant.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX api_keys_live ON api_keys (account_id, created_at, id) WHERE revoked_at IS NULL;
