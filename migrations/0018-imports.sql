-- Imports of links. Each import has two separate tables, so that its space returns to the disk at once. One has the file, and the
-- other its rows, which are ranges of the file. So any process can continue an import.

CREATE TABLE imports (
  id uuid CONSTRAINT imports_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT imports_project_fk REFERENCES projects ON DELETE CASCADE,
  source text NOT NULL,
  format text NOT NULL,
  conflict_policy text NOT NULL,
  options jsonb NOT NULL,
  columns text[] NOT NULL DEFAULT '{}',
  layout jsonb,
  list jsonb,
  list_progress jsonb,
  sealed_token bytea,
  state text NOT NULL,
  file_rows bigint NOT NULL DEFAULT 0,
  file_bytes bigint NOT NULL DEFAULT 0,
  read_bytes bigint NOT NULL DEFAULT 0,
  stored_bytes bigint NOT NULL DEFAULT 0,
  has_data boolean NOT NULL DEFAULT true,
  processed bigint NOT NULL DEFAULT 0,
  created bigint NOT NULL DEFAULT 0,
  replaced bigint NOT NULL DEFAULT 0,
  unchanged bigint NOT NULL DEFAULT 0,
  conflicts bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  unmapped jsonb NOT NULL DEFAULT '{"fields": [], "missingApps": [], "complete": true}',
  predicted jsonb,
  reserved_links bigint NOT NULL DEFAULT 0,
  acknowledged text[] NOT NULL DEFAULT '{}',
  failure text,
  failure_code text,
  attempts bigint NOT NULL DEFAULT 0,
  attempted_by uuid,
  attempted_at bigint,
  phase_started_at timestamptz(3),
  finished_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE imports IS 'Jobs that create links from a file. A dry run stores what a run would do with each row; the run does it.';
COMMENT ON COLUMN imports.columns IS 'Names of the cells or keys of its rows, in the order of the file.';
COMMENT ON COLUMN imports.layout IS 'How the file is read: its format below its head. Null until it has arrived.';
COMMENT ON COLUMN imports.acknowledged IS 'Versions of released apps that the run may break, although the project refuses such changes.';
COMMENT ON COLUMN imports.list IS 'The list of another system that is read; null for files.';
COMMENT ON COLUMN imports.list_progress IS 'Where the list is read on; null at its begin.';
COMMENT ON COLUMN imports.sealed_token IS 'The token of that system, encrypted with a key that the database does not have. Null once the list has ended.';
COMMENT ON COLUMN imports.read_bytes IS 'Bytes of the file that the dry run has read. The next batch begins after them.';
COMMENT ON COLUMN imports.stored_bytes IS 'Bytes that the import occupies, which count for the quota of the account: its file, and an estimate for each row.';
COMMENT ON COLUMN imports.has_data IS 'Whether its tables exist. Those of failed and cancelled imports are dropped.';
COMMENT ON COLUMN imports.processed IS 'Rows that the dry run or the run has done. The next batch begins after them, in the transaction that changes the number.';
COMMENT ON COLUMN imports.created IS 'Rows by outcome, as for the others. During a run, of the run alone.';
COMMENT ON COLUMN imports.unmapped IS 'Fields without a place in a link, and apps that the project lacks, with the numbers of their rows. At most 100 of each. Counted like created.';
COMMENT ON COLUMN imports.predicted IS 'The rows by outcome of the dry run, once the run has begun.';
COMMENT ON COLUMN imports.reserved_links IS 'Links that a run will still create. They count for the quota of the account.';
COMMENT ON COLUMN imports.failure_code IS 'Why the import has failed, for programs; null if it has not.';
COMMENT ON COLUMN imports.attempts IS 'Processes that have begun to work at this position, and did not say how that ended.';
COMMENT ON COLUMN imports.attempted_by IS 'The process that works on the import; null if none does.';
COMMENT ON COLUMN imports.attempted_at IS 'The position at which it began.';
COMMENT ON COLUMN imports.deleted_at IS 'An import that is gone for callers. Its rows go in batches, and the row goes last.';
CREATE INDEX imports_by_created_at ON imports (project_id, created_at, id);
CREATE INDEX imports_reserving ON imports (project_id) WHERE reserved_links > 0;
CREATE INDEX imports_deleted ON imports (deleted_at) WHERE deleted_at IS NOT NULL;
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
COMMENT ON COLUMN import_rows.outcome IS 'The prediction of the dry run, or the result of the run.';
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

-- Any number of processes may call it at once.
CREATE FUNCTION purge_imports(batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  doomed uuid;
BEGIN
  SELECT id INTO doomed FROM imports
  WHERE has_data AND (deleted_at IS NOT NULL OR state IN ('cancelled', 'failed')) LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    PERFORM drop_import_data(doomed);
    RETURN false;
  END IF;
  DELETE FROM imports WHERE id IN (SELECT id FROM imports WHERE deleted_at IS NOT NULL AND NOT has_data LIMIT batch FOR UPDATE SKIP LOCKED);
  RETURN NOT FOUND;
END $$;
COMMENT ON FUNCTION purge_imports IS 'Drops the tables of one import that failed, was cancelled or was deleted, or removes deleted imports; true if none is left for this process.';
