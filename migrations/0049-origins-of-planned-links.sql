ALTER TABLE import_rows ADD COLUMN imported_from text, ADD COLUMN original_clicks bigint;
COMMENT ON COLUMN import_rows.imported_from IS 'In a dry run, beside `digest`: the system that the link would come from.';
COMMENT ON COLUMN import_rows.original_clicks IS 'In a dry run, beside `digest`: the number of clicks in that system.';
