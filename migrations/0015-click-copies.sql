-- Copies of clicks to ClickHouse, while both stores are written. A copy leaves out clicks that their process writes to both.

CREATE TABLE click_copies (
  month date CONSTRAINT click_copies_pkey PRIMARY KEY,
  last_batch_id bigint NOT NULL DEFAULT 0,
  next_batch_id bigint,
  clicks bigint NOT NULL DEFAULT 0,
  begun_at timestamptz NOT NULL DEFAULT now(),
  copied_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE click_copies IS 'The progress of the copy of clicks to ClickHouse: a row for each month.';
COMMENT ON COLUMN click_copies.last_batch_id IS 'All batches up to this one are copied.';
COMMENT ON COLUMN click_copies.next_batch_id IS 'The last batch of the part that is being copied. A copy that was interrupted repeats the same part.';
COMMENT ON COLUMN click_copies.begun_at IS 'The tokens of inserts contain it. A copy that begins again, because its row was deleted, has others.';
COMMENT ON COLUMN click_copies.clicks IS 'The number of copied clicks.';
