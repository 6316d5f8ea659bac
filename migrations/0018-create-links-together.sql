-- Lets one statement create the links of several requests.

CREATE FUNCTION reserve_dynamic_links(account uuid, quota bigint, links bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  used bigint;
BEGIN
  -- Creations of one account wait for each other. A separate statement, so that the sum below sees what they created.
  PERFORM FROM accounts WHERE id = account FOR NO KEY UPDATE;
  SELECT coalesce(sum(counts.dynamic_links), 0) INTO used
  FROM projects JOIN project_counts AS counts ON counts.project_id = projects.id
  WHERE projects.account_id = account AND projects.deleted_at IS NULL;
  IF used + links > quota THEN
    RAISE check_violation
    USING MESSAGE = 'the quota of dynamic links is reached', CONSTRAINT = 'dynamic_links_quota', DETAIL = used, TABLE = 'dynamic_links';
  END IF;
END $$;
COMMENT ON FUNCTION reserve_dynamic_links IS 'Locks the account until the transaction ends, and fails if so many more links exceed its quota. The detail of the error is the number of links that it has.';

-- The previous release calls it.
CREATE OR REPLACE FUNCTION reserve_dynamic_link(account uuid, quota bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM reserve_dynamic_links(account, quota, 1);
END $$;

CREATE OR REPLACE FUNCTION dynamic_links_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In one order, so that two statements that create the same paths do not wait for each other.
  INSERT INTO link_paths (project_id, path, dynamic_link_id)
  SELECT project_id, custom_path, id FROM inserted ORDER BY project_id, custom_path;
  PERFORM count_dynamic_links(project_id, count(*)) FROM inserted GROUP BY project_id ORDER BY project_id;
  RETURN NULL;
END $$;
