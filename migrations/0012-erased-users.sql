-- Projects, keys and short links stay when the user who created them is erased.
--
-- contract: the previous version handles these constraints only as errors that cannot occur without them.

-- Resources belong to the account. The id of the user who created one stays when the user is erased; it is no personal data without
-- the user's row.
ALTER TABLE projects DROP CONSTRAINT projects_user_fk;
ALTER TABLE api_keys DROP CONSTRAINT api_keys_user_fk;
ALTER TABLE short_links DROP CONSTRAINT short_links_user_fk;
COMMENT ON COLUMN projects.user_id IS 'The user who created it. No foreign key: the project stays when the user is erased.';
COMMENT ON COLUMN api_keys.user_id IS 'The user in whose name the key acts. No foreign key: the key stays when the user is erased.';
COMMENT ON COLUMN short_links.created_by IS 'The user who created it. No foreign key: the link stays when the user is erased.';
