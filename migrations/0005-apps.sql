-- Apps of projects.

CREATE TABLE ios_apps (
  id uuid CONSTRAINT ios_apps_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT ios_apps_project_fk REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  bundle_id text COLLATE "C" NOT NULL,
  team_id text NOT NULL,
  appstore_id text,
  app_clip_bundle_id text COLLATE "C",
  paths text[],
  shared_credentials boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT ios_apps_id_in_project_unique UNIQUE (project_id, id)
);
COMMENT ON TABLE ios_apps IS 'iOS apps of a project: what its Apple association file is made of.';
COMMENT ON COLUMN ios_apps.app_clip_bundle_id IS 'The bundle identifier of its App Clip; null without one.';
COMMENT ON COLUMN ios_apps.paths IS 'The paths that open the app, as patterns; null derives them from the links.';
COMMENT ON COLUMN ios_apps.shared_credentials IS 'Whether the app shares passwords and passkeys with the link hosts (webcredentials).';
-- Apple compares bundle identifiers without regard to letter case.
CREATE UNIQUE INDEX ios_apps_bundle_id_unique ON ios_apps (project_id, lower(bundle_id));
CREATE INDEX ios_apps_by_created_at ON ios_apps (project_id, created_at, id);
CREATE INDEX ios_apps_by_updated_at ON ios_apps (project_id, updated_at, id);
CREATE INDEX ios_apps_by_name ON ios_apps (project_id, name COLLATE "C", id);
CREATE INDEX ios_apps_by_bundle_id ON ios_apps (project_id, bundle_id, id);

CREATE TABLE android_apps (
  id uuid CONSTRAINT android_apps_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT android_apps_project_fk REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  package_name text COLLATE "C" NOT NULL,
  sha_fingerprints text[] NOT NULL,
  android_stores jsonb,
  paths text[],
  shared_credentials boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT android_apps_id_in_project_unique UNIQUE (project_id, id),
  CONSTRAINT android_apps_package_name_unique UNIQUE (project_id, package_name)
);
COMMENT ON TABLE android_apps IS 'Android apps of a project: what its asset-links file is made of. An app without fingerprints is not in it.';
COMMENT ON COLUMN android_apps.android_stores IS 'The ids of the app in AppGallery, the Amazon Appstore and the Galaxy Store, by store; null without them.';
COMMENT ON COLUMN android_apps.paths IS 'The paths that open the app, as patterns; null derives them from the links.';
COMMENT ON COLUMN android_apps.shared_credentials IS 'Whether the app shares passwords and passkeys with the link hosts (get_login_creds).';
CREATE INDEX android_apps_by_created_at ON android_apps (project_id, created_at, id);
CREATE INDEX android_apps_by_updated_at ON android_apps (project_id, updated_at, id);
CREATE INDEX android_apps_by_name ON android_apps (project_id, name COLLATE "C", id);
CREATE INDEX android_apps_by_package_name ON android_apps (project_id, package_name, id);

CREATE TABLE app_releases (
  id uuid CONSTRAINT app_releases_pkey PRIMARY KEY,
  project_id uuid NOT NULL,
  ios_app_id uuid,
  android_app_id uuid,
  version text COLLATE "C" NOT NULL,
  hosts text[] NOT NULL,
  paths text[],
  bundle_id text COLLATE "C",
  package_name text COLLATE "C",
  sha_fingerprints text[],
  retired boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT app_releases_ios_app_fk FOREIGN KEY (project_id, ios_app_id) REFERENCES ios_apps (project_id, id) ON DELETE CASCADE,
  CONSTRAINT app_releases_android_app_fk FOREIGN KEY (project_id, android_app_id) REFERENCES android_apps (project_id, id) ON DELETE CASCADE,
  CONSTRAINT app_releases_ios_version_unique UNIQUE (project_id, ios_app_id, version),
  CONSTRAINT app_releases_android_version_unique UNIQUE (project_id, android_app_id, version),
  CONSTRAINT app_releases_of_one_app CHECK (
    (ios_app_id IS NOT NULL AND bundle_id IS NOT NULL AND android_app_id IS NULL)
    OR (android_app_id IS NOT NULL AND package_name IS NOT NULL AND sha_fingerprints IS NOT NULL AND ios_app_id IS NULL)
  )
);
COMMENT ON TABLE app_releases IS 'Versions of apps that people have installed, with what each was built to open. Changes that break one are reported or refused.';
COMMENT ON COLUMN app_releases.paths IS 'The paths that the version opens, as patterns; null for all paths of its hosts.';
COMMENT ON COLUMN app_releases.retired IS 'Whether nobody needs the version any more. A version also retires by its age. The service sets it for versions with few opens.';
CREATE INDEX app_releases_by_ios_app ON app_releases (project_id, ios_app_id, created_at, id) WHERE ios_app_id IS NOT NULL;
CREATE INDEX app_releases_by_android_app ON app_releases (project_id, android_app_id, created_at, id) WHERE android_app_id IS NOT NULL;

CREATE FUNCTION announce_apps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('projects', array_agg(DISTINCT p.id::text))
  FROM changed JOIN projects p ON p.id = changed.project_id AND p.deleted_at IS NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER ios_apps_inserted_announced AFTER INSERT ON ios_apps
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER ios_apps_updated_announced AFTER UPDATE ON ios_apps
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER ios_apps_deleted_announced AFTER DELETE ON ios_apps
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER ios_apps_truncated_announced AFTER TRUNCATE ON ios_apps EXECUTE FUNCTION announce_everything();
CREATE TRIGGER android_apps_inserted_announced AFTER INSERT ON android_apps
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER android_apps_updated_announced AFTER UPDATE ON android_apps
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER android_apps_deleted_announced AFTER DELETE ON android_apps
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER android_apps_truncated_announced AFTER TRUNCATE ON android_apps EXECUTE FUNCTION announce_everything();
