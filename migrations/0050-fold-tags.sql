-- Tags were unique without letter case, but some pairs of letters were missed: `ẞ` and `ß`, and Greek letters with several accents. The service now
-- folds these too. The new folded name follows from the old one, so that SQL can compute it although PostgreSQL does not fold as JavaScript does.

-- A process of the previous release still writes the old form until it is replaced.
CREATE FUNCTION fold_written_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.folded_name := normalize(replace(NEW.folded_name, 'ß', 'ss'), NFC);
  RETURN NEW;
END $$;
COMMENT ON FUNCTION fold_written_tag IS 'Completes the folded name of a tag that the previous release writes.';
CREATE TRIGGER tags_fold_written BEFORE INSERT OR UPDATE OF folded_name ON tags FOR EACH ROW EXECUTE FUNCTION fold_written_tag();

-- The oldest of the tags that become one is kept. The others are merged into it as a request merges them, but links change in the background.
DO $$
DECLARE
  merged record;
BEGIN
  FOR merged IN
    SELECT * FROM (
      SELECT project_id, id, first_value(id) OVER (
        PARTITION BY project_id, normalize(replace(folded_name, 'ß', 'ss'), NFC) ORDER BY created_at, id
      ) AS target
      FROM tags WHERE retired_at IS NULL
    ) AS named WHERE id <> target ORDER BY id
  LOOP
    PERFORM retire_tag(merged.project_id, merged.id, merged.target, 0);
  END LOOP;
END $$;

UPDATE tags SET folded_name = normalize(replace(folded_name, 'ß', 'ss'), NFC)
WHERE folded_name <> normalize(replace(folded_name, 'ß', 'ss'), NFC);
