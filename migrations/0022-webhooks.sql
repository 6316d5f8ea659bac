-- Webhooks: endpoints of customers, and what was sent to them. Events are read from the journal. Nothing copies them.
-- squawk-ignore-file prefer-bigint-over-int

CREATE TABLE webhook_endpoints (
  id uuid CONSTRAINT webhook_endpoints_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT webhook_endpoints_account_fk REFERENCES accounts ON DELETE CASCADE,
  url text NOT NULL,
  description text,
  project_id uuid,
  event_types text[],
  tag_ids uuid[],
  per_link boolean NOT NULL,
  enabled boolean NOT NULL,
  disabled_at timestamptz(3),
  failing_since timestamptz(3),
  sealed_secret bytea NOT NULL,
  former_secret bytea,
  former_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT webhook_endpoints_disabled CHECK (disabled_at IS NULL OR NOT enabled)
);
COMMENT ON TABLE webhook_endpoints IS 'Addresses that get the events of an account. Creating one locks the row of the account.';
COMMENT ON COLUMN webhook_endpoints.project_id IS 'Only events of this project. No foreign key: the id of a deleted project matches no further event.';
COMMENT ON COLUMN webhook_endpoints.event_types IS 'Types such as link.updated, or link.* for all of a kind. Null: all.';
COMMENT ON COLUMN webhook_endpoints.tag_ids IS 'Only events of links that have one of the tags. Null: all.';
COMMENT ON COLUMN webhook_endpoints.disabled_at IS 'When the service disabled the endpoint, because it had failed for days. Null if a caller did.';
COMMENT ON COLUMN webhook_endpoints.failing_since IS 'The first failed attempt since the last success; null if the last attempt succeeded.';
COMMENT ON COLUMN webhook_endpoints.sealed_secret IS 'Encrypted with a key that is derived from API_KEY_PEPPER; so is the former one, which signs until former_until.';
CREATE INDEX webhook_endpoints_by_account ON webhook_endpoints (account_id, created_at, id);

CREATE TABLE webhook_positions (
  endpoint_id uuid CONSTRAINT webhook_positions_pkey PRIMARY KEY
    CONSTRAINT webhook_positions_endpoint_fk REFERENCES webhook_endpoints ON DELETE CASCADE,
  sequence bigint NOT NULL,
  waiting integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  leased_by uuid,
  leased_until timestamptz(3)
);
COMMENT ON TABLE webhook_positions IS 'The progress of each endpoint. A process leases an endpoint while it sends, and renews the lease.';
COMMENT ON COLUMN webhook_positions.sequence IS 'The last entry of the journal that was delivered, or has rows in webhook_deliveries.';
COMMENT ON COLUMN webhook_positions.waiting IS 'Events that wait for another attempt.';
COMMENT ON COLUMN webhook_positions.failures IS 'Failed attempts since the last success.';
COMMENT ON COLUMN webhook_positions.next_attempt_at IS 'When the next event that waits is due; null if none waits.';

CREATE TABLE webhook_deliveries (
  id uuid CONSTRAINT webhook_deliveries_pkey PRIMARY KEY,
  endpoint_id uuid NOT NULL CONSTRAINT webhook_deliveries_endpoint_fk REFERENCES webhook_endpoints ON DELETE CASCADE,
  sequence bigint NOT NULL,
  part integer NOT NULL,
  type text NOT NULL,
  resource_id uuid,
  state text NOT NULL CONSTRAINT webhook_deliveries_state_known CHECK (state IN ('waiting', 'delivered', 'failed')),
  attempts integer NOT NULL,
  first_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  next_attempt_at timestamptz(3),
  status integer,
  failure text,
  answer text,
  duration_ms integer,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT webhook_deliveries_event_unique UNIQUE (endpoint_id, sequence, part)
);
COMMENT ON TABLE webhook_deliveries IS 'The last attempt at each event. Finished ones are kept for a week. The journal has the content.';
COMMENT ON COLUMN webhook_deliveries.part IS 'The place of the resource in a batch, from 1. 0 for the whole entry.';
COMMENT ON COLUMN webhook_deliveries.next_attempt_at IS 'Null if the event waits behind an earlier one of the same resource.';
COMMENT ON COLUMN webhook_deliveries.answer IS 'The beginning of the body of the answer.';
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, sequence, part) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at) WHERE state <> 'waiting';

DO $$
DECLARE
  hidden constant text := '{failing_since,sealed_secret,former_secret,former_until}';
BEGIN
  EXECUTE format('CREATE TRIGGER webhook_endpoints_inserted_journaled AFTER INSERT ON webhook_endpoints REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal(%L, %L)', 'webhook', hidden);
  EXECUTE format('CREATE TRIGGER webhook_endpoints_updated_journaled AFTER UPDATE ON webhook_endpoints REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal(%L, %L)', 'webhook', hidden);
  EXECUTE format('CREATE TRIGGER webhook_endpoints_deleted_journaled AFTER DELETE ON webhook_endpoints REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal(%L, %L)', 'webhook', hidden);
END $$;
