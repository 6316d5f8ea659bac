-- Lets the statement that creates a link check the quota of its account, in place of a transaction of five round trips.

CREATE FUNCTION reserve_dynamic_link(account uuid, quota bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  used bigint;
BEGIN
  -- Creations of one account wait for each other. A separate statement, so that the sum below sees what they created.
  PERFORM FROM accounts WHERE id = account FOR NO KEY UPDATE;
  SELECT coalesce(sum(counts.dynamic_links), 0) INTO used
  FROM projects JOIN project_counts AS counts ON counts.project_id = projects.id
  WHERE projects.account_id = account AND projects.deleted_at IS NULL;
  IF used >= quota THEN
    RAISE check_violation
    USING MESSAGE = 'the quota of dynamic links is reached', CONSTRAINT = 'dynamic_links_quota', DETAIL = used, TABLE = 'dynamic_links';
  END IF;
END $$;
COMMENT ON FUNCTION reserve_dynamic_link IS 'Locks the account until the transaction ends, and fails if it has as many links as its quota allows. The detail of the error is their number.';
