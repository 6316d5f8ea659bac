-- Clicks can be copied to ClickHouse while both stores are written. The copy leaves out those that their process writes to both.

ALTER TABLE clicks ADD COLUMN mirrored boolean;
-- A process that writes both sets it in the transaction of its batch.
ALTER TABLE clicks ALTER COLUMN mirrored SET DEFAULT current_setting('signpost.mirrors_clicks', true) = 'on';
COMMENT ON COLUMN clicks.mirrored IS 'Whether ClickHouse has these clicks from the process that made them. Null for no.';

CREATE TABLE click_copies (
  month date CONSTRAINT click_copies_pkey PRIMARY KEY,
  last_batch_id bigint NOT NULL DEFAULT 0,
  next_batch_id bigint,
  clicks bigint NOT NULL DEFAULT 0,
  copied_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE click_copies IS 'The progress of the copy of clicks to ClickHouse: a row for each month.';
COMMENT ON COLUMN click_copies.last_batch_id IS 'All batches up to this one are copied.';
COMMENT ON COLUMN click_copies.next_batch_id IS 'The last batch of the part that is being copied. A copy that was interrupted repeats the same part.';
COMMENT ON COLUMN click_copies.clicks IS 'The number of copied clicks.';
