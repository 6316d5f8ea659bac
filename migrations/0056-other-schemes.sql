-- Destinations of links with other schemes than http and https.

ALTER TABLE projects ADD COLUMN allowed_schemes text[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN projects.allowed_schemes IS 'Schemes that destinations of links may have beside http and https.';
