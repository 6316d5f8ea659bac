-- App registrations, the links' references to them, and short links.
--
-- The tables that it changes are as new as those that it makes: there is no row to check yet, and nobody to keep waiting.
-- squawk-ignore-file adding-foreign-key-constraint, constraint-missing-not-valid, require-concurrent-index-creation

CREATE TABLE ios_apps (
  id uuid CONSTRAINT ios_apps_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT ios_apps_project_fk REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  bundle_id text COLLATE "C" NOT NULL,
  team_id text NOT NULL,
  appstore_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT ios_apps_id_in_project_unique UNIQUE (project_id, id)
);
COMMENT ON TABLE ios_apps IS 'iOS apps of a project: what its Apple association file is made of.';
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
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT android_apps_id_in_project_unique UNIQUE (project_id, id),
  CONSTRAINT android_apps_package_name_unique UNIQUE (project_id, package_name)
);
COMMENT ON TABLE android_apps IS 'Android apps of a project: what its asset-links file is made of. An app without fingerprints is not in it.';
CREATE INDEX android_apps_by_created_at ON android_apps (project_id, created_at, id);
CREATE INDEX android_apps_by_updated_at ON android_apps (project_id, updated_at, id);
CREATE INDEX android_apps_by_name ON android_apps (project_id, name COLLATE "C", id);
CREATE INDEX android_apps_by_package_name ON android_apps (project_id, package_name, id);

-- The project is part of the key: a link can only reference apps of its own project. No action on delete: an app that a link
-- references stays.
ALTER TABLE dynamic_links
  ADD CONSTRAINT dynamic_links_ios_app_fk FOREIGN KEY (project_id, ios_app_id) REFERENCES ios_apps (project_id, id),
  ADD CONSTRAINT dynamic_links_android_app_fk FOREIGN KEY (project_id, android_app_id) REFERENCES android_apps (project_id, id);
CREATE INDEX dynamic_links_by_ios_app ON dynamic_links (project_id, ios_app_id, created_at, id) WHERE ios_app_id IS NOT NULL;
CREATE INDEX dynamic_links_by_android_app ON dynamic_links (project_id, android_app_id, created_at, id)
  WHERE android_app_id IS NOT NULL;

CREATE TABLE short_links (
  id uuid CONSTRAINT short_links_pkey PRIMARY KEY,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  slug text COLLATE "C" NOT NULL,
  source text NOT NULL CONSTRAINT short_links_source_known CHECK (source IN ('dashboard', 'api')),
  created_by uuid CONSTRAINT short_links_user_fk REFERENCES users ON DELETE SET NULL,
  created_by_api_key_id uuid CONSTRAINT short_links_api_key_fk REFERENCES api_keys ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT short_links_dynamic_link_fk FOREIGN KEY (project_id, dynamic_link_id)
    REFERENCES dynamic_links (project_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE short_links IS 'Aliases of dynamic links.';
COMMENT ON COLUMN short_links.slug IS 'Copied into link_paths by trigger; that table alone decides uniqueness.';
CREATE INDEX short_links_by_created_at ON short_links (project_id, created_at, id);
CREATE INDEX short_links_by_dynamic_link ON short_links (project_id, dynamic_link_id, created_at, id);
CREATE INDEX short_links_by_user ON short_links (created_by) WHERE created_by IS NOT NULL;
CREATE INDEX short_links_by_api_key ON short_links (created_by_api_key_id) WHERE created_by_api_key_id IS NOT NULL;

ALTER TABLE link_paths
  ADD COLUMN short_link_id uuid,
  ADD CONSTRAINT link_paths_short_link_fk FOREIGN KEY (short_link_id) REFERENCES short_links (id) ON DELETE CASCADE;
COMMENT ON COLUMN link_paths.short_link_id IS 'The short link whose slug the path is; null for a custom path.';
CREATE INDEX link_paths_by_short_link ON link_paths (short_link_id) WHERE short_link_id IS NOT NULL;

ALTER TABLE project_counts ADD COLUMN short_links bigint NOT NULL DEFAULT 0;

CREATE FUNCTION count_short_links(owner uuid, change bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO project_counts AS kept (project_id, shard, short_links)
  SELECT id, pg_backend_pid() % 16, change FROM projects WHERE id = owner
  ON CONFLICT (project_id, shard) DO UPDATE SET short_links = kept.short_links + excluded.short_links
$$;

-- The foreign key accepts a marked link, because its row still exists.
CREATE FUNCTION short_links_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM inserted JOIN dynamic_links AS link ON link.id = inserted.dynamic_link_id WHERE link.deleted_at IS NOT NULL
  ) THEN
    RAISE foreign_key_violation
    USING MESSAGE = 'the dynamic link is deleted', CONSTRAINT = 'short_links_dynamic_link_fk', TABLE = 'short_links';
  END IF;
  INSERT INTO link_paths (project_id, path, dynamic_link_id, short_link_id)
  SELECT project_id, slug, dynamic_link_id, id FROM inserted;
  PERFORM count_short_links(project_id, count(*)) FROM inserted GROUP BY project_id ORDER BY project_id;
  RETURN NULL;
END $$;

CREATE FUNCTION short_links_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_short_links(deleted.project_id, -count(*))
  FROM deleted LEFT JOIN dynamic_links AS link ON link.id = deleted.dynamic_link_id
  WHERE link.deleted_at IS NULL GROUP BY deleted.project_id ORDER BY deleted.project_id;
  RETURN NULL;
END $$;

CREATE TRIGGER short_links_inserted AFTER INSERT ON short_links
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION short_links_inserted();
CREATE TRIGGER short_links_deleted AFTER DELETE ON short_links
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION short_links_deleted();
