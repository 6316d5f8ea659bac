-- Lets the statement that creates a link check the quota of its account, in place of a transaction of five round trips.

-- The previous release calls it.
CREATE FUNCTION reserve_dynamic_link(account uuid, quota bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM reserve_dynamic_links(account, quota, 1);
END $$;
COMMENT ON FUNCTION reserve_dynamic_link IS 'Locks the account until the transaction ends, and fails if it has as many links as its quota allows. The detail of the error is their number.';
