-- no transaction
-- Finds the few marked links. Short links are listed without those of marked links, from an index alone. The index of short links by
-- user served its foreign key only.
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_to_purge;
CREATE INDEX CONCURRENTLY dynamic_links_to_purge ON dynamic_links (project_id, id) WHERE deleted_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS short_links_in_order;
CREATE INDEX CONCURRENTLY short_links_in_order ON short_links (project_id, created_at, id) INCLUDE (dynamic_link_id);
DROP INDEX CONCURRENTLY IF EXISTS short_links_by_created_at;
DROP INDEX CONCURRENTLY IF EXISTS short_links_by_user;
