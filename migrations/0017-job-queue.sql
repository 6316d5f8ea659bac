-- The queue of imports (docs/decisions/0028-imports-and-exports.md).
-- squawk-ignore-file prefer-bigint-over-int, require-concurrent-index-creation

CREATE TABLE import_jobs (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT import_jobs_pkey PRIMARY KEY,
  queue text NOT NULL CONSTRAINT import_jobs_queue_known CHECK (queue IN ('slices', 'lists')),
  import_id uuid NOT NULL,
  place integer NOT NULL,
  start_after timestamptz NOT NULL,
  taken_until timestamptz
);
CREATE UNIQUE INDEX import_jobs_waiting_unique ON import_jobs (queue, import_id) WHERE taken_until IS NULL;
CREATE INDEX import_jobs_in_order ON import_jobs (queue, place, id);
COMMENT ON TABLE import_jobs IS 'Parts of imports that processes do. They hold ids only, so an empty table loses nothing but the order of work. A job that is done is deleted.';
COMMENT ON COLUMN import_jobs.queue IS 'A job of `slices` is one slice of a dry run or a run, and one of `lists` reads from another system.';
COMMENT ON COLUMN import_jobs.place IS 'Jobs with lower numbers go first.';
COMMENT ON COLUMN import_jobs.taken_until IS 'Another process takes the job then, because the one that took it has left it. Null for a job that waits.';
