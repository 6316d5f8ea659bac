-- Pages with statistics that people without an account read under an unguessable address.

CREATE TABLE statistic_shares (
  id uuid CONSTRAINT statistic_shares_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT statistic_shares_project_fk REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  dynamic_link_id uuid CONSTRAINT statistic_shares_dynamic_link_fk REFERENCES dynamic_links ON DELETE CASCADE,
  tag_id uuid CONSTRAINT statistic_shares_tag_fk REFERENCES tags ON DELETE CASCADE,
  timezone text NOT NULL,
  token_digest bytea NOT NULL,
  password_hash bytea,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT statistic_shares_one_subject CHECK (dynamic_link_id IS NULL OR tag_id IS NULL)
);
COMMENT ON TABLE statistic_shares IS 'Pages with the statistics of a project, a link or a tag, until they expire or are revoked.';
COMMENT ON COLUMN statistic_shares.token_digest IS 'SHA-256 of the random part of the address.';
COMMENT ON COLUMN statistic_shares.password_hash IS '16 bytes of salt and 32 bytes of scrypt; null without a password.';
CREATE UNIQUE INDEX statistic_shares_token_unique ON statistic_shares (token_digest);
CREATE INDEX statistic_shares_in_order ON statistic_shares (project_id, created_at, id);
CREATE INDEX statistic_shares_by_dynamic_link ON statistic_shares (dynamic_link_id) WHERE dynamic_link_id IS NOT NULL;
CREATE INDEX statistic_shares_by_tag ON statistic_shares (tag_id) WHERE tag_id IS NOT NULL;

DO $$
DECLARE
  hidden constant text := '{token_digest,password_hash}';
BEGIN
  EXECUTE format('CREATE TRIGGER statistic_shares_inserted_journaled AFTER INSERT ON statistic_shares REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal(%L, %L)', 'share', hidden);
  EXECUTE format('CREATE TRIGGER statistic_shares_deleted_journaled AFTER DELETE ON statistic_shares REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal(%L, %L)', 'share', hidden);
END $$;
