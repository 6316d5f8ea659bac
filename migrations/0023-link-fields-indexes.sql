-- no transaction
-- Finds links by their external id. The orders of lists can leave out archived links by their index alone. Their keys are those of the
-- indexes that they replace, so the previous release uses them too.
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_external_id_unique;
CREATE UNIQUE INDEX CONCURRENTLY dynamic_links_external_id_unique ON dynamic_links (project_id, external_id)
  WHERE external_id IS NOT NULL AND deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_archived;
CREATE INDEX CONCURRENTLY dynamic_links_archived ON dynamic_links (project_id, created_at, id) WHERE archived;
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_in_order;
CREATE INDEX CONCURRENTLY dynamic_links_in_order ON dynamic_links (project_id, created_at, id) INCLUDE (archived);
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_by_created_at;
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_by_update;
CREATE INDEX CONCURRENTLY dynamic_links_by_update ON dynamic_links (project_id, updated_at, id) INCLUDE (archived);
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_by_updated_at;
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_in_order_of_names;
CREATE INDEX CONCURRENTLY dynamic_links_in_order_of_names ON dynamic_links (project_id, name COLLATE "C", id) INCLUDE (archived);
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_by_name;
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_in_order_of_paths;
CREATE INDEX CONCURRENTLY dynamic_links_in_order_of_paths ON dynamic_links (project_id, custom_path, id) INCLUDE (archived);
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_by_custom_path;
