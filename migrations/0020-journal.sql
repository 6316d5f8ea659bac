-- The journal: who changed what, in the transaction of the change.
--
-- Triggers write the entries, so that no program can change a resource without one, psql included. An entry that the service
-- inserts itself would need three more round trips for each creation. The service names the actor by `set_actor`. Entries get their
-- number after the commit (`seal_journal`). A number that the transaction draws would make all changes of an account wait for each
-- other.

CREATE TABLE journal_inbox (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT journal_inbox_pkey PRIMARY KEY,
  account_id uuid NOT NULL,
  project_id uuid,
  at timestamptz(3) NOT NULL DEFAULT now(),
  type text NOT NULL,
  resource_id uuid,
  resource_ids uuid[],
  actor jsonb NOT NULL,
  before jsonb,
  after jsonb,
  rows jsonb
);
COMMENT ON TABLE journal_inbox IS 'Entries of committed changes that have no number yet, for a second at most. The columns are those of the journal.';

CREATE TABLE journal (
  account_id uuid NOT NULL,
  sequence bigint NOT NULL,
  project_id uuid,
  at timestamptz(3) NOT NULL,
  type text NOT NULL,
  resource_id uuid,
  resource_ids uuid[],
  actor jsonb NOT NULL,
  before jsonb,
  after jsonb,
  rows jsonb,
  digest bytea NOT NULL,
  CONSTRAINT journal_pkey PRIMARY KEY (account_id, sequence, at)
) PARTITION BY RANGE (at);
COMMENT ON TABLE journal IS 'Changes of resources and other events, numbered without gaps for each account. Each digest covers the entry and the digest before. Entries are never changed. Whole months are dropped.';
COMMENT ON COLUMN journal.type IS 'Kind of the resource and action, such as link.updated.';
COMMENT ON COLUMN journal.resource_id IS 'The resource; null for a batch, whose resources are in resource_ids. No foreign key, because entries stay after the deletion of the resource.';
COMMENT ON COLUMN journal.before IS 'The former values of the columns that changed; all values of a deleted row.';
COMMENT ON COLUMN journal.after IS 'The new values of the columns that changed; all values of a new row. Columns without a value are left out there.';
COMMENT ON COLUMN journal.rows IS 'The id, former and new values of each row of a batch. Null for created rows, which resource_ids names.';
CREATE INDEX journal_by_project ON journal (project_id, sequence);
CREATE INDEX journal_by_resource ON journal (resource_id, sequence) WHERE resource_id IS NOT NULL;
CREATE INDEX journal_by_batch ON journal USING gin (resource_ids) WHERE resource_ids IS NOT NULL;

CREATE TABLE journal_heads (
  account_id uuid CONSTRAINT journal_heads_pkey PRIMARY KEY,
  sequence bigint NOT NULL,
  digest bytea NOT NULL
);
COMMENT ON TABLE journal_heads IS 'The last entry of each account.';

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Addresses of people can be erased, because digests leave them out. The journal of an erased account has no reader.
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) = jsonb_set(to_jsonb(OLD), '{actor}', OLD.actor - 'address') THEN RETURN NEW; END IF;
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM accounts WHERE id = OLD.account_id) THEN RETURN OLD; END IF;
  RAISE insufficient_privilege USING MESSAGE = 'entries of the journal cannot be changed';
END $$;
CREATE TRIGGER journal_unchanged BEFORE UPDATE OR DELETE ON journal FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- A function, so that a statement names its actor itself, without a transaction around it.
CREATE FUNCTION set_actor(actor text) RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT set_config('signpost.actor', actor, true) $$;
COMMENT ON FUNCTION set_actor IS 'Names who makes the changes of this transaction: a JSON object. `requests` in it has the request of each new row by its id, and makes each row an entry.';

CREATE FUNCTION journal_mark(changed jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(changed->>'deleted_at', changed->>'retired_at', changed->>'revoked_at')
$$;
COMMENT ON FUNCTION journal_mark IS 'When a row was marked as deleted; null if it is not.';

CREATE TYPE journal_change AS (resource_id uuid, project_id uuid, account_id uuid, action text, before jsonb, after jsonb);

CREATE FUNCTION owned_changes(kind text, changes journal_change[]) RETURNS SETOF journal_change LANGUAGE sql STABLE AS $$
  SELECT change.resource_id, CASE kind WHEN 'project' THEN change.resource_id WHEN 'webhook' THEN NULL ELSE change.project_id END,
    coalesce(change.account_id, owner.account_id, CASE kind WHEN 'account' THEN change.resource_id END),
    change.action, change.before, change.after
  -- A webhook belongs to its account. The project in it is a filter.
  FROM unnest(changes) AS change LEFT JOIN projects AS owner ON owner.id = change.project_id AND kind <> 'webhook'
  WHERE owner.deleted_at IS NULL
    AND (change.account_id IS NOT NULL OR owner.account_id IS NOT NULL OR kind = 'account')
$$;
COMMENT ON FUNCTION owned_changes IS 'The changes with their account and project. Contents of a deleted project are left out.';

CREATE FUNCTION journaled_values(r jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  -- In hexadecimal digits after \x. Half of the salt shows that the password changed, and nothing about it.
  RETURN CASE WHEN r->>'password_hash' IS NULL THEN r ELSE r || jsonb_build_object('password_hash', left(r->>'password_hash', 18)) END;
END $$;
COMMENT ON FUNCTION journaled_values IS 'The values of a row without the hash of its password.';

-- Arguments: the name of the resource, and the columns that the journal leaves out. A row that is marked as deleted is deleted. Its
-- purge is not an event.
CREATE FUNCTION write_journal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  kind text := TG_ARGV[0];
  hidden text[] := TG_ARGV[1]::text[] || '{updated_at}';
  who jsonb := coalesce(nullif(current_setting('signpost.actor', true), ''), '{"kind": "database"}')::jsonb;
  changes journal_change[];
BEGIN
  -- OFFSET 0 converts each row once. Without it, an update is converted for each of its columns.
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(ROW(r->>'id', r->>'project_id', r->>'account_id', 'created', NULL, jsonb_strip_nulls(r - hidden))::journal_change)
    INTO changes FROM (SELECT journaled_values(to_jsonb(n)) AS r FROM new_rows AS n OFFSET 0) AS inserted;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(ROW(r->>'id', r->>'project_id', r->>'account_id', 'deleted', jsonb_strip_nulls(r - hidden), NULL)::journal_change)
    INTO changes FROM (SELECT journaled_values(to_jsonb(o)) AS r FROM old_rows AS o OFFSET 0) AS deleted WHERE journal_mark(r) IS NULL;
  ELSE
    SELECT array_agg(ROW(
      r->>'id', r->>'project_id', r->>'account_id',
      CASE WHEN is_marked THEN 'deleted' ELSE 'updated' END,
      CASE WHEN is_marked THEN jsonb_strip_nulls(r - hidden) ELSE differing.before END,
      CASE WHEN NOT is_marked THEN differing.after END
    )::journal_change) INTO changes
    FROM (
      SELECT r, next, journal_mark(next) IS NOT NULL AS is_marked
      FROM (SELECT journaled_values(to_jsonb(o)) AS r, journaled_values(to_jsonb(n)) AS next FROM old_rows AS o JOIN new_rows AS n ON n.id = o.id OFFSET 0) AS updated
      WHERE journal_mark(r) IS NULL
    ) AS updated CROSS JOIN LATERAL (
      SELECT jsonb_object_agg(key, value) AS before, jsonb_object_agg(key, next->key) AS after
      FROM jsonb_each(r - hidden) WHERE value IS DISTINCT FROM next->key
    ) AS differing
    WHERE is_marked OR differing.before IS NOT NULL;
  END IF;
  IF cardinality(changes) = 1 OR who ? 'requests' THEN
    INSERT INTO journal_inbox (account_id, project_id, type, resource_id, actor, before, after)
    SELECT owned.account_id, owned.project_id, kind || '.' || owned.action, owned.resource_id,
      CASE WHEN who ? 'requests'
        THEN who - 'requests' || jsonb_build_object('request_id', who->'requests'->(owned.resource_id::text)) ELSE who END,
      owned.before, owned.after
    FROM owned_changes(kind, changes) AS owned;
  ELSIF cardinality(changes) > 1 THEN
    INSERT INTO journal_inbox (account_id, project_id, type, resource_ids, actor, rows)
    -- An entry of a million rows would exceed PostgreSQL's limit of a value, and no reader could hold it.
    SELECT owned.account_id, owned.project_id, kind || '.' || owned.action, array_agg(owned.resource_id), who,
      jsonb_agg(jsonb_build_object('id', owned.resource_id, 'before', owned.before, 'after', owned.after)) FILTER (WHERE owned.action <> 'created')
    FROM (SELECT *, (row_number() OVER () - 1) / 5000 AS part FROM owned_changes(kind, changes)) AS owned
    GROUP BY owned.account_id, owned.project_id, owned.action, owned.part;
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION write_journal IS 'Writes an entry for the changed row, or one per 5,000 rows of a statement.';

CREATE FUNCTION journal_event(account uuid, project uuid, type text, resource uuid, details jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO journal_inbox (account_id, project_id, type, resource_id, actor, after) VALUES (
    account, project, type, resource, coalesce(nullif(current_setting('signpost.actor', true), ''), '{"kind": "database"}')::jsonb, details
  )
$$;
COMMENT ON FUNCTION journal_event IS 'Writes an entry of an event that changes no resource.';
REVOKE EXECUTE ON FUNCTION journal_event FROM PUBLIC;

CREATE TABLE journal_marks (
  subject uuid NOT NULL,
  type text NOT NULL,
  what text NOT NULL,
  account_id uuid NOT NULL CONSTRAINT journal_marks_account_fk REFERENCES accounts ON DELETE CASCADE,
  until timestamptz(3) NOT NULL,
  CONSTRAINT journal_marks_pkey PRIMARY KEY (subject, type, what)
);
COMMENT ON TABLE journal_marks IS 'Events that have an entry, so that callers cannot fill the journal by repetition. A key or user has at most 200 of a type.';
COMMENT ON COLUMN journal_marks.subject IS 'The API key or user. No foreign key: an entry is not repeated after the deletion.';
COMMENT ON COLUMN journal_marks.what IS 'The network or operation.';
COMMENT ON COLUMN journal_marks.until IS 'From then on, the event is an entry again.';
CREATE INDEX journal_marks_by_account ON journal_marks (account_id);

CREATE FUNCTION journal_event_once(
  account uuid, project uuid, type text, resource uuid, details jsonb, event_subject uuid, event_what text, hours integer
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  event_type text := type;
BEGIN
  INSERT INTO journal_marks AS mark (subject, type, what, account_id, until)
  SELECT event_subject, event_type, event_what, account, coalesce(now() + make_interval(hours => hours), 'infinity')
  WHERE (SELECT count(*) FROM journal_marks AS known WHERE known.subject = event_subject AND known.type = event_type) < 200
    OR EXISTS (
      SELECT FROM journal_marks AS known
      WHERE known.subject = event_subject AND known.type = event_type AND known.what = event_what AND known.until <= now()
    )
  ON CONFLICT ON CONSTRAINT journal_marks_pkey DO UPDATE SET until = excluded.until WHERE mark.until <= now();
  IF FOUND THEN PERFORM journal_event(account, project, event_type, resource, details); END IF;
END $$;
COMMENT ON FUNCTION journal_event_once IS 'Writes an entry, unless the subject has one of this type and content in the last hours; null hours: ever.';
REVOKE EXECUTE ON FUNCTION journal_event_once FROM PUBLIC;

CREATE FUNCTION digest_of_entry(former bytea, entry journal) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(former || convert_to(jsonb_build_array(
    entry.account_id, entry.sequence, entry.project_id, extract(epoch FROM entry.at), entry.type, entry.resource_id, entry.resource_ids,
    entry.actor - 'address', entry.before, entry.after, entry.rows
  )::text, 'UTF8'))
$$;
COMMENT ON FUNCTION digest_of_entry IS 'The SHA-256 of an entry, without the address of its actor, and of the digest before.';

CREATE FUNCTION seal_journal(batch integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  entry journal;
  head journal_heads;
  waiting record;
  partition text;
  sealed integer := 0;
BEGIN
  IF NOT EXISTS (SELECT FROM journal_inbox) THEN RETURN 0; END IF;
  PERFORM pg_advisory_xact_lock(1668049251, 4);
  FOR waiting IN
    WITH moved AS (
      DELETE FROM journal_inbox WHERE id IN (SELECT id FROM journal_inbox ORDER BY id LIMIT batch) RETURNING *
    )
    SELECT * FROM moved ORDER BY account_id, id
  LOOP
    IF head.account_id IS DISTINCT FROM waiting.account_id THEN
      IF head.account_id IS NOT NULL THEN
        INSERT INTO journal_heads SELECT head.* ON CONFLICT (account_id) DO UPDATE SET sequence = excluded.sequence, digest = excluded.digest;
      END IF;
      SELECT * INTO head FROM journal_heads WHERE account_id = waiting.account_id;
      IF NOT FOUND THEN head := ROW(waiting.account_id, 0, '\x'); END IF;
    END IF;
    IF partition IS DISTINCT FROM 'journal' || to_char(waiting.at AT TIME ZONE 'UTC', '_YYYY_MM') THEN
      partition := 'journal' || to_char(waiting.at AT TIME ZONE 'UTC', '_YYYY_MM');
      IF to_regclass(quote_ident(partition)) IS NULL THEN
        EXECUTE format('CREATE TABLE %I PARTITION OF journal FOR VALUES FROM (%L) TO (%L)', partition,
          date_trunc('month', waiting.at, 'UTC'), date_trunc('month', waiting.at, 'UTC') + interval '1 month');
        IF session_user <> current_user THEN
          EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON %I FROM %I', partition, session_user);
        END IF;
      END IF;
    END IF;
    entry := ROW(waiting.account_id, head.sequence + 1, waiting.project_id, waiting.at, waiting.type, waiting.resource_id,
      waiting.resource_ids, waiting.actor, waiting.before, waiting.after, waiting.rows, NULL);
    entry.digest := digest_of_entry(head.digest, entry);
    INSERT INTO journal SELECT entry.*;
    head := ROW(entry.account_id, entry.sequence, entry.digest);
    sealed := sealed + 1;
  END LOOP;
  IF head.account_id IS NOT NULL THEN
    INSERT INTO journal_heads SELECT head.* ON CONFLICT (account_id) DO UPDATE SET sequence = excluded.sequence, digest = excluded.digest;
  END IF;
  RETURN sealed;
END $$;
COMMENT ON FUNCTION seal_journal IS 'Numbers committed entries, in the order in which rows were changed, and adds them to the journal. Returns their number. Any number of processes may call it.';
REVOKE EXECUTE ON FUNCTION seal_journal FROM PUBLIC;

CREATE FUNCTION drop_journal_partitions(months integer) RETURNS text[] LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  first_kept text := to_char(date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => months), 'YYYY_MM');
  partition text;
  dropped text[] := '{}';
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 4) THEN RETURN dropped; END IF;
  FOR partition IN
    SELECT inhrelid::regclass::text FROM pg_inherits
    WHERE inhparent = 'journal'::regclass AND right(inhrelid::regclass::text, 7) < first_kept
  LOOP
    EXECUTE format('DROP TABLE %s', partition);
    dropped := dropped || partition;
  END LOOP;
  RETURN dropped;
END $$;
COMMENT ON FUNCTION drop_journal_partitions IS 'Drops the partitions of all months but the current one and so many before it (UTC), and names them.';
REVOKE EXECUTE ON FUNCTION drop_journal_partitions FROM PUBLIC;

CREATE FUNCTION erase_user(account uuid, person uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM users WHERE account_id = account AND id = person;
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM journal_marks WHERE subject = person;
  DELETE FROM approvals WHERE account_id = account AND state = 'pending' AND (requested_by = person OR resource_id = person);
  -- Entries that are being numbered at this moment would escape.
  PERFORM pg_advisory_xact_lock(1668049251, 4);
  UPDATE journal SET actor = actor - 'address' WHERE account_id = account AND actor->>'user_id' = person::text AND actor ? 'address';
  UPDATE journal_inbox SET actor = actor - 'address' WHERE account_id = account AND actor->>'user_id' = person::text;
  PERFORM announce('accounts', ARRAY[account::text]);
  PERFORM journal_event(account, NULL, 'user.erased', NULL, jsonb_build_object('user_id', person));
  RETURN true;
END $$;
COMMENT ON FUNCTION erase_user IS 'Deletes a user with its identities and roles, and its addresses in the journal. Its id stays as a pseudonym. Returns false if there is no such user.';
REVOKE EXECUTE ON FUNCTION erase_user FROM PUBLIC;

CREATE FUNCTION erase_account(erased uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM idempotent_answers WHERE account_id = erased;
  DELETE FROM accounts WHERE id = erased;
  PERFORM pg_advisory_xact_lock(1668049251, 4);
  DELETE FROM journal WHERE account_id = erased;
  DELETE FROM journal_inbox WHERE account_id = erased;
  DELETE FROM journal_heads WHERE account_id = erased;
END $$;
COMMENT ON FUNCTION erase_account IS 'Deletes an account whose projects are purged, with its people, keys and journal.';
REVOKE EXECUTE ON FUNCTION erase_account FROM PUBLIC;

CREATE FUNCTION broken_entry(account uuid, first bigint, last bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT min(number) FROM generate_series(first + 1, last) AS number
  LEFT JOIN journal AS entry ON entry.account_id = account AND entry.sequence = number
  LEFT JOIN journal AS former ON former.account_id = account AND former.sequence = number - 1
  WHERE entry.sequence IS NULL OR entry.digest IS DISTINCT FROM digest_of_entry(CASE number WHEN 1 THEN '\x' ELSE former.digest END, entry)
$$;
COMMENT ON FUNCTION broken_entry IS 'The first entry after `first` and up to `last` that is missing, or does not follow from the one before; null if all are correct.';

-- Sets values of rows back to those of an entry. `row_values` are columns of the resource in JSON.
CREATE FUNCTION restore_row(kind text, project uuid, resource uuid, row_values jsonb, is_deleted boolean) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  restored_table text := CASE kind
    WHEN 'link' THEN 'dynamic_links' WHEN 'short_link' THEN 'short_links' WHEN 'ios_app' THEN 'ios_apps'
    WHEN 'android_app' THEN 'android_apps' WHEN 'project' THEN 'projects'
  END;
  columns text := (SELECT string_agg(quote_ident(key), ', ') FROM jsonb_object_keys(row_values) AS key);
  affected integer;
BEGIN
  IF is_deleted THEN
    EXECUTE format('INSERT INTO %1$I (%2$s) SELECT %2$s FROM jsonb_populate_record(NULL::%1$I, $1) ON CONFLICT (id) DO NOTHING',
      restored_table, columns) USING row_values;
  ELSE
    EXECUTE format('UPDATE %1$I AS t SET (%2$s, updated_at) = (SELECT %2$s, now() FROM jsonb_populate_record(NULL::%1$I, $1))
        WHERE id = $2 AND %3$s = $3',
      restored_table, columns, CASE kind WHEN 'project' THEN 'id' ELSE 'project_id' END) USING row_values, resource, project;
  END IF;
  GET DIAGNOSTICS affected = ROW_COUNT;
  RETURN affected = 1;
END $$;
COMMENT ON FUNCTION restore_row IS 'Inserts a deleted row again, or sets columns of a row. Returns whether it did.';

-- The columns that are left out have internal notes, progress, secrets or copies.
DO $$
DECLARE
  journaled record;
BEGIN
  FOR journaled IN
    SELECT * FROM (VALUES
      ('accounts', 'account', '{}'),
      ('members', 'member', '{email,subject}'),
      ('approvals', 'approval', '{body}'),
      ('projects', 'project', '{deleted_at}'),
      ('custom_domains', 'domain', '{challenge,checked_at,next_check_at,record_missing_since}'),
      ('ios_apps', 'ios_app', '{}'),
      ('android_apps', 'android_app', '{}'),
      ('app_releases', 'app_release', '{}'),
      ('dynamic_links', 'link', '{search_text,deleted_at,used_up}'),
      ('short_links', 'short_link', '{}'),
      ('tags', 'tag', '{folded_name,retired_at}'),
      ('api_keys', 'api_key', '{digest,last_used_at}'),
      ('imports', 'import', '{options,columns,layout,list,list_progress,sealed_token,file_rows,file_bytes,read_bytes,stored_bytes,has_data,processed,created,replaced,unchanged,conflicts,refused,unmapped,predicted,reserved_links,failure,attempts,attempted_by,attempted_at,phase_started_at,deleted_at}')
    ) AS named (table_name, kind, hidden)
  LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal(%L, %L)',
      journaled.table_name || '_inserted_journaled', journaled.table_name, journaled.kind, journaled.hidden);
    EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal(%L, %L)',
      journaled.table_name || '_updated_journaled', journaled.table_name, journaled.kind, journaled.hidden);
    EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal(%L, %L)',
      journaled.table_name || '_deleted_journaled', journaled.table_name, journaled.kind, journaled.hidden);
  END LOOP;
END $$;
