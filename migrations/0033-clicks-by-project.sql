-- clicks_in_order has its key. Concurrent removal is not possible with partitions, and this one waits for a second at most.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX clicks_by_project;
