-- no transaction
-- Finds the rows of a dry run by what they would write. The import comes second, because statistics lag behind a file that has just
-- arrived: a planner that expects few rows would take any index that begins with the import, and read all rows of the file.
DROP INDEX CONCURRENTLY IF EXISTS import_rows_of_path;
CREATE INDEX CONCURRENTLY import_rows_of_path ON import_rows (path, import_id) WHERE digest IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS import_rows_of_external_id;
CREATE INDEX CONCURRENTLY import_rows_of_external_id ON import_rows (external_id, import_id) WHERE digest IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS import_rows_of_link;
CREATE INDEX CONCURRENTLY import_rows_of_link ON import_rows (link_id, import_id) WHERE digest IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS import_rows_by_path;
DROP INDEX CONCURRENTLY IF EXISTS import_rows_by_external_id;
DROP INDEX CONCURRENTLY IF EXISTS import_rows_by_link;
