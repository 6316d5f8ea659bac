-- Short links.

CREATE TABLE short_links (
  id uuid CONSTRAINT short_links_pkey PRIMARY KEY,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  slug text COLLATE "C" NOT NULL,
  source text NOT NULL CONSTRAINT short_links_source_known CHECK (source IN ('dashboard', 'api')),
  created_by uuid,
  created_by_api_key_id uuid CONSTRAINT short_links_api_key_fk REFERENCES api_keys ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT short_links_dynamic_link_fk FOREIGN KEY (project_id, dynamic_link_id)
    REFERENCES dynamic_links (project_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE short_links IS 'Aliases of dynamic links.';
COMMENT ON COLUMN short_links.slug IS 'Copied into link_paths by trigger; that table alone decides uniqueness.';
COMMENT ON COLUMN short_links.created_by IS 'The user who created it. No foreign key: the link stays when the user is erased.';
-- Lists leave out short links of marked links by the index alone.
CREATE INDEX short_links_in_order ON short_links (project_id, created_at, id) INCLUDE (dynamic_link_id);
CREATE INDEX short_links_by_dynamic_link ON short_links (project_id, dynamic_link_id, created_at, id);
CREATE INDEX short_links_by_api_key ON short_links (created_by_api_key_id) WHERE created_by_api_key_id IS NOT NULL;

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
  PERFORM count_links(project_id, 0, 0, count(*)) FROM inserted GROUP BY project_id ORDER BY project_id;
  RETURN NULL;
END $$;

CREATE FUNCTION short_links_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_links(deleted.project_id, 0, 0, -count(*))
  FROM deleted LEFT JOIN dynamic_links AS link ON link.id = deleted.dynamic_link_id
  WHERE link.deleted_at IS NULL GROUP BY deleted.project_id ORDER BY deleted.project_id;
  RETURN NULL;
END $$;

CREATE TRIGGER short_links_inserted AFTER INSERT ON short_links
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION short_links_inserted();
CREATE TRIGGER short_links_deleted AFTER DELETE ON short_links
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION short_links_deleted();
