ALTER TABLE imports ADD COLUMN failure_code text;
COMMENT ON COLUMN imports.failure_code IS 'Why the import has failed, for programs; null in imports that failed before this column, and in those of the previous release.';
