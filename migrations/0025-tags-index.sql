-- no transaction
-- Finds links by a tag. Links without tags are not in it, so that they cost nothing.
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_by_tag;
CREATE INDEX CONCURRENTLY dynamic_links_by_tag ON dynamic_links USING gin (tag_ids) WHERE tag_ids <> '{}';
