-- The database of a region that was restored, or a standby that took over, can be older than its last delivery of clicks. It would give
-- the numbers of earlier deliveries again, and the primary ignores a number that it has.
CREATE FUNCTION skip_click_deliveries(last bigint) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  numbers regclass := pg_get_serial_sequence('click_deliveries', 'number');
BEGIN
  IF last <= coalesce(pg_sequence_last_value(numbers), 0) THEN
    RETURN false;
  END IF;
  -- Held by each delivery while it is made.
  PERFORM pg_advisory_xact_lock(1668049251, 2);
  PERFORM setval(numbers, greatest(last, coalesce(pg_sequence_last_value(numbers), 0)));
  RETURN true;
END $$;
COMMENT ON FUNCTION skip_click_deliveries IS 'Makes sure that the next delivery has a larger number than the last one that the primary has. Returns whether numbers were left out.';

-- A user who is not the owner may not change a sequence, so it runs as the owner.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION skip_click_deliveries SET search_path = %I, pg_temp', current_schema());
END $$;
REVOKE EXECUTE ON FUNCTION skip_click_deliveries FROM PUBLIC;
