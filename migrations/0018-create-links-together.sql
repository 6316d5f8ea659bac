-- Lets one statement create the links of several requests.

-- Counts links and reservations in one statement. A batch of an import moves links from its reservation to the links, without a lock of
-- the account. Two statements could see neither of them, and more links than the quota.
CREATE FUNCTION reserve_dynamic_links(account uuid, quota bigint, links bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  used bigint;
BEGIN
  -- Creations of one account wait for each other. A separate statement, so that the sums below see what they created.
  PERFORM FROM accounts WHERE id = account FOR NO KEY UPDATE;
  SELECT (
      SELECT coalesce(sum(counts.dynamic_links), 0)
      FROM projects JOIN project_counts AS counts ON counts.project_id = projects.id
      WHERE projects.account_id = account AND projects.deleted_at IS NULL
    ) + (
      SELECT coalesce(sum(reserved_links), 0) FROM projects JOIN imports ON imports.project_id = projects.id
      WHERE projects.account_id = account AND projects.deleted_at IS NULL AND reserved_links > 0
    ) INTO used;
  IF used + links > quota THEN
    RAISE check_violation
    USING MESSAGE = 'the quota of dynamic links is reached', CONSTRAINT = 'dynamic_links_quota', DETAIL = used, TABLE = 'dynamic_links';
  END IF;
END $$;
COMMENT ON FUNCTION reserve_dynamic_links IS 'Locks the account until the transaction ends, and fails if so many more links exceed its quota. The detail of the error is the number of links that it has.';
