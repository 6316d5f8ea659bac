-- no transaction
-- Finds names with other letters than those of ASCII. Where pg_trgm knows these letters, the index is empty and costs nothing.
DROP INDEX CONCURRENTLY IF EXISTS dynamic_links_search_other_letters;
CREATE INDEX CONCURRENTLY dynamic_links_search_other_letters ON dynamic_links
  USING gin (project_id, ascii_form(name) gin_trgm_ops)
  WHERE octet_length(lower(name)) > char_length(lower(name)) AND cardinality(show_trgm('ü')) = 0;
