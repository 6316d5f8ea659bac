-- Dynamic links, their templates, their counts, and their deletion.
--
-- Searches are substrings of folded text inside one project. Links, which may be millions, have an index of the trigrams of this text.
-- Other lists are read completely.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE FUNCTION fold_text(input text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN normalize(replace(lower(upper(normalize(input COLLATE "default", NFKC))), 'ß', 'ss'), NFKC);
COMMENT ON FUNCTION fold_text IS 'The text without letter case and without differences between composed and decomposed characters, for searches.';

CREATE FUNCTION search_pattern(search text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN '%' || regexp_replace(fold_text(search), '([\\%_])', '\\\1', 'g') || '%';
COMMENT ON FUNCTION search_pattern IS 'The pattern of LIKE for folded texts that contain the search.';

CREATE TABLE link_templates (
  id uuid CONSTRAINT link_templates_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT link_templates_project_fk REFERENCES projects ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  referrer_params jsonb,
  rules text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT link_templates_name_unique UNIQUE (project_id, name)
);
COMMENT ON TABLE link_templates IS 'Parameters and rules that many links of a project have. At most 50 per project.';
COMMENT ON COLUMN link_templates.name IS 'Never changes, because links have it.';
COMMENT ON COLUMN link_templates.referrer_params IS 'Like those of a link, which replace these.';
COMMENT ON COLUMN link_templates.rules IS 'Like those of a link, which are tried first.';
CREATE INDEX link_templates_by_created_at ON link_templates (project_id, created_at, id);
CREATE INDEX link_templates_by_updated_at ON link_templates (project_id, updated_at, id);

CREATE FUNCTION announce_templates() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('templates', array_agg(id::text)) FROM changed;
  RETURN NULL;
END $$;
-- A template that links name is not deleted, so a deletion has no notification.
CREATE TRIGGER link_templates_updated_announced AFTER UPDATE ON link_templates
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_templates();
CREATE TRIGGER link_templates_truncated_announced AFTER TRUNCATE ON link_templates EXECUTE FUNCTION announce_everything();

CREATE FUNCTION params_with_template(project uuid, template text, own jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_agg(pair ORDER BY is_own, place) FROM (
    SELECT false AS is_own, place, pair
    FROM link_templates AS shared CROSS JOIN LATERAL jsonb_array_elements(shared.referrer_params) WITH ORDINALITY AS listed (pair, place)
    WHERE shared.project_id = project AND shared.name = template
      AND NOT EXISTS (SELECT FROM jsonb_array_elements(own) AS replacing WHERE replacing -> 0 = pair -> 0)
    UNION ALL
    SELECT true, place, pair FROM jsonb_array_elements(own) WITH ORDINALITY AS listed (pair, place)
  ) AS merged
$$;
COMMENT ON FUNCTION params_with_template IS 'The referrer_params of a link after those of its template, of which it replaces those of the same name.';

CREATE TABLE dynamic_links (
  id uuid CONSTRAINT dynamic_links_pkey PRIMARY KEY,
  project_id uuid NOT NULL CONSTRAINT dynamic_links_project_fk REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  custom_path text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  title text,
  notes text,
  tag_ids uuid[] NOT NULL DEFAULT '{}',
  archived boolean NOT NULL DEFAULT false,
  disabled boolean NOT NULL DEFAULT false,
  conversions boolean NOT NULL DEFAULT false,
  desktop_url text,
  ios_app_id uuid,
  ios_fallback_url text,
  ios_deferred_deep_link boolean NOT NULL DEFAULT false,
  android_app_id uuid,
  android_fallback_url text,
  social_title text,
  social_description text,
  social_image_url text,
  referrer_params jsonb,
  app_data text,
  query_forwarding text,
  forwarded_params text[] NOT NULL DEFAULT '{}',
  variants text,
  rules text,
  template text COLLATE "C",
  active_from timestamptz(3),
  active_until timestamptz(3),
  expired_url text,
  password_hash bytea,
  -- squawk-ignore prefer-bigint-over-int
  click_limit integer,
  used_up boolean NOT NULL DEFAULT false,
  imported_from text,
  original_created_at timestamptz(3),
  original_clicks bigint,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  search_text text NOT NULL GENERATED ALWAYS AS (fold_text(
    name || E'\n' || custom_path || coalesce(E'\n' || desktop_url, '') || coalesce(E'\n' || ios_fallback_url, '')
      || coalesce(E'\n' || android_fallback_url, '')
  )) STORED,
  CONSTRAINT dynamic_links_life_order CHECK (active_from < active_until),
  CONSTRAINT dynamic_links_password_form CHECK (octet_length(password_hash) IN (8, 48)),
  CONSTRAINT dynamic_links_id_in_project_unique UNIQUE (project_id, id),
  -- The project is part of the key, so that a link can only reference apps of its project. Without an action on delete, an app
  -- stays as long as a link references it.
  CONSTRAINT dynamic_links_ios_app_fk FOREIGN KEY (project_id, ios_app_id) REFERENCES ios_apps (project_id, id),
  CONSTRAINT dynamic_links_android_app_fk FOREIGN KEY (project_id, android_app_id) REFERENCES android_apps (project_id, id),
  CONSTRAINT dynamic_links_template_fk FOREIGN KEY (project_id, template) REFERENCES link_templates (project_id, name)
);
COMMENT ON TABLE dynamic_links IS 'Where visitors of a path are sent, by device.';
COMMENT ON COLUMN dynamic_links.custom_path IS 'Copied into link_paths by trigger; that table alone decides uniqueness.';
COMMENT ON COLUMN dynamic_links.external_id IS 'The id of the link in the system of its owner, unique in the project; null without one.';
COMMENT ON COLUMN dynamic_links.title IS 'A title for people, on pages without a social title.';
COMMENT ON COLUMN dynamic_links.tag_ids IS 'Ids of its tags, in the order of the caller. Those of retired tags stay until a batch removes them.';
COMMENT ON COLUMN dynamic_links.archived IS 'Lists hide archived links unless they are requested. Visitors notice nothing.';
COMMENT ON COLUMN dynamic_links.disabled IS 'Visitors of a disabled link get 410.';
COMMENT ON COLUMN dynamic_links.conversions IS 'Whether its visits get click ids, also if the project does not say so.';
COMMENT ON COLUMN dynamic_links.referrer_params IS 'Array of [key, value] pairs: jsonb objects do not keep the order of their keys.';
COMMENT ON COLUMN dynamic_links.app_data IS 'JSON object for apps. As text, because jsonb does not keep the order of keys.';
COMMENT ON COLUMN dynamic_links.query_forwarding IS 'Like that of the project, which decides if this is null.';
COMMENT ON COLUMN dynamic_links.forwarded_params IS 'Names of the parameters if query_forwarding of the link is listed.';
COMMENT ON COLUMN dynamic_links.variants IS 'JSON array of weighted destinations in place of desktop_url. Null without variants.';
COMMENT ON COLUMN dynamic_links.rules IS 'JSON array of conditions and destinations, the first of which that matches decides. Null without rules.';
COMMENT ON COLUMN dynamic_links.template IS 'Name of the template whose parameters and rules visitors get, too. Null without one.';
COMMENT ON COLUMN dynamic_links.active_from IS 'Visitors before it get what an unknown path gets.';
COMMENT ON COLUMN dynamic_links.active_until IS 'Visitors from then on get 410, or are sent to expired_url.';
COMMENT ON COLUMN dynamic_links.expired_url IS 'The destination after the end of the link. Null: that of the project.';
COMMENT ON COLUMN dynamic_links.password_hash IS 'Salt and scrypt key. The journal has the first 8 bytes alone, so that a restored link stays locked until it gets a new password.';
COMMENT ON COLUMN dynamic_links.click_limit IS 'Visits that get the destination; null without a limit. link_uses counts them.';
COMMENT ON COLUMN dynamic_links.used_up IS 'Whether click_limit is reached. Visitors then get what they get after active_until.';
COMMENT ON COLUMN dynamic_links.imported_from IS 'The system that the link was imported from; null if it was created here.';
COMMENT ON COLUMN dynamic_links.original_created_at IS 'The time of its creation in that system, if known.';
COMMENT ON COLUMN dynamic_links.original_clicks IS 'The clicks that it had in that system, if known.';
COMMENT ON COLUMN dynamic_links.deleted_at IS 'A marked link is gone for API and visitors at once. Its short links are then purged in batches, and the row last.';
COMMENT ON COLUMN dynamic_links.search_text IS 'Text for searches: name, path and destinations, one per line, folded.';
CREATE UNIQUE INDEX dynamic_links_external_id_unique ON dynamic_links (project_id, external_id)
  WHERE external_id IS NOT NULL AND deleted_at IS NULL;
-- The orders of lists leave out archived links by their index alone.
CREATE INDEX dynamic_links_in_order ON dynamic_links (project_id, created_at, id) INCLUDE (archived);
CREATE INDEX dynamic_links_by_update ON dynamic_links (project_id, updated_at, id) INCLUDE (archived);
CREATE INDEX dynamic_links_in_order_of_names ON dynamic_links (project_id, name COLLATE "C", id) INCLUDE (archived);
CREATE INDEX dynamic_links_in_order_of_paths ON dynamic_links (project_id, custom_path, id) INCLUDE (archived);
CREATE INDEX dynamic_links_archived ON dynamic_links (project_id, created_at, id) WHERE archived;
-- Links without tags are not in it, so that they cost nothing.
CREATE INDEX dynamic_links_by_tag ON dynamic_links USING gin (tag_ids) WHERE tag_ids <> '{}';
CREATE INDEX dynamic_links_by_ios_app ON dynamic_links (project_id, ios_app_id, created_at, id) WHERE ios_app_id IS NOT NULL;
CREATE INDEX dynamic_links_by_android_app ON dynamic_links (project_id, android_app_id, created_at, id)
  WHERE android_app_id IS NOT NULL;
-- An insertion that fills the list of new entries moves them into the index. A short list keeps that short.
CREATE INDEX dynamic_links_search ON dynamic_links USING gin (project_id, search_text gin_trgm_ops) WITH (gin_pending_list_limit = 64);
-- Association files depend on the rules, passwords and limits.
CREATE INDEX dynamic_links_for_web ON dynamic_links (project_id)
  WHERE (rules IS NOT NULL OR template IS NOT NULL OR password_hash IS NOT NULL OR click_limit IS NOT NULL) AND deleted_at IS NULL;
-- Deletions of templates count their links.
CREATE INDEX dynamic_links_by_template ON dynamic_links (project_id, template, created_at, id) WHERE template IS NOT NULL;
CREATE INDEX dynamic_links_to_purge ON dynamic_links (project_id, id) WHERE deleted_at IS NOT NULL;

-- Apart from dynamic_links, so that a use writes no entry of the journal and notifies no cache.
CREATE TABLE link_uses (
  dynamic_link_id uuid CONSTRAINT link_uses_pkey PRIMARY KEY CONSTRAINT link_uses_link_fk REFERENCES dynamic_links ON DELETE CASCADE,
  clicks bigint NOT NULL DEFAULT 0,
  ended_visits bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE link_uses IS 'Counts of links with a click limit or an end, since their creation.';
COMMENT ON COLUMN link_uses.clicks IS 'Visits that click_limit has let through.';
COMMENT ON COLUMN link_uses.ended_visits IS 'Visits of people after the end of the link.';

CREATE FUNCTION use_link(link uuid) RETURNS boolean LANGUAGE sql AS $$
  -- A conflict locks the row, and compares its latest version.
  INSERT INTO link_uses AS uses (dynamic_link_id, clicks)
  SELECT id, 1 FROM dynamic_links WHERE id = link AND click_limit IS NOT NULL AND deleted_at IS NULL
  ON CONFLICT (dynamic_link_id) DO UPDATE SET clicks = uses.clicks + 1
    WHERE uses.clicks < (SELECT click_limit FROM dynamic_links WHERE id = link)
  RETURNING clicks < (SELECT click_limit FROM dynamic_links WHERE id = link)
$$;
COMMENT ON FUNCTION use_link IS 'Uses one click of a link with a limit. Returns whether more are left; null if none was.';

-- As the owner, because a region calls it in its primary, where it may change no link. Apart from use_link, so that no use holds its
-- counter while it waits for a change of the link.
CREATE FUNCTION end_used_link(link uuid) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE dynamic_links SET used_up = true
  WHERE id = link AND NOT used_up AND click_limit <= (SELECT clicks FROM link_uses WHERE dynamic_link_id = link)
$$;
COMMENT ON FUNCTION end_used_link IS 'Marks the link as used up if its limit is reached, which notifies all processes.';

CREATE FUNCTION dynamic_links_limited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.used_up := EXISTS (SELECT FROM link_uses WHERE dynamic_link_id = NEW.id AND clicks >= NEW.click_limit);
  RETURN NEW;
END $$;

CREATE FUNCTION dynamic_links_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In one order, so that two statements that create the same paths do not wait for each other.
  INSERT INTO link_paths (project_id, path, dynamic_link_id)
  SELECT project_id, custom_path, id FROM inserted ORDER BY project_id, custom_path;
  PERFORM count_links(project_id, count(*), count(*) FILTER (WHERE archived), 0) FROM inserted GROUP BY project_id ORDER BY project_id;
  IF EXISTS (SELECT FROM inserted WHERE tag_ids <> '{}') THEN
    PERFORM count_tags(array_agg(tag_id), array_agg(1::bigint), array_agg(archived::int::bigint))
    FROM inserted CROSS JOIN LATERAL unnest(tag_ids) AS tag_id;
  END IF;
  RETURN NULL;
END $$;

-- Rows of marked links are not counted again when they are purged. A deleted project has no counts any more.
CREATE FUNCTION dynamic_links_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_links(project_id, -count(*), -count(*) FILTER (WHERE archived), 0) FROM deleted WHERE deleted_at IS NULL
  GROUP BY project_id ORDER BY project_id;
  IF EXISTS (SELECT FROM deleted WHERE deleted_at IS NULL AND tag_ids <> '{}') THEN
    PERFORM count_tags(array_agg(tag_id), array_agg(-1::bigint), array_agg(-archived::int::bigint))
    FROM deleted CROSS JOIN LATERAL unnest(tag_ids) AS tag_id WHERE deleted_at IS NULL;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION dynamic_links_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Both rows in one order: two links that would swap their paths must not wait for each other.
  PERFORM FROM link_paths
  WHERE project_id = OLD.project_id AND path IN (OLD.custom_path, NEW.custom_path) ORDER BY path FOR UPDATE;
  UPDATE link_paths SET path = NEW.custom_path WHERE project_id = OLD.project_id AND path = OLD.custom_path;
  RETURN NULL;
END $$;

CREATE FUNCTION dynamic_links_marked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM link_paths WHERE project_id = NEW.project_id AND path = NEW.custom_path;
  -- The trigger of updates counts archived links and tags.
  PERFORM count_links(NEW.project_id, -1, 0, -count(*)) FROM short_links WHERE project_id = NEW.project_id AND dynamic_link_id = NEW.id;
  RETURN NULL;
END $$;

CREATE FUNCTION dynamic_links_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_links(changed.project_id, 0, count(*) FILTER (WHERE updated.archived AND updated.deleted_at IS NULL)
    - count(*) FILTER (WHERE changed.archived AND changed.deleted_at IS NULL), 0)
  FROM changed JOIN updated ON updated.id = changed.id
  WHERE (changed.archived AND changed.deleted_at IS NULL) <> (updated.archived AND updated.deleted_at IS NULL)
  GROUP BY changed.project_id ORDER BY changed.project_id;
  PERFORM count_tags(array_agg(counted.tag_id), array_agg(counted.change), array_agg(counted.archived))
  FROM changed JOIN updated ON updated.id = changed.id CROSS JOIN LATERAL (
    SELECT unnest(changed.tag_ids) AS tag_id, -1::bigint AS change, -changed.archived::int::bigint AS archived
    WHERE changed.deleted_at IS NULL
    UNION ALL
    SELECT unnest(updated.tag_ids), 1, updated.archived::int WHERE updated.deleted_at IS NULL
  ) AS counted
  WHERE (changed.tag_ids, changed.archived, changed.deleted_at IS NULL)
    IS DISTINCT FROM (updated.tag_ids, updated.archived, updated.deleted_at IS NULL);
  RETURN NULL;
END $$;

CREATE TRIGGER dynamic_links_limited BEFORE UPDATE OF click_limit ON dynamic_links
  FOR EACH ROW WHEN (OLD.click_limit IS DISTINCT FROM NEW.click_limit) EXECUTE FUNCTION dynamic_links_limited();
CREATE TRIGGER dynamic_links_inserted AFTER INSERT ON dynamic_links
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION dynamic_links_inserted();
CREATE TRIGGER dynamic_links_deleted AFTER DELETE ON dynamic_links
  REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION dynamic_links_deleted();
CREATE TRIGGER dynamic_links_moved AFTER UPDATE OF custom_path ON dynamic_links
  FOR EACH ROW WHEN (OLD.custom_path IS DISTINCT FROM NEW.custom_path) EXECUTE FUNCTION dynamic_links_moved();
CREATE TRIGGER dynamic_links_marked AFTER UPDATE OF deleted_at ON dynamic_links
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION dynamic_links_marked();
CREATE TRIGGER dynamic_links_updated AFTER UPDATE ON dynamic_links
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION dynamic_links_updated();

-- Counts links and reservations in one statement. A batch of an import moves links from its reservation to the links, without a lock of
-- the account. Two statements could see neither of them, and more links than the quota.
CREATE FUNCTION reserve_dynamic_links(account uuid, quota bigint, links bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  used bigint;
BEGIN
  -- Creations of one account wait for each other. A separate statement, so that the sums below see what they created.
  PERFORM FROM accounts WHERE id = account FOR NO KEY UPDATE;
  SELECT (
      SELECT coalesce(sum(counts.dynamic_links), 0)
      FROM projects JOIN project_counts AS counts ON counts.project_id = projects.id
      WHERE projects.account_id = account AND projects.deleted_at IS NULL
    ) + (
      SELECT coalesce(sum(reserved_links), 0) FROM projects JOIN imports ON imports.project_id = projects.id
      WHERE projects.account_id = account AND projects.deleted_at IS NULL AND reserved_links > 0
    ) INTO used;
  IF used + links > quota THEN
    RAISE check_violation
    USING MESSAGE = 'the quota of dynamic links is reached', CONSTRAINT = 'dynamic_links_quota', DETAIL = used, TABLE = 'dynamic_links';
  END IF;
END $$;
COMMENT ON FUNCTION reserve_dynamic_links IS 'Locks the account until the transaction ends, and fails if so many more links exceed its quota. The detail of the error is the number of links that it has.';

-- A link with more than `batch` short links is only marked, so that the duration does not depend on their number.
CREATE FUNCTION delete_dynamic_link(project uuid, link uuid, batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  -- Waits for short links that are being created, whose foreign key locks this row.
  PERFORM FROM dynamic_links WHERE project_id = project AND id = link AND deleted_at IS NULL FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF (
    SELECT count(*) FROM (SELECT FROM short_links WHERE project_id = project AND dynamic_link_id = link LIMIT batch + 1) AS first
  ) <= batch THEN
    DELETE FROM dynamic_links WHERE id = link;
    RETURN true;
  END IF;
  -- Without its apps and template, so that they can be deleted at once.
  UPDATE dynamic_links SET deleted_at = now(), ios_app_id = NULL, android_app_id = NULL, template = NULL WHERE id = link;
  RETURN false;
END $$;
COMMENT ON FUNCTION delete_dynamic_link IS 'Deletes or marks a link: null if the project has none, true if it is removed, false if it is marked.';

CREATE FUNCTION delete_dynamic_links(project uuid, ids uuid[], batch integer) RETURNS TABLE (deleted_id uuid, complete boolean)
LANGUAGE plpgsql AS $$
DECLARE
  small uuid[];
  large uuid[];
BEGIN
  -- Waits for short links that are being created, as delete_dynamic_link does. In one order.
  PERFORM FROM dynamic_links WHERE project_id = project AND id = ANY (ids) AND deleted_at IS NULL ORDER BY id FOR UPDATE;
  SELECT array_agg(summed.id) FILTER (WHERE summed.so_far <= batch), array_agg(summed.id) FILTER (WHERE summed.so_far > batch)
  INTO small, large
  FROM (
    SELECT counted.id, sum(counted.short_links) OVER (ORDER BY counted.short_links, counted.id) AS so_far
    FROM (
      SELECT link.id, (
        SELECT count(*) FROM (
          SELECT FROM short_links AS short WHERE short.project_id = project AND short.dynamic_link_id = link.id LIMIT batch + 1
        ) AS first
      ) AS short_links
      FROM dynamic_links AS link WHERE link.project_id = project AND link.id = ANY (ids) AND link.deleted_at IS NULL
    ) AS counted
  ) AS summed;
  -- All paths by one statement, so that visitors' caches get one notification of them. The foreign keys would delete link by link.
  DELETE FROM link_paths WHERE dynamic_link_id = ANY (small);
  DELETE FROM dynamic_links WHERE id = ANY (small);
  -- Without their apps and templates, so that these can be deleted at once. The triggers of an UPDATE cost more than a deletion, also without rows.
  IF large IS NOT NULL THEN
    UPDATE dynamic_links SET deleted_at = now(), ios_app_id = NULL, android_app_id = NULL, template = NULL WHERE id = ANY (large);
  END IF;
  RETURN QUERY SELECT unnest(small), true UNION ALL SELECT unnest(large), false;
END $$;
COMMENT ON FUNCTION delete_dynamic_links IS 'Deletes links like delete_dynamic_link: with at most so many short links together, and marks those with more. Returns the ids of links that the project had.';

-- Any number of processes may call it at once.
CREATE FUNCTION purge_deleted_links(batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  doomed record;
  rows uuid[];
BEGIN
  SELECT project_id, id INTO doomed FROM dynamic_links WHERE deleted_at IS NOT NULL LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN true; END IF;
  rows := ARRAY(SELECT id FROM short_links WHERE project_id = doomed.project_id AND dynamic_link_id = doomed.id LIMIT batch);
  IF cardinality(rows) = 0 THEN
    DELETE FROM dynamic_links WHERE id = doomed.id;
  ELSE
    DELETE FROM link_paths WHERE short_link_id = ANY (rows);
    DELETE FROM short_links WHERE id = ANY (rows);
  END IF;
  RETURN false;
END $$;
COMMENT ON FUNCTION purge_deleted_links IS 'Removes the next batch of the short links of one marked link, or the link itself; true if no link is left for this process.';

-- Links of a deleted project are unreachable since the notification of the project, and purged by the thousand.
CREATE FUNCTION announce_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('links', array_agg(DISTINCT changed.id::text))
  FROM changed JOIN projects p ON p.id = changed.project_id AND p.deleted_at IS NULL;
  RETURN NULL;
END $$;

-- Visitors notice no other change. Notes and archives of many links would empty every cache.
CREATE FUNCTION announce_updated_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce('links', array_agg(DISTINCT changed.id::text))
  FROM changed JOIN projects p ON p.id = changed.project_id AND p.deleted_at IS NULL
    LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.custom_path, changed.desktop_url, changed.ios_app_id, changed.android_app_id, changed.ios_fallback_url,
         changed.android_fallback_url, changed.ios_deferred_deep_link, changed.social_title, changed.social_description,
         changed.social_image_url, changed.referrer_params, changed.title, changed.disabled, changed.deleted_at,
         changed.query_forwarding, changed.forwarded_params, changed.conversions, changed.external_id, changed.app_data, changed.variants, changed.rules, changed.template, changed.active_from,
         changed.active_until, changed.expired_url, changed.password_hash, changed.click_limit, changed.used_up)
    IS DISTINCT FROM
        (updated.custom_path, updated.desktop_url, updated.ios_app_id, updated.android_app_id, updated.ios_fallback_url,
         updated.android_fallback_url, updated.ios_deferred_deep_link, updated.social_title, updated.social_description,
         updated.social_image_url, updated.referrer_params, updated.title, updated.disabled, updated.deleted_at,
         updated.query_forwarding, updated.forwarded_params, updated.conversions, updated.external_id, updated.app_data, updated.variants, updated.rules, updated.template, updated.active_from,
         updated.active_until, updated.expired_url, updated.password_hash, updated.click_limit, updated.used_up);
  RETURN NULL;
END $$;

CREATE TRIGGER dynamic_links_updated_announced AFTER UPDATE ON dynamic_links
  REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_links();
CREATE TRIGGER dynamic_links_deleted_announced AFTER DELETE ON dynamic_links
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_links();
CREATE TRIGGER dynamic_links_truncated_announced AFTER TRUNCATE ON dynamic_links EXECUTE FUNCTION announce_everything();
