-- An insertion that fills the list of pending entries moves all of them into the index. With 4 MB, which is PostgreSQL's default, and 30,000,000
-- links, that took longer than a statement may.
ALTER INDEX dynamic_links_search SET (gin_pending_list_limit = 64);
ALTER INDEX dynamic_links_search_other_letters SET (gin_pending_list_limit = 64);
