-- A copy of clicks can begin again, because ClickHouse may be replaced or restored. The new ClickHouse lacks clicks that were mirrored to
-- the former one, so these are copied too.
ALTER TABLE click_copies ADD COLUMN mirrored_until_batch_id bigint NOT NULL DEFAULT 0;
ALTER TABLE click_copies ADD COLUMN attempt bigint NOT NULL DEFAULT 1;
COMMENT ON COLUMN click_copies.mirrored_until_batch_id IS 'Batches up to this one are copied even if they are mirrored, because ClickHouse had no clicks of the month when the copy began again.';
COMMENT ON COLUMN click_copies.attempt IS 'How often the copy of the month has begun. The tokens of its inserts contain it, so that ClickHouse takes them again.';

COMMENT ON COLUMN clickhouse_purges.checked_at IS 'When a process last looked for clicks in ClickHouse. The next one looks ten minutes later in the first hour, and a day later in the week after that.';
