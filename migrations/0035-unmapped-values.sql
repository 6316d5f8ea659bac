ALTER TABLE imports ADD COLUMN unmapped jsonb NOT NULL DEFAULT '{"fields": [], "missingApps": [], "complete": true}';
COMMENT ON COLUMN imports.unmapped IS 'Fields without a place in a link, and apps that the project lacks, with the numbers of their rows. At most 100 of each. Counted like created.';
