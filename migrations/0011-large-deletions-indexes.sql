-- no transaction
-- Finds the few marked links. The index of short links by user served its foreign key only.
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_to_purge;
CREATE INDEX CONCURRENTLY dynamic_links_to_purge ON dynamic_links (project_id, id) WHERE deleted_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS short_links_by_user;
