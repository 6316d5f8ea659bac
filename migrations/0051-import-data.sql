-- Each import has two tables for itself, so that its space returns to the disk at once: the file, as it arrived, and its rows, which are
-- ranges of the file. Imports of earlier versions go, because they stored each row with all names of its cells.
-- squawk-ignore-file ban-drop-table, adding-required-field, require-concurrent-index-creation

DELETE FROM pgboss.job WHERE name = 'imports';
DROP TABLE import_rows;
DELETE FROM imports;

ALTER TABLE imports
  ADD COLUMN layout jsonb,
  ADD COLUMN read_bytes bigint NOT NULL DEFAULT 0,
  ADD COLUMN stored_bytes bigint NOT NULL DEFAULT 0,
  ADD COLUMN has_data boolean NOT NULL DEFAULT true,
  ADD COLUMN list jsonb,
  ADD COLUMN list_progress jsonb,
  ADD COLUMN sealed_token bytea,
  ADD COLUMN attempts bigint NOT NULL DEFAULT 0,
  ADD COLUMN attempted_by uuid,
  ADD COLUMN attempted_at bigint;
COMMENT ON COLUMN imports.layout IS 'How the file is read: its format below its head. Null until it has arrived.';
COMMENT ON COLUMN imports.read_bytes IS 'Bytes of the file that the dry run has read. The next batch begins after them.';
COMMENT ON COLUMN imports.stored_bytes IS 'Bytes that the import occupies, which count for the quota of the account: its file, and an estimate for each row.';
COMMENT ON COLUMN imports.has_data IS 'Whether its tables exist. Those of failed and cancelled imports are dropped.';
COMMENT ON COLUMN imports.list IS 'The list of another system that is read; null for files.';
COMMENT ON COLUMN imports.list_progress IS 'Where the list is read on; null at its begin.';
COMMENT ON COLUMN imports.sealed_token IS 'The token of that system, encrypted with a key that the database does not have. Null once the list has ended.';
COMMENT ON COLUMN imports.attempts IS 'Processes that have begun to work at this position, and did not say how that ended.';
COMMENT ON COLUMN imports.attempted_by IS 'The process that works on the import; null if none does.';
COMMENT ON COLUMN imports.attempted_at IS 'The position at which it began.';
CREATE INDEX imports_with_useless_data ON imports (project_id)
  WHERE has_data AND (deleted_at IS NOT NULL OR state IN ('cancelled', 'failed'));

CREATE SCHEMA import_data;
COMMENT ON SCHEMA import_data IS 'The files and rows of imports: two tables for each, with the columns of import_files and import_rows.';
GRANT USAGE ON SCHEMA import_data TO PUBLIC;

CREATE TABLE import_files (
  number bigint CONSTRAINT import_files_pkey PRIMARY KEY,
  bytes bytea NOT NULL
);
-- Parts of a value are read without the rest.
ALTER TABLE import_files ALTER COLUMN bytes SET STORAGE EXTERNAL;
COMMENT ON TABLE import_files IS 'The form of the tables with files: chunks of 131,072 bytes, the last one shorter. It is empty.';

CREATE TABLE import_rows (
  number bigint CONSTRAINT import_rows_pkey PRIMARY KEY,
  start bigint NOT NULL,
  length bigint NOT NULL,
  fault text,
  outcome text,
  link_id uuid,
  problems jsonb,
  unmapped jsonb,
  path text COLLATE "C",
  external_id text COLLATE "C",
  digest text COLLATE "C",
  imported_from text,
  original_clicks bigint
);
COMMENT ON TABLE import_rows IS 'The form of the tables with rows of a file, from number 1. It is empty.';
COMMENT ON COLUMN import_rows.start IS 'The first byte of the row in the file.';
COMMENT ON COLUMN import_rows.fault IS 'Why the row cannot be read; null if it can.';
COMMENT ON COLUMN import_rows.outcome IS 'What the dry run predicts or the run has done.';
COMMENT ON COLUMN import_rows.link_id IS 'The link that the row has created, replaced or met. In a dry run, a link that the run would create has an id, too.';
COMMENT ON COLUMN import_rows.digest IS 'In a dry run, the fields of a link that the row would write; null unless it is the last row that writes this link.';
COMMENT ON COLUMN import_rows.imported_from IS 'In a dry run, beside `digest`: the system that the link would come from.';
COMMENT ON COLUMN import_rows.original_clicks IS 'In a dry run, beside `digest`: the number of clicks in that system.';
CREATE INDEX import_rows_by_outcome ON import_rows (outcome, number);
CREATE INDEX import_rows_by_path ON import_rows (path) WHERE digest IS NOT NULL;
CREATE INDEX import_rows_by_external_id ON import_rows (external_id) WHERE digest IS NOT NULL;
CREATE INDEX import_rows_by_link ON import_rows (link_id) WHERE digest IS NOT NULL;

-- The service need not own a schema, so the two functions run as the owner.
CREATE FUNCTION create_import_data(import uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  suffix text := replace(import::text, '-', '');
  kind text;
  service text;
BEGIN
  FOREACH kind IN ARRAY ARRAY['files', 'rows'] LOOP
    EXECUTE format('CREATE TABLE import_data.%I (LIKE import_%s INCLUDING ALL)', kind || '_' || suffix, kind);
    -- Roles that may write imports may write their data.
    FOR service IN
      SELECT DISTINCT grantee FROM information_schema.role_table_grants
      WHERE table_schema = 'public' AND table_name = 'imports' AND privilege_type = 'INSERT' AND grantee NOT IN (current_user, 'PUBLIC')
    LOOP
      EXECUTE format('GRANT SELECT, INSERT, UPDATE ON import_data.%I TO %I', kind || '_' || suffix, service);
    END LOOP;
  END LOOP;
END $$;
COMMENT ON FUNCTION create_import_data IS 'Creates the tables of an import.';
REVOKE EXECUTE ON FUNCTION create_import_data FROM PUBLIC;

CREATE FUNCTION drop_import_data(import uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  suffix text := replace(import::text, '-', '');
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS import_data.%I, import_data.%I', 'files_' || suffix, 'rows_' || suffix);
  UPDATE imports SET has_data = false, stored_bytes = 0 WHERE id = import;
END $$;
COMMENT ON FUNCTION drop_import_data IS 'Drops the tables of an import, which frees their space at once.';
REVOKE EXECUTE ON FUNCTION drop_import_data FROM PUBLIC;

CREATE FUNCTION reserve_import_bytes(import uuid, quota bigint, bytes bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  used bigint;
BEGIN
  IF quota IS NOT NULL THEN
    SELECT account_id INTO owner FROM imports JOIN projects ON projects.id = project_id WHERE imports.id = import;
    -- Reservations of one account wait for each other. A separate statement, so that the sum below sees what they stored.
    PERFORM FROM accounts WHERE id = owner FOR NO KEY UPDATE;
    SELECT coalesce(sum(stored_bytes), 0) INTO used
    FROM projects JOIN imports ON imports.project_id = projects.id WHERE projects.account_id = owner;
    IF used + bytes > quota THEN
      RAISE check_violation
      USING MESSAGE = 'the quota of bytes of imports is reached', CONSTRAINT = 'import_bytes_quota', DETAIL = used, TABLE = 'imports';
    END IF;
  END IF;
  UPDATE imports SET stored_bytes = stored_bytes + bytes WHERE id = import;
END $$;
COMMENT ON FUNCTION reserve_import_bytes IS 'Counts bytes that an import stores. Refuses more than the quota of its account; null: no quota.';

COMMENT ON FUNCTION purge_imports IS 'Drops the tables of one import that has failed, or was cancelled or deleted, or removes deleted imports; true if none is left for this process.';

SELECT pgboss.create_queue('import_lists', '{"policy": "short", "retryLimit": 2000000000, "retryDelay": 1, "retryBackoff": false, "expireInSeconds": 60, "retentionMinutes": 525600}');

-- Roles that may write the other tables may use the new objects.
DO $$
DECLARE
  service text;
BEGIN
  FOR service IN
    SELECT DISTINCT grantee FROM information_schema.role_table_grants
    WHERE table_schema = 'public' AND table_name = 'projects' AND privilege_type = 'INSERT' AND grantee NOT IN (current_user, 'PUBLIC')
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgboss TO %I', service);
    EXECUTE format('GRANT EXECUTE ON FUNCTION create_import_data, drop_import_data TO %I', service);
  END LOOP;
END $$;
