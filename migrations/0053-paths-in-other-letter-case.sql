-- no transaction
-- Finds the paths that differ only in letter case from one that no link has.
DROP INDEX CONCURRENTLY IF EXISTS link_paths_in_other_letter_case;
CREATE INDEX CONCURRENTLY link_paths_in_other_letter_case ON link_paths (project_id, lower(path));
