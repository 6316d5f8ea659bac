-- Imports of links. Rows of a file are stored as they were sent, so that any process can go on with them.

CREATE TABLE imports (
  id uuid CONSTRAINT imports_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT imports_project_fk REFERENCES projects ON DELETE CASCADE,
  source text NOT NULL,
  format text NOT NULL,
  conflict_policy text NOT NULL,
  options jsonb NOT NULL,
  columns text[] NOT NULL DEFAULT '{}',
  state text NOT NULL,
  file_rows bigint NOT NULL DEFAULT 0,
  file_bytes bigint NOT NULL DEFAULT 0,
  processed bigint NOT NULL DEFAULT 0,
  created bigint NOT NULL DEFAULT 0,
  replaced bigint NOT NULL DEFAULT 0,
  unchanged bigint NOT NULL DEFAULT 0,
  conflicts bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  predicted jsonb,
  reserved_links bigint NOT NULL DEFAULT 0,
  failure text,
  phase_started_at timestamptz(3),
  finished_at timestamptz(3),
  deleted_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE imports IS 'Jobs that create links from a file. A dry run stores what a run would do with each row; the run does it.';
COMMENT ON COLUMN imports.columns IS 'Names of the cells or keys of its rows, in the order of the file.';
COMMENT ON COLUMN imports.processed IS 'Rows that the dry run or the run has done. The next batch begins after them, in the transaction that changes the number.';
COMMENT ON COLUMN imports.created IS 'Rows by outcome, as for the others. During a run, of the run alone.';
COMMENT ON COLUMN imports.predicted IS 'The rows by outcome of the dry run, once the run has begun.';
COMMENT ON COLUMN imports.reserved_links IS 'Links that a run will still create. They count for the quota of the account.';
COMMENT ON COLUMN imports.deleted_at IS 'An import that is gone for callers. Its rows go in batches, and the row goes last.';
-- The tables are new, so each index is built at once.
-- squawk-ignore-file require-concurrent-index-creation
CREATE INDEX imports_by_created_at ON imports (project_id, created_at, id);
CREATE INDEX imports_reserving ON imports (project_id) WHERE reserved_links > 0;
CREATE INDEX imports_deleted ON imports (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE import_rows (
  import_id uuid NOT NULL CONSTRAINT import_rows_import_fk REFERENCES imports ON DELETE CASCADE,
  number bigint NOT NULL,
  record text,
  fault text,
  outcome text,
  link_id uuid,
  problems jsonb,
  unmapped jsonb,
  path text COLLATE "C",
  external_id text COLLATE "C",
  digest text COLLATE "C",
  CONSTRAINT import_rows_pkey PRIMARY KEY (import_id, number)
);
COMMENT ON TABLE import_rows IS 'Rows of files of imports, from number 1.';
COMMENT ON COLUMN import_rows.record IS 'The row as JSON text, which jsonb cannot hold if it has NUL; null if the row could not be read.';
COMMENT ON COLUMN import_rows.fault IS 'Why the row is no record; null if it is one.';
COMMENT ON COLUMN import_rows.outcome IS 'What the dry run predicts or the run has done; null if neither has come to it.';
COMMENT ON COLUMN import_rows.link_id IS 'The link that the row has created, replaced or met. In a dry run, a link that the run would create has an id, too.';
COMMENT ON COLUMN import_rows.digest IS 'In a dry run, the fields of a link that the row would write; null unless it is the last row that writes this link.';
CREATE INDEX import_rows_by_outcome ON import_rows (import_id, outcome, number);
CREATE INDEX import_rows_by_path ON import_rows (import_id, path) WHERE digest IS NOT NULL;
CREATE INDEX import_rows_by_external_id ON import_rows (import_id, external_id) WHERE digest IS NOT NULL;
CREATE INDEX import_rows_by_link ON import_rows (import_id, link_id) WHERE digest IS NOT NULL;

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
  DELETE FROM imports WHERE id IN (
    SELECT id FROM imports WHERE deleted_at IS NOT NULL AND NOT has_data LIMIT batch FOR UPDATE SKIP LOCKED
  );
  RETURN NOT FOUND;
END $$;
COMMENT ON FUNCTION purge_imports IS 'Removes the next batch of rows of one deleted import, or the import itself; true if none is left for this process.';
