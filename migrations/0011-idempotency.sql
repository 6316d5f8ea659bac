-- Answers of creating requests, stored for repetitions with the same Idempotency-Key.

CREATE TABLE idempotent_answers (
  request_digest bytea CONSTRAINT idempotent_answers_pkey PRIMARY KEY,
  payload_digest bytea NOT NULL,
  account_id uuid NOT NULL,
  body text NOT NULL,
  bytes bigint NOT NULL,
  answered_at timestamptz(3) NOT NULL
);
COMMENT ON TABLE idempotent_answers IS 'Answers to POST requests with an Idempotency-Key, written in the transaction of the created resource. Purged after a day.';
COMMENT ON COLUMN idempotent_answers.request_digest IS 'SHA-256 of account, method, path and key.';
COMMENT ON COLUMN idempotent_answers.payload_digest IS 'SHA-256 of the body: another one under the same key is refused.';
COMMENT ON COLUMN idempotent_answers.body IS 'JSON as it was sent. Text, since jsonb would put its keys into another order.';
COMMENT ON COLUMN idempotent_answers.bytes IS 'Length of the body.';
CREATE INDEX idempotent_answers_by_age ON idempotent_answers (answered_at);
-- Answers to bulk requests are large. Those of an account are added up whenever it stores another one.
CREATE INDEX idempotent_answers_large ON idempotent_answers (account_id) INCLUDE (bytes) WHERE bytes > 16384;
