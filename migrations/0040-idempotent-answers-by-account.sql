-- Answers to bulk requests are large, and no quota limits how many an account keeps. So the large ones are counted by account.
ALTER TABLE idempotent_answers ADD COLUMN account_id uuid, ADD COLUMN bytes bigint;
COMMENT ON COLUMN idempotent_answers.account_id IS 'Null for an answer of a process of the previous release, which counts for no account.';
COMMENT ON COLUMN idempotent_answers.bytes IS 'Length of the body.';
