-- Clicks can be in ClickHouse instead of PostgreSQL. Projects stay here, and with them the list of those whose clicks are to be removed.

CREATE TABLE clickhouse_purges (
  project_id uuid CONSTRAINT clickhouse_purges_pkey PRIMARY KEY,
  deleted_at timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz
);
COMMENT ON TABLE clickhouse_purges IS 'Deleted projects whose clicks may be in ClickHouse. Without ClickHouse nothing reads it, and a row has 40 bytes.';
COMMENT ON COLUMN clickhouse_purges.checked_at IS 'When a process last looked for clicks in ClickHouse; the next one does ten minutes later.';

CREATE OR REPLACE FUNCTION purge_clicks_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO click_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  INSERT INTO clickhouse_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
