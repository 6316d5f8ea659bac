-- Second hosts that open apps, paths of apps, and further associations of apps.

ALTER TABLE ios_apps
  ADD COLUMN app_clip_bundle_id text COLLATE "C",
  ADD COLUMN paths text[],
  ADD COLUMN shared_credentials boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN ios_apps.app_clip_bundle_id IS 'The bundle identifier of its App Clip; null without one.';
COMMENT ON COLUMN ios_apps.paths IS 'The paths that open the app, as patterns; null derives them from the links.';
COMMENT ON COLUMN ios_apps.shared_credentials IS 'Whether the app shares passwords and passkeys with the link hosts (webcredentials).';

ALTER TABLE android_apps
  ADD COLUMN paths text[],
  ADD COLUMN shared_credentials boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN android_apps.paths IS 'The paths that open the app, as patterns; null derives them from the links.';
COMMENT ON COLUMN android_apps.shared_credentials IS 'Whether the app shares passwords and passkeys with the link hosts (get_login_creds).';

-- The previous version does not know the column. So no constraint relates it to active and verified_at, and readers combine them.
ALTER TABLE custom_domains ADD COLUMN open_host boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN custom_domains.open_host IS 'Whether pages open the apps through this host. It counts while the domain is verified and not active.';
-- A project has few domains, and no row has the value yet, so that the index is built at once.
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX custom_domains_one_open_host ON custom_domains (project_id) WHERE open_host;
