-- Webhooks: endpoints of customers, and what was sent to them. Events are read from the journal. Nothing copies them.
-- squawk-ignore-file prefer-bigint-over-int

CREATE TABLE webhook_endpoints (
  id uuid CONSTRAINT webhook_endpoints_pkey PRIMARY KEY,
  account_id uuid NOT NULL CONSTRAINT webhook_endpoints_account_fk REFERENCES accounts ON DELETE CASCADE,
  url text NOT NULL,
  description text,
  project_id uuid,
  event_types text[],
  selecting_since timestamptz NOT NULL,
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
COMMENT ON COLUMN webhook_endpoints.selecting_since IS 'When project_id and event_types were last set.';
COMMENT ON COLUMN webhook_endpoints.tag_ids IS 'Only events of links that have one of the tags. Null: all.';
COMMENT ON COLUMN webhook_endpoints.disabled_at IS 'When the service disabled the endpoint, because it had failed for days. Null if a caller did.';
COMMENT ON COLUMN webhook_endpoints.failing_since IS 'The first failed attempt since the last success; null if the last attempt succeeded.';
COMMENT ON COLUMN webhook_endpoints.sealed_secret IS 'Encrypted with a key that is derived from API_KEY_PEPPER; so is the former one, which signs until former_until.';
CREATE INDEX webhook_endpoints_by_account ON webhook_endpoints (account_id, created_at, id);

CREATE FUNCTION note_selection() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Waits for opens and claims that are being counted without this selection.
  PERFORM pg_advisory_xact_lock(1668049251, 7);
  NEW.selecting_since := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER webhook_endpoints_inserted_selection BEFORE INSERT ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION note_selection();
CREATE TRIGGER webhook_endpoints_updated_selection BEFORE UPDATE ON webhook_endpoints FOR EACH ROW
  WHEN ((OLD.project_id, OLD.event_types) IS DISTINCT FROM (NEW.project_id, NEW.event_types)) EXECUTE FUNCTION note_selection();

CREATE FUNCTION is_event_selected(event_types text[], type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT event_types IS NULL OR type = ANY (event_types) OR split_part(type, '.', 1) || '.*' = ANY (event_types)
$$;
COMMENT ON FUNCTION is_event_selected IS 'Whether `event_types` of an endpoint name the type or its kind. Null names all.';

CREATE FUNCTION selecting_projects(type text) RETURNS uuid[] LANGUAGE sql STABLE AS $$
  SELECT ARRAY(
    SELECT DISTINCT project.id FROM webhook_endpoints AS endpoint
    JOIN projects AS project ON project.account_id = endpoint.account_id AND coalesce(endpoint.project_id = project.id, true)
    WHERE is_event_selected(endpoint.event_types, selecting_projects.type)
  )
$$;
COMMENT ON FUNCTION selecting_projects IS 'The projects whose events of the type an endpoint selects, enabled or not.';

CREATE FUNCTION selected_since(project uuid, type text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT min(endpoint.selecting_since) FROM projects
  JOIN webhook_endpoints AS endpoint ON endpoint.account_id = projects.account_id AND coalesce(endpoint.project_id = projects.id, true)
  WHERE projects.id = project AND projects.deleted_at IS NULL AND is_event_selected(endpoint.event_types, selected_since.type)
$$;
COMMENT ON FUNCTION selected_since IS 'Since when an endpoint selects events of the type in the project, enabled or not. Null if no endpoint does.';

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
  hidden constant text := '{failing_since,selecting_since,sealed_secret,former_secret,former_until}';
BEGIN
  EXECUTE format('CREATE TRIGGER webhook_endpoints_inserted_journaled AFTER INSERT ON webhook_endpoints REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal(%L, %L)', 'webhook', hidden);
  EXECUTE format('CREATE TRIGGER webhook_endpoints_updated_journaled AFTER UPDATE ON webhook_endpoints REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal(%L, %L)', 'webhook', hidden);
  EXECUTE format('CREATE TRIGGER webhook_endpoints_deleted_journaled AFTER DELETE ON webhook_endpoints REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal(%L, %L)', 'webhook', hidden);
END $$;
