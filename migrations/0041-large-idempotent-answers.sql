-- no transaction
-- The large answers of an account are added up whenever it stores another one.
DROP INDEX CONCURRENTLY IF EXISTS idempotent_answers_large;
CREATE INDEX CONCURRENTLY idempotent_answers_large ON idempotent_answers (account_id) INCLUDE (bytes) WHERE bytes > 16384;
