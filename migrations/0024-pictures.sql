-- Social pictures of links, which people upload.

CREATE TABLE pictures (
  id uuid CONSTRAINT pictures_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT pictures_project_fk REFERENCES projects ON DELETE CASCADE,
  digest text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  content bytea,
  unused_since timestamptz DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pictures_digest_unique UNIQUE (project_id, digest)
);
-- PostgreSQL 15 and earlier know no STORAGE in CREATE TABLE.
ALTER TABLE pictures ALTER COLUMN content SET STORAGE EXTERNAL;
COMMENT ON TABLE pictures IS 'Pictures of projects, as JPEG files.';
COMMENT ON COLUMN pictures.digest IS 'SHA-256 of the content in base64url, which is the last part of the address.';
COMMENT ON COLUMN pictures.content IS 'Null if an object store has it, under the id.';
COMMENT ON COLUMN pictures.unused_since IS 'Since when no link is known to have it; null while one does.';
CREATE INDEX pictures_unused ON pictures (unused_since) WHERE unused_since IS NOT NULL;

CREATE TABLE picture_removals (
  id uuid CONSTRAINT picture_removals_pkey PRIMARY KEY,
  due_at timestamptz NOT NULL
);
COMMENT ON TABLE picture_removals IS 'Objects that are removed from their store: those of deleted pictures, and those of an upload until its row is there.';
CREATE INDEX picture_removals_due ON picture_removals (due_at);

CREATE FUNCTION remove_picture_objects() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO picture_removals (id, due_at) SELECT id, now() FROM removed WHERE content IS NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER pictures_deleted AFTER DELETE ON pictures
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION remove_picture_objects();

-- The picture of a link, for the removal of those that no link has.
CREATE FUNCTION picture_digest(url text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(url FROM '/_pictures/([A-Za-z0-9_-]{43})\.jpg$')
$$;
COMMENT ON FUNCTION picture_digest IS 'The digest in the address of a picture; null for other addresses.';
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX dynamic_links_pictures ON dynamic_links (project_id, picture_digest(social_image_url))
  WHERE picture_digest(social_image_url) IS NOT NULL;

CREATE FUNCTION insert_picture(picture uuid, project uuid, content_digest text, content_bytes bigint, jpeg bytea, quota bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  used bigint;
BEGIN
  SELECT account_id INTO owner FROM projects WHERE id = project AND deleted_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING MESSAGE = 'the project is gone', CONSTRAINT = 'pictures_project_fk', TABLE = 'pictures';
  END IF;
  UPDATE pictures SET unused_since = now() WHERE project_id = project AND digest = content_digest AND unused_since IS NOT NULL;
  IF EXISTS (SELECT FROM pictures WHERE project_id = project AND digest = content_digest) THEN RETURN; END IF;
  IF quota IS NOT NULL THEN
    -- Uploads of one account wait for each other. A separate statement, so that the sum below sees what they stored.
    PERFORM FROM accounts WHERE id = owner FOR NO KEY UPDATE;
    SELECT coalesce(sum(bytes), 0) INTO used
    FROM projects JOIN pictures ON pictures.project_id = projects.id WHERE projects.account_id = owner;
    IF used + content_bytes > quota THEN
      RAISE check_violation
      USING MESSAGE = 'the quota of bytes of pictures is reached', CONSTRAINT = 'picture_bytes_quota', DETAIL = used, TABLE = 'pictures';
    END IF;
  END IF;
  INSERT INTO pictures (id, project_id, digest, bytes, content)
  VALUES (picture, project, content_digest, content_bytes, jpeg)
  ON CONFLICT ON CONSTRAINT pictures_digest_unique DO NOTHING;
  -- From now on, the object stays as long as the row.
  IF FOUND THEN DELETE FROM picture_removals WHERE id = picture; END IF;
END $$;
COMMENT ON FUNCTION insert_picture IS 'Adds a picture, unless the project has it. Refuses more bytes than the quota of its account; null: no quota.';

-- Any number of processes may call it at once.
CREATE FUNCTION retire_pictures(grace interval, batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  done boolean;
BEGIN
  UPDATE pictures SET unused_since = CASE WHEN unused_since IS NULL THEN now() END WHERE id IN (
    SELECT id FROM pictures AS picture
    WHERE unused_since IS NULL <> EXISTS (
      SELECT FROM dynamic_links
      WHERE project_id = picture.project_id AND picture_digest(social_image_url) = picture.digest AND deleted_at IS NULL
    ) LIMIT batch FOR UPDATE SKIP LOCKED
  );
  done := NOT FOUND;
  -- A picture that a link has again may be in a later batch of the statement above.
  DELETE FROM pictures WHERE id IN (
    SELECT id FROM pictures AS picture
    WHERE unused_since < now() - grace AND NOT EXISTS (
      SELECT FROM dynamic_links
      WHERE project_id = picture.project_id AND picture_digest(social_image_url) = picture.digest AND deleted_at IS NULL
    ) LIMIT batch FOR UPDATE SKIP LOCKED
  );
  RETURN done AND NOT FOUND;
END $$;
COMMENT ON FUNCTION retire_pictures IS 'Deletes a batch of the pictures that no link has had for this time. Returns true if none of these remain.';
