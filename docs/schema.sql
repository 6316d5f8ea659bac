-- The database after all migrations, written by `npm run schema`.

-- Extensions

CREATE EXTENSION btree_gin;

CREATE EXTENSION pg_trgm;

-- Types

CREATE TYPE click_sum AS (
  project_id uuid,
  scope_id uuid,
  dimension text,
  day date,
  quarter integer,
  value text,
  bot boolean,
  qr boolean,
  clicks bigint
);

CREATE TYPE journal_change AS (
  resource_id uuid,
  project_id uuid,
  account_id uuid,
  action text,
  before jsonb,
  after jsonb
);

CREATE TYPE link_count AS (
  project_id uuid,
  dynamic_link_id uuid,
  event text,
  times bigint
);

-- Tables

CREATE TABLE accounts (
  id uuid NOT NULL,
  name text NOT NULL,
  plan text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  frozen boolean DEFAULT false NOT NULL,
  disabled boolean DEFAULT false NOT NULL,
  max_key_age_days integer,
  approval_required boolean DEFAULT false NOT NULL,
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_plan_known CHECK ((plan = ANY (ARRAY['free'::text, 'pro'::text, 'enterprise'::text])))
);
COMMENT ON TABLE accounts IS 'Tenants. Each has a plan and owns users, API keys and projects. Creating under a quota locks the account''s row.';
COMMENT ON COLUMN accounts.frozen IS 'Whether its owner has stopped all changes.';
COMMENT ON COLUMN accounts.disabled IS 'Whether the operator has stopped all requests to the API.';
COMMENT ON COLUMN accounts.max_key_age_days IS 'Days after which an API key is refused; null for no limit.';
COMMENT ON COLUMN accounts.approval_required IS 'Whether a second person must approve some changes.';
CREATE TRIGGER accounts_deleted_journaled AFTER DELETE ON public.accounts REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('account', '{}');
CREATE TRIGGER accounts_inserted_journaled AFTER INSERT ON public.accounts REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('account', '{}');
CREATE TRIGGER accounts_truncated_announced AFTER TRUNCATE ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER accounts_updated_announced AFTER UPDATE ON public.accounts REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_accounts();
CREATE TRIGGER accounts_updated_journaled AFTER UPDATE ON public.accounts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('account', '{}');

CREATE TABLE android_apps (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  name text NOT NULL,
  package_name text COLLATE "C" NOT NULL,
  sha_fingerprints text[] NOT NULL,
  android_stores jsonb,
  paths text[],
  shared_credentials boolean DEFAULT false NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT android_apps_id_in_project_unique UNIQUE (project_id, id),
  CONSTRAINT android_apps_package_name_unique UNIQUE (project_id, package_name),
  CONSTRAINT android_apps_pkey PRIMARY KEY (id),
  CONSTRAINT android_apps_project_fk FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
COMMENT ON TABLE android_apps IS 'Android apps of a project: what its asset-links file is made of. An app without fingerprints is not in it.';
COMMENT ON COLUMN android_apps.android_stores IS 'The ids of the app in AppGallery, the Amazon Appstore and the Galaxy Store, by store; null without them.';
COMMENT ON COLUMN android_apps.paths IS 'The paths that open the app, as patterns; null derives them from the links.';
COMMENT ON COLUMN android_apps.shared_credentials IS 'Whether the app shares passwords and passkeys with the link hosts (get_login_creds).';
CREATE INDEX android_apps_by_created_at ON public.android_apps USING btree (project_id, created_at, id);
CREATE INDEX android_apps_by_name ON public.android_apps USING btree (project_id, name COLLATE "C", id);
CREATE INDEX android_apps_by_package_name ON public.android_apps USING btree (project_id, package_name, id);
CREATE INDEX android_apps_by_updated_at ON public.android_apps USING btree (project_id, updated_at, id);
CREATE TRIGGER android_apps_deleted_announced AFTER DELETE ON public.android_apps REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER android_apps_deleted_journaled AFTER DELETE ON public.android_apps REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('android_app', '{}');
CREATE TRIGGER android_apps_inserted_announced AFTER INSERT ON public.android_apps REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER android_apps_inserted_journaled AFTER INSERT ON public.android_apps REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('android_app', '{}');
CREATE TRIGGER android_apps_truncated_announced AFTER TRUNCATE ON public.android_apps FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER android_apps_updated_announced AFTER UPDATE ON public.android_apps REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER android_apps_updated_journaled AFTER UPDATE ON public.android_apps REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('android_app', '{}');

CREATE TABLE api_key_days (
  api_key_id uuid NOT NULL,
  day date NOT NULL,
  created integer NOT NULL,
  CONSTRAINT api_key_days_pkey PRIMARY KEY (api_key_id),
  CONSTRAINT api_key_days_key_fk FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE
);
COMMENT ON TABLE api_key_days IS 'Links that each publishable key has created on its last day (UTC).';

CREATE TABLE api_keys (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  digest bytea NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  scopes text[],
  project_ids uuid[],
  allowed_networks text[],
  destination_hosts text[],
  publishable boolean DEFAULT false NOT NULL,
  allowed_origins text[],
  links_per_day integer,
  CONSTRAINT api_keys_digest_unique UNIQUE (digest),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT api_keys_limits_bounded CHECK (((cardinality(scopes) <= 50) AND (cardinality(project_ids) <= 50) AND (cardinality(allowed_networks) <= 20) AND (cardinality(destination_hosts) <= 50) AND (cardinality(allowed_origins) <= 20))),
  CONSTRAINT api_keys_publishable_limited CHECK ((
CASE
    WHEN publishable THEN ((allowed_origins IS NOT NULL) AND (project_ids IS NOT NULL) AND (scopes <@ '{links:create,conversions:write}'::text[]) AND ((destination_hosts IS NOT NULL) OR (NOT ('links:create'::text = ANY (scopes)))))
    ELSE ((allowed_origins IS NULL) AND (links_per_day IS NULL))
END IS TRUE))
);
COMMENT ON TABLE api_keys IS 'API keys. Of the key itself only an HMAC-SHA-256 is kept, and its first characters to recognise it by.';
COMMENT ON COLUMN api_keys.user_id IS 'The user in whose name the key acts. No foreign key: the key stays when the user is erased.';
COMMENT ON COLUMN api_keys.scopes IS 'Permissions of the key. Null: all.';
COMMENT ON COLUMN api_keys.project_ids IS 'Projects that the key may use. Null: all of the account. No foreign keys: the id of a deleted project matches none.';
COMMENT ON COLUMN api_keys.allowed_networks IS 'Networks in CIDR notation that requests may come from. Null: all.';
COMMENT ON COLUMN api_keys.destination_hosts IS 'Hosts to which links that the key writes may lead, as patterns. Null: all.';
COMMENT ON COLUMN api_keys.publishable IS 'Whether the key may stand in pages, which everybody can read.';
COMMENT ON COLUMN api_keys.allowed_origins IS 'Origins of the pages that use a publishable key.';
COMMENT ON COLUMN api_keys.links_per_day IS 'Links that a publishable key creates in a day (UTC). Null: the default.';
CREATE INDEX api_keys_by_account ON public.api_keys USING btree (account_id, created_at, id);
CREATE INDEX api_keys_live ON public.api_keys USING btree (account_id, created_at, id) WHERE (revoked_at IS NULL);
CREATE TRIGGER api_keys_deleted_announced AFTER DELETE ON public.api_keys REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_keys();
CREATE TRIGGER api_keys_deleted_journaled AFTER DELETE ON public.api_keys REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('api_key', '{digest,last_used_at}');
CREATE TRIGGER api_keys_inserted_journaled AFTER INSERT ON public.api_keys REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('api_key', '{digest,last_used_at}');
CREATE TRIGGER api_keys_truncated_announced AFTER TRUNCATE ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER api_keys_updated_announced AFTER UPDATE ON public.api_keys REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_keys();
CREATE TRIGGER api_keys_updated_journaled AFTER UPDATE ON public.api_keys REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('api_key', '{digest,last_used_at}');

CREATE TABLE app_event_deliveries (
  digest bytea NOT NULL,
  event text NOT NULL,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  happened_at timestamp with time zone NOT NULL,
  platform text NOT NULL,
  version text NOT NULL,
  country text NOT NULL,
  variant text NOT NULL,
  browser text NOT NULL,
  times integer NOT NULL,
  delivered_at timestamp with time zone,
  CONSTRAINT app_event_deliveries_pkey PRIMARY KEY (digest)
);
COMMENT ON TABLE app_event_deliveries IS 'Events of a region on their way to its primary. They are delivered twice, an hour apart, because a failover of the primary may lose its last transactions. They count once, by their digest.';
CREATE INDEX app_event_deliveries_by_delivery ON public.app_event_deliveries USING btree (delivered_at);

CREATE TABLE app_event_ids (
  digest bytea NOT NULL,
  seen_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT app_event_ids_pkey PRIMARY KEY (digest)
);
COMMENT ON TABLE app_event_ids IS 'SHA-256 of the ids of events that are counted, for a week.';
CREATE INDEX app_event_ids_by_age ON public.app_event_ids USING btree (seen_at);

CREATE TABLE app_event_sums (
  project_id uuid NOT NULL,
  quarter timestamp(0) with time zone NOT NULL,
  dynamic_link_id uuid NOT NULL,
  event text COLLATE "C" NOT NULL,
  platform text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  country text COLLATE "C" NOT NULL,
  variant text COLLATE "C" NOT NULL,
  browser text COLLATE "C" NOT NULL,
  times integer NOT NULL,
  CONSTRAINT app_event_sums_pkey PRIMARY KEY (project_id, quarter, dynamic_link_id, event, platform, version, country, variant, browser),
  CONSTRAINT app_event_sums_event_known CHECK ((event = ANY (ARRAY['open'::text, 'claim'::text, 'click'::text, 'shown'::text, 'copied'::text, 'store'::text, 'first_open'::text, 'claimed'::text, 'none'::text, 'declined'::text, 'expired'::text, 'used'::text, 'offline_later'::text]))),
  CONSTRAINT app_event_sums_platform_known CHECK ((platform = ANY (ARRAY['ios'::text, 'android'::text, 'desktop'::text])))
);
COMMENT ON TABLE app_event_sums IS 'Events in a quarter of an hour (UTC) that are alike. No foreign keys, as in clicks.';
COMMENT ON COLUMN app_event_sums.dynamic_link_id IS 'The id of long links if a first launch had no link.';
COMMENT ON COLUMN app_event_sums.event IS 'A page with a token was shown, the token copied, the store opened; the app was opened first, and the outcome of that launch. A click is counted here only if it leads to a variant. The click store counts it, too.';
COMMENT ON COLUMN app_event_sums.version IS 'Of the app. Empty if unknown, and for claims, clicks and steps before the app. An asterisk for versions beyond the limit of a project.';
COMMENT ON COLUMN app_event_sums.country IS 'Two letters, as a trusted proxy stated it; empty if unknown, and for clicks and steps through a store.';
COMMENT ON COLUMN app_event_sums.variant IS 'Name of the variant of the link or of its rule; empty without one.';
COMMENT ON COLUMN app_event_sums.browser IS 'The app in whose browser the link was opened; empty for others, and for opens, claims and clicks.';
CREATE INDEX app_event_sums_by_age ON public.app_event_sums USING btree (quarter);
CREATE INDEX app_event_sums_by_link ON public.app_event_sums USING btree (dynamic_link_id, quarter);

CREATE TABLE app_releases (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  ios_app_id uuid,
  android_app_id uuid,
  version text COLLATE "C" NOT NULL,
  hosts text[] NOT NULL,
  paths text[],
  bundle_id text COLLATE "C",
  package_name text COLLATE "C",
  sha_fingerprints text[],
  retired boolean DEFAULT false NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT app_releases_android_version_unique UNIQUE (project_id, android_app_id, version),
  CONSTRAINT app_releases_ios_version_unique UNIQUE (project_id, ios_app_id, version),
  CONSTRAINT app_releases_pkey PRIMARY KEY (id),
  CONSTRAINT app_releases_android_app_fk FOREIGN KEY (project_id, android_app_id) REFERENCES android_apps(project_id, id) ON DELETE CASCADE,
  CONSTRAINT app_releases_ios_app_fk FOREIGN KEY (project_id, ios_app_id) REFERENCES ios_apps(project_id, id) ON DELETE CASCADE,
  CONSTRAINT app_releases_of_one_app CHECK ((((ios_app_id IS NOT NULL) AND (bundle_id IS NOT NULL) AND (android_app_id IS NULL)) OR ((android_app_id IS NOT NULL) AND (package_name IS NOT NULL) AND (sha_fingerprints IS NOT NULL) AND (ios_app_id IS NULL))))
);
COMMENT ON TABLE app_releases IS 'Versions of apps that people have installed, with what each was built to open. Changes that break one are reported or refused.';
COMMENT ON COLUMN app_releases.paths IS 'The paths that the version opens, as patterns; null for all paths of its hosts.';
COMMENT ON COLUMN app_releases.retired IS 'Whether nobody needs the version any more. A version also retires by its age. The service sets it for versions with few opens.';
CREATE INDEX app_releases_by_android_app ON public.app_releases USING btree (project_id, android_app_id, created_at, id) WHERE (android_app_id IS NOT NULL);
CREATE INDEX app_releases_by_ios_app ON public.app_releases USING btree (project_id, ios_app_id, created_at, id) WHERE (ios_app_id IS NOT NULL);
CREATE TRIGGER app_releases_deleted_journaled AFTER DELETE ON public.app_releases REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('app_release', '{}');
CREATE TRIGGER app_releases_inserted_journaled AFTER INSERT ON public.app_releases REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('app_release', '{}');
CREATE TRIGGER app_releases_updated_journaled AFTER UPDATE ON public.app_releases REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('app_release', '{}');

CREATE TABLE approvals (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  operation text NOT NULL,
  project_id uuid,
  resource_id uuid,
  body jsonb,
  state text DEFAULT 'pending'::text NOT NULL,
  requested_by uuid NOT NULL,
  api_key_id uuid,
  decided_by uuid,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  decided_at timestamp(3) with time zone,
  CONSTRAINT approvals_pkey PRIMARY KEY (id),
  CONSTRAINT approvals_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT approvals_decided_by_another CHECK (((state <> 'approved'::text) OR ((decided_by IS NOT NULL) AND (decided_by <> requested_by)))),
  CONSTRAINT approvals_state_known CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'refused'::text])))
);
COMMENT ON TABLE approvals IS 'Changes that wait for a second person, and the decisions. No foreign keys to resources and people: a decision stays after their deletion.';
COMMENT ON COLUMN approvals.body IS 'Values of the request. Null once it is decided, because it can have the address of a person.';
CREATE INDEX approvals_by_account ON public.approvals USING btree (account_id, created_at, id);
CREATE TRIGGER approvals_deleted_journaled AFTER DELETE ON public.approvals REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('approval', '{body}');
CREATE TRIGGER approvals_inserted_journaled AFTER INSERT ON public.approvals REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('approval', '{body}');
CREATE TRIGGER approvals_updated_journaled AFTER UPDATE ON public.approvals REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('approval', '{body}');

CREATE TABLE association_checks (
  domain_id uuid NOT NULL,
  next_check_at timestamp(3) with time zone NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  is_failing boolean DEFAULT false NOT NULL,
  CONSTRAINT association_checks_pkey PRIMARY KEY (domain_id),
  CONSTRAINT association_checks_domain_fk FOREIGN KEY (domain_id) REFERENCES custom_domains(id) ON DELETE CASCADE
);
COMMENT ON TABLE association_checks IS 'Checks of the association files of custom domains, for webhooks that want to know when phones do not get them any more.';
COMMENT ON COLUMN association_checks.failures IS 'Failed checks since the last success.';
COMMENT ON COLUMN association_checks.is_failing IS 'Whether the last event is that of a failure.';

CREATE TABLE browser_escape_counts (
  app text COLLATE "C" NOT NULL,
  platform text COLLATE "C" NOT NULL,
  app_version integer NOT NULL,
  system_version integer NOT NULL,
  way text COLLATE "C" NOT NULL,
  offers double precision NOT NULL,
  arrivals double precision NOT NULL,
  since_arrival integer NOT NULL,
  counted_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT browser_escape_counts_pkey PRIMARY KEY (app, platform, app_version, system_version, way),
  CONSTRAINT browser_escape_counts_platform_known CHECK ((platform = ANY (ARRAY['ios'::text, 'android'::text])))
);
COMMENT ON TABLE browser_escape_counts IS 'Recent offers and arrivals of ways out of in-app browsers. Each database of a region has its own.';
COMMENT ON COLUMN browser_escape_counts.app_version IS 'Major version; 0 if it is unknown. With 0 in both columns, all versions together.';
COMMENT ON COLUMN browser_escape_counts.offers IS 'Reduced to half, together with arrivals, when 400 are reached; for all versions together when 4,000 are.';
COMMENT ON COLUMN browser_escape_counts.since_arrival IS 'Offers since the last arrival.';

CREATE TABLE click_copies (
  month date NOT NULL,
  last_batch_id bigint DEFAULT 0 NOT NULL,
  next_batch_id bigint,
  clicks bigint DEFAULT 0 NOT NULL,
  begun_at timestamp with time zone DEFAULT now() NOT NULL,
  copied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT click_copies_pkey PRIMARY KEY (month)
);
COMMENT ON TABLE click_copies IS 'The progress of the copy of clicks to ClickHouse: a row for each month.';
COMMENT ON COLUMN click_copies.last_batch_id IS 'All batches up to this one are copied.';
COMMENT ON COLUMN click_copies.next_batch_id IS 'The last batch of the part that is being copied. A copy that was interrupted repeats the same part.';
COMMENT ON COLUMN click_copies.clicks IS 'The number of copied clicks.';
COMMENT ON COLUMN click_copies.begun_at IS 'The tokens of inserts contain it. A copy that begins again, because its row was deleted, has others.';

CREATE TABLE click_deliveries (
  number bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  delivered_at timestamp with time zone,
  clicks integer NOT NULL,
  project_ids uuid[] NOT NULL,
  first_moments bigint[] NOT NULL,
  dynamic_link_ids text[] NOT NULL,
  short_link_ids text[] NOT NULL,
  sources text[] NOT NULL,
  platforms text[] NOT NULL,
  browsers text[] NOT NULL,
  referrers text[] NOT NULL,
  countries text[] NOT NULL,
  bots text[] NOT NULL,
  qrs text[] NOT NULL,
  opened text[] NOT NULL,
  opened_by text[] NOT NULL,
  times text[] NOT NULL,
  moments text[] NOT NULL,
  CONSTRAINT click_deliveries_pkey PRIMARY KEY (number)
);
COMMENT ON TABLE click_deliveries IS 'Clicks of a region on their way to the primary, by quarter of an hour. The columns are the parameters of record_clicks. The primary has all deliveries up to the batch of the region in click_writers. Those that it has are kept for an hour, because a failover of the primary may lose its last transactions.';

CREATE TABLE click_id_deliveries (
  digest bytea NOT NULL,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  short_link_id uuid,
  platform text NOT NULL,
  variant text,
  issued_on date NOT NULL,
  delivered_at timestamp with time zone,
  CONSTRAINT click_id_deliveries_pkey PRIMARY KEY (digest)
);
COMMENT ON TABLE click_id_deliveries IS 'Click ids of a region on their way to its primary, twice like app_event_deliveries.';
CREATE INDEX click_id_deliveries_by_delivery ON public.click_id_deliveries USING btree (delivered_at);

CREATE TABLE click_ids (
  digest bytea NOT NULL,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  short_link_id uuid,
  platform text COLLATE "C" NOT NULL,
  variant text COLLATE "C",
  issued_on date NOT NULL,
  expires_on date NOT NULL,
  untrusted integer DEFAULT 0 NOT NULL,
  CONSTRAINT click_ids_pkey PRIMARY KEY (digest),
  CONSTRAINT click_ids_platform_known CHECK ((platform = ANY (ARRAY['ios'::text, 'android'::text, 'desktop'::text])))
);
COMMENT ON TABLE click_ids IS 'SHA-256 of the ids of visits, claims and opens whose conversions count. No foreign keys, as in clicks.';
COMMENT ON COLUMN click_ids.variant IS 'Name of the variant that the visit led to; null without one.';
COMMENT ON COLUMN click_ids.expires_on IS 'The last day (UTC) on which conversions count. The row is kept for a week more, for conversions that are sent late.';
COMMENT ON COLUMN click_ids.untrusted IS 'How many conversions publishable keys have sent for it.';
CREATE INDEX click_ids_by_expiry ON public.click_ids USING btree (expires_on);
CREATE INDEX click_ids_by_project ON public.click_ids USING btree (project_id);

CREATE TABLE click_purges (
  project_id uuid NOT NULL,
  deleted_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT click_purges_pkey PRIMARY KEY (project_id)
);
COMMENT ON TABLE click_purges IS 'Deleted projects whose clicks are not removed yet.';

CREATE TABLE click_writers (
  id uuid NOT NULL,
  batch bigint NOT NULL,
  written_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT click_writers_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE click_writers IS 'Processes that write clicks, and the last batch that each has written. A batch whose answer was lost is sent again, and must not count twice.';

CREATE TABLE clickhouse_purges (
  project_id uuid NOT NULL,
  deleted_at timestamp with time zone DEFAULT now() NOT NULL,
  checked_at timestamp with time zone,
  CONSTRAINT clickhouse_purges_pkey PRIMARY KEY (project_id)
);
COMMENT ON TABLE clickhouse_purges IS 'Deleted projects whose clicks may be in ClickHouse. Without ClickHouse nothing reads it, and a row has 40 bytes.';
COMMENT ON COLUMN clickhouse_purges.checked_at IS 'When a process last looked for clicks in ClickHouse. The next one looks ten minutes later in the first hour, and a day later in the week after that.';

CREATE TABLE clicks (
  clicked_at timestamp(3) with time zone NOT NULL,
  batch_id bigint NOT NULL,
  project_id uuid NOT NULL,
  dynamic_link_ids uuid[] NOT NULL,
  short_link_ids uuid[],
  sources text[],
  platforms text[] NOT NULL,
  browsers text[],
  referrers text[],
  countries text[],
  bots boolean[],
  qrs boolean[],
  opened smallint[] NOT NULL,
  opened_by smallint[] NOT NULL,
  times smallint[] NOT NULL,
  moments integer[] NOT NULL,
  mirrored boolean DEFAULT (current_setting('signpost.mirrors_clicks'::text, true) = 'on'::text)
) PARTITION BY RANGE (clicked_at);
COMMENT ON TABLE clicks IS 'Visits of links, in partitions by month (UTC) that the service makes and drops. A row has those of one batch, one project and one quarter of an hour (UTC); single_clicks shows them one by one. No foreign keys: each check of one would lock the row of a link that thousands are opening.';
COMMENT ON COLUMN clicks.clicked_at IS 'The moment that `moments` are counted from.';
COMMENT ON COLUMN clicks.dynamic_link_ids IS 'The opened links. This array, `short_link_ids` and `sources` have the same places. Each of the arrays but this one is null where no place of it would hold anything.';
COMMENT ON COLUMN clicks.short_link_ids IS 'The short link that was used; null for the custom path.';
COMMENT ON COLUMN clicks.sources IS 'Of that short link.';
COMMENT ON COLUMN clicks.platforms IS 'Who opened it: this array, `browsers`, `referrers`, `countries`, `bots` and `qrs` have the same places. Each of the arrays but this one is null where no place of it would hold anything, or all are false.';
COMMENT ON COLUMN clicks.referrers IS 'The host alone, in lower case.';
COMMENT ON COLUMN clicks.countries IS 'Two letters, as a trusted proxy stated it.';
COMMENT ON COLUMN clicks.opened IS 'The place of the opened link in `dynamic_link_ids`. This array, `opened_by` and `times` have an element for all clicks that are alike but for the moment.';
COMMENT ON COLUMN clicks.opened_by IS 'Who opened it: the place in `platforms`.';
COMMENT ON COLUMN clicks.times IS 'How many clicks they are.';
COMMENT ON COLUMN clicks.moments IS 'When each click was made: milliseconds after `clicked_at`, or before. First those of the first element of `times`, and so on.';
COMMENT ON COLUMN clicks.mirrored IS 'Whether ClickHouse has these clicks from the process that made them. Null for no.';
CREATE INDEX clicks_by_batch ON ONLY public.clicks USING btree (batch_id, project_id);
CREATE INDEX clicks_in_order ON ONLY public.clicks USING btree (project_id, clicked_at);

CREATE TABLE clicks_by_day (
  project_id uuid NOT NULL,
  scope_id uuid NOT NULL,
  dimension text COLLATE "C" NOT NULL,
  month date NOT NULL,
  value text COLLATE "C" NOT NULL,
  clicks integer[],
  qr_scans integer[],
  bots integer[],
  bot_qr_scans integer[],
  total_clicks bigint,
  total_qr_scans bigint,
  total_bots bigint,
  total_bot_qr_scans bigint,
  CONSTRAINT clicks_by_day_pkey PRIMARY KEY (project_id, scope_id, dimension, month, value),
  CONSTRAINT clicks_by_day_dimension_known CHECK ((dimension = ANY (ARRAY['platform'::text, 'browser'::text, 'referrer'::text, 'country'::text, 'link'::text, 'short_link'::text, 'source'::text, 'visitor'::text])))
) PARTITION BY RANGE (month);
COMMENT ON TABLE clicks_by_day IS 'Clicks of a month (UTC) by its days, in partitions by month. Each click is counted once in every dimension, for its project and, where it has a value there, for its link. Every click has a platform.';
COMMENT ON COLUMN clicks_by_day.scope_id IS 'The project, or one of its links.';
COMMENT ON COLUMN clicks_by_day.dimension IS 'Only sums of projects are divided by link. The values of `visitor` are platform, browser and country, with a bar between them, for filters that combine these.';
COMMENT ON COLUMN clicks_by_day.month IS 'Its first day.';
COMMENT ON COLUMN clicks_by_day.value IS 'Empty in the sums of a project if a click has no value. The sums of a link have no such row, so that most clicks change one row less. Subtract the sums of the dimension from those of `platform`. An asterisk, which no host contains, for all referring hosts beyond the limits of roll_up_clicks.';
COMMENT ON COLUMN clicks_by_day.clicks IS 'Without those of bots. An element of the four arrays is a day, from 1 to 31, and null without clicks. Arrays begin and end with a day that has clicks.';
COMMENT ON COLUMN clicks_by_day.qr_scans IS 'Among `clicks`.';
COMMENT ON COLUMN clicks_by_day.bot_qr_scans IS 'Among `bots`.';
COMMENT ON COLUMN clicks_by_day.total_clicks IS 'The sum of `clicks`, so that whole months are read without their days. Null if that is; the other three too.';

CREATE TABLE clicks_by_link (
  project_id uuid NOT NULL,
  month date NOT NULL,
  bucket integer NOT NULL,
  batch_id bigint NOT NULL,
  elements integer NOT NULL,
  dynamic_link_ids uuid[] NOT NULL,
  short_link_ids uuid[],
  sources text[],
  visitors text[] COLLATE "C" NOT NULL,
  quarters smallint[] NOT NULL,
  times integer[] NOT NULL
) PARTITION BY RANGE (month);
COMMENT ON TABLE clicks_by_link IS 'Clicks of links that are in the sums of their project, but not in those of the link. Each array has an element for clicks that are alike but for the moment.';
COMMENT ON COLUMN clicks_by_link.bucket IS 'A group of links: see click_buckets.';
COMMENT ON COLUMN clicks_by_link.batch_id IS 'The last batch in the row.';
COMMENT ON COLUMN clicks_by_link.elements IS 'The length of each array.';
COMMENT ON COLUMN clicks_by_link.short_link_ids IS 'Null if no click has one; so are sources.';
COMMENT ON COLUMN clicks_by_link.visitors IS 'Platform, browser, referrer and country, then 1 for a bot, then 1 for a QR code, with a bar between them.';
COMMENT ON COLUMN clicks_by_link.quarters IS 'Quarters of an hour since the month began (UTC), from 0.';
COMMENT ON COLUMN clicks_by_link.times IS 'The number of clicks.';
CREATE INDEX clicks_by_link_by_bucket ON ONLY public.clicks_by_link USING btree (project_id, month, bucket);

CREATE TABLE clicks_by_quarter (
  project_id uuid NOT NULL,
  scope_id uuid NOT NULL,
  dimension text COLLATE "C" NOT NULL,
  day date NOT NULL,
  value text COLLATE "C" NOT NULL,
  clicks integer[],
  qr_scans integer[],
  bots integer[],
  bot_qr_scans integer[],
  CONSTRAINT clicks_by_quarter_pkey PRIMARY KEY (project_id, scope_id, dimension, day, value),
  CONSTRAINT clicks_by_quarter_dimension_known CHECK ((dimension = ANY (ARRAY['platform'::text, 'browser'::text, 'referrer'::text, 'country'::text, 'link'::text, 'short_link'::text, 'source'::text, 'visitor'::text])))
) PARTITION BY RANGE (day);
COMMENT ON TABLE clicks_by_quarter IS 'The same by quarter of an hour, where every time zone''s days and hours begin: a row a day (UTC), elements from 1 to 96.';

CREATE TABLE conversions (
  project_id uuid NOT NULL,
  key text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  value numeric,
  currency text COLLATE "C",
  dynamic_link_id uuid NOT NULL,
  short_link_id uuid,
  platform text COLLATE "C" NOT NULL,
  variant text COLLATE "C",
  trusted boolean NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  received_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT conversions_pkey PRIMARY KEY (project_id, key),
  CONSTRAINT conversions_project_fk FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  CONSTRAINT conversions_value_in_currency CHECK (((value IS NULL) = (currency IS NULL)))
);
COMMENT ON TABLE conversions IS 'Purchases and other results of visits, as customers report them. Links may be deleted.';
COMMENT ON COLUMN conversions.key IS 'Of the customer. A refund has that of its sale, a colon and a name.';
COMMENT ON COLUMN conversions.value IS 'An exact decimal. Negative for a refund.';
COMMENT ON COLUMN conversions.variant IS 'Of the click id; null without one.';
COMMENT ON COLUMN conversions.trusted IS 'False if a publishable key sent it, which everybody can read.';
CREATE INDEX conversions_by_age ON public.conversions USING btree (received_at);
CREATE INDEX conversions_by_link ON public.conversions USING btree (dynamic_link_id, occurred_at);
CREATE INDEX conversions_in_order ON public.conversions USING btree (project_id, occurred_at, key);

CREATE TABLE custom_domains (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  hostname text COLLATE "C" NOT NULL,
  challenge text NOT NULL,
  active boolean DEFAULT false NOT NULL,
  open_host boolean DEFAULT false NOT NULL,
  verified_at timestamp(3) with time zone,
  checked_at timestamp(3) with time zone,
  record_missing_since timestamp(3) with time zone,
  next_check_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT custom_domains_hostname_in_project_unique UNIQUE (project_id, hostname),
  CONSTRAINT custom_domains_pkey PRIMARY KEY (id),
  CONSTRAINT custom_domains_project_fk FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  CONSTRAINT custom_domains_hostname_form CHECK ((hostname ~ '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$'::text)),
  CONSTRAINT custom_domains_only_verified_active CHECK (((NOT active) OR (verified_at IS NOT NULL))),
  CONSTRAINT custom_domains_verified_checked CHECK (((verified_at IS NULL) = (next_check_at IS NULL)))
);
COMMENT ON TABLE custom_domains IS 'Host names of customers. Any number of projects may claim one; the one that proved it has it, until its record has been missing for the grace time.';
COMMENT ON COLUMN custom_domains.hostname IS 'In lower case, internationalised names as A-labels, without the root''s dot: as a Host header has it.';
COMMENT ON COLUMN custom_domains.challenge IS 'The text that the TXT record must have. Each claim has another one.';
COMMENT ON COLUMN custom_domains.open_host IS 'Whether pages open the apps through this host. It counts while the domain is verified and not active.';
COMMENT ON COLUMN custom_domains.next_check_at IS 'The time of the next check. The process that checks moves it ahead first, so that no other process checks meanwhile.';
CREATE INDEX custom_domains_by_created_at ON public.custom_domains USING btree (project_id, created_at, id);
CREATE INDEX custom_domains_missing ON public.custom_domains USING btree (record_missing_since) WHERE ((verified_at IS NOT NULL) AND (record_missing_since IS NOT NULL));
CREATE UNIQUE INDEX custom_domains_one_active ON public.custom_domains USING btree (project_id) WHERE active;
CREATE UNIQUE INDEX custom_domains_one_open_host ON public.custom_domains USING btree (project_id) WHERE open_host;
CREATE INDEX custom_domains_to_check ON public.custom_domains USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE UNIQUE INDEX custom_domains_verified_unique ON public.custom_domains USING btree (hostname) WHERE (verified_at IS NOT NULL);
CREATE TRIGGER custom_domains_deleted_announced AFTER DELETE ON public.custom_domains REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_domains();
CREATE TRIGGER custom_domains_deleted_journaled AFTER DELETE ON public.custom_domains REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('domain', '{challenge,checked_at,next_check_at,record_missing_since}');
CREATE TRIGGER custom_domains_inserted_announced AFTER INSERT ON public.custom_domains REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION announce_inserted_domains();
CREATE TRIGGER custom_domains_inserted_journaled AFTER INSERT ON public.custom_domains REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('domain', '{challenge,checked_at,next_check_at,record_missing_since}');
CREATE TRIGGER custom_domains_truncated_announced AFTER TRUNCATE ON public.custom_domains FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER custom_domains_updated_announced AFTER UPDATE ON public.custom_domains REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_domains();
CREATE TRIGGER custom_domains_updated_journaled AFTER UPDATE ON public.custom_domains REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('domain', '{challenge,checked_at,next_check_at,record_missing_since}');

CREATE TABLE deferred_link_requests (
  token_digest bytea NOT NULL,
  region smallint NOT NULL,
  requested_at timestamp with time zone DEFAULT now() NOT NULL,
  answered_at timestamp with time zone,
  expires_at timestamp with time zone,
  CONSTRAINT deferred_link_requests_pkey PRIMARY KEY (token_digest)
);
COMMENT ON TABLE deferred_link_requests IS 'Tokens that were claimed outside their region. The region answers: it moves the token to deferred_links of the primary, or has none.';
COMMENT ON COLUMN deferred_link_requests.expires_at IS 'When the moved token expires; null if none was moved. The row stays until then, so that the token is moved once.';
CREATE INDEX deferred_link_requests_by_end ON public.deferred_link_requests USING btree (COALESCE(expires_at, requested_at));
CREATE INDEX deferred_link_requests_open ON public.deferred_link_requests USING btree (region) WHERE (answered_at IS NULL);

CREATE TABLE deferred_links (
  token_digest bytea NOT NULL,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  clicked_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  moved_at timestamp with time zone,
  claimed_at timestamp with time zone,
  claim_digest bytea,
  browser text COLLATE "C" DEFAULT ''::text NOT NULL,
  CONSTRAINT deferred_links_pkey PRIMARY KEY (token_digest)
);
COMMENT ON TABLE deferred_links IS 'Visits that may continue in an app that is yet to be installed. Of the token only a SHA-256 is kept. A claim ends the lifetime of its row. Expired and claimed rows are purged one hour later: until then, a repeated insertion, whose first answer was lost, inserts no claimed token again.';
COMMENT ON COLUMN deferred_links.dynamic_link_id IS 'No foreign key: every check of one would lock the row of a link that thousands are opening. A claim looks whether the link is still there.';
COMMENT ON COLUMN deferred_links.expires_at IS 'Once the token is claimed, the time of the click.';
COMMENT ON COLUMN deferred_links.moved_at IS 'Since then only the primary can claim the token, because another region asked for it. Null everywhere but in regions.';
COMMENT ON COLUMN deferred_links.claimed_at IS 'Since then the row is kept for an hour.';
COMMENT ON COLUMN deferred_links.claim_digest IS 'SHA-256 of the token and the id of its claim. The same claim is answered again for an hour, because its first answer may be lost. Null for claims without an id.';
COMMENT ON COLUMN deferred_links.browser IS 'The app in whose browser the link was opened, a name of a closed list; empty for other browsers. Sums of first launches have it.';
CREATE INDEX deferred_links_by_expiry ON public.deferred_links USING btree (expires_at);
CREATE INDEX deferred_links_by_project ON public.deferred_links USING btree (project_id);

CREATE TABLE dynamic_links (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  name text NOT NULL,
  custom_path text COLLATE "C" NOT NULL,
  external_id text COLLATE "C",
  title text,
  notes text,
  tag_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  archived boolean DEFAULT false NOT NULL,
  disabled boolean DEFAULT false NOT NULL,
  conversions boolean DEFAULT false NOT NULL,
  desktop_url text,
  ios_app_id uuid,
  ios_fallback_url text,
  ios_deferred_deep_link boolean DEFAULT false NOT NULL,
  android_app_id uuid,
  android_fallback_url text,
  social_title text,
  social_description text,
  social_image_url text,
  referrer_params jsonb,
  app_data text,
  query_forwarding text,
  forwarded_params text[] DEFAULT '{}'::text[] NOT NULL,
  variants text,
  rules text,
  template text COLLATE "C",
  active_from timestamp(3) with time zone,
  active_until timestamp(3) with time zone,
  expired_url text,
  password_hash bytea,
  click_limit integer,
  used_up boolean DEFAULT false NOT NULL,
  imported_from text,
  original_created_at timestamp(3) with time zone,
  original_clicks bigint,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  deleted_at timestamp(3) with time zone,
  search_text text GENERATED ALWAYS AS (fold_text((((((name || '
'::text) || custom_path) || COALESCE(('
'::text || desktop_url), ''::text)) || COALESCE(('
'::text || ios_fallback_url), ''::text)) || COALESCE(('
'::text || android_fallback_url), ''::text)))) STORED NOT NULL,
  CONSTRAINT dynamic_links_id_in_project_unique UNIQUE (project_id, id),
  CONSTRAINT dynamic_links_pkey PRIMARY KEY (id),
  CONSTRAINT dynamic_links_android_app_fk FOREIGN KEY (project_id, android_app_id) REFERENCES android_apps(project_id, id),
  CONSTRAINT dynamic_links_ios_app_fk FOREIGN KEY (project_id, ios_app_id) REFERENCES ios_apps(project_id, id),
  CONSTRAINT dynamic_links_project_fk FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  CONSTRAINT dynamic_links_template_fk FOREIGN KEY (project_id, template) REFERENCES link_templates(project_id, name),
  CONSTRAINT dynamic_links_life_order CHECK ((active_from < active_until)),
  CONSTRAINT dynamic_links_password_form CHECK ((octet_length(password_hash) = ANY (ARRAY[8, 48])))
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
CREATE INDEX dynamic_links_archived ON public.dynamic_links USING btree (project_id, created_at, id) WHERE archived;
CREATE INDEX dynamic_links_by_android_app ON public.dynamic_links USING btree (project_id, android_app_id, created_at, id) WHERE (android_app_id IS NOT NULL);
CREATE INDEX dynamic_links_by_ios_app ON public.dynamic_links USING btree (project_id, ios_app_id, created_at, id) WHERE (ios_app_id IS NOT NULL);
CREATE INDEX dynamic_links_by_tag ON public.dynamic_links USING gin (tag_ids) WHERE (tag_ids <> '{}'::uuid[]);
CREATE INDEX dynamic_links_by_template ON public.dynamic_links USING btree (project_id, template, created_at, id) WHERE (template IS NOT NULL);
CREATE INDEX dynamic_links_by_update ON public.dynamic_links USING btree (project_id, updated_at, id) INCLUDE (archived);
CREATE UNIQUE INDEX dynamic_links_external_id_unique ON public.dynamic_links USING btree (project_id, external_id) WHERE ((external_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX dynamic_links_for_web ON public.dynamic_links USING btree (project_id) WHERE (((rules IS NOT NULL) OR (template IS NOT NULL) OR (password_hash IS NOT NULL) OR (click_limit IS NOT NULL)) AND (deleted_at IS NULL));
CREATE INDEX dynamic_links_in_order ON public.dynamic_links USING btree (project_id, created_at, id) INCLUDE (archived);
CREATE INDEX dynamic_links_in_order_of_names ON public.dynamic_links USING btree (project_id, name COLLATE "C", id) INCLUDE (archived);
CREATE INDEX dynamic_links_in_order_of_paths ON public.dynamic_links USING btree (project_id, custom_path, id) INCLUDE (archived);
CREATE INDEX dynamic_links_pictures ON public.dynamic_links USING btree (project_id, picture_digest(social_image_url)) WHERE (picture_digest(social_image_url) IS NOT NULL);
CREATE INDEX dynamic_links_search ON public.dynamic_links USING gin (project_id, search_text gin_trgm_ops) WITH (gin_pending_list_limit='64');
CREATE INDEX dynamic_links_to_purge ON public.dynamic_links USING btree (project_id, id) WHERE (deleted_at IS NOT NULL);
CREATE TRIGGER dynamic_links_deleted AFTER DELETE ON public.dynamic_links REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION dynamic_links_deleted();
CREATE TRIGGER dynamic_links_deleted_announced AFTER DELETE ON public.dynamic_links REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_links();
CREATE TRIGGER dynamic_links_deleted_journaled AFTER DELETE ON public.dynamic_links REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('link', '{search_text,deleted_at,used_up}');
CREATE TRIGGER dynamic_links_inserted AFTER INSERT ON public.dynamic_links REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION dynamic_links_inserted();
CREATE TRIGGER dynamic_links_inserted_journaled AFTER INSERT ON public.dynamic_links REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('link', '{search_text,deleted_at,used_up}');
CREATE TRIGGER dynamic_links_limited BEFORE UPDATE OF click_limit ON public.dynamic_links FOR EACH ROW WHEN ((old.click_limit IS DISTINCT FROM new.click_limit)) EXECUTE FUNCTION dynamic_links_limited();
CREATE TRIGGER dynamic_links_marked AFTER UPDATE OF deleted_at ON public.dynamic_links FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION dynamic_links_marked();
CREATE TRIGGER dynamic_links_moved AFTER UPDATE OF custom_path ON public.dynamic_links FOR EACH ROW WHEN ((old.custom_path IS DISTINCT FROM new.custom_path)) EXECUTE FUNCTION dynamic_links_moved();
CREATE TRIGGER dynamic_links_truncated_announced AFTER TRUNCATE ON public.dynamic_links FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER dynamic_links_updated AFTER UPDATE ON public.dynamic_links REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION dynamic_links_updated();
CREATE TRIGGER dynamic_links_updated_announced AFTER UPDATE ON public.dynamic_links REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_links();
CREATE TRIGGER dynamic_links_updated_journaled AFTER UPDATE ON public.dynamic_links REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('link', '{search_text,deleted_at,used_up}');

CREATE TABLE fresh_click_batches (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  clicks integer NOT NULL,
  first_at timestamp(3) with time zone NOT NULL,
  last_at timestamp(3) with time zone NOT NULL,
  written_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT fresh_click_batches_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE fresh_click_batches IS 'Batches whose clicks are not in clicks_by_day and clicks_by_quarter yet.';
COMMENT ON COLUMN fresh_click_batches.clicks IS 'As they were sent, with those of projects that were deleted meanwhile.';
COMMENT ON COLUMN fresh_click_batches.first_at IS 'The earliest `clicks.clicked_at` of the batch: it tells in which partitions to look.';

CREATE TABLE held_domains (
  hostname text COLLATE "C" NOT NULL,
  challenge text NOT NULL,
  account_id uuid NOT NULL,
  left_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT held_domains_pkey PRIMARY KEY (hostname, challenge),
  CONSTRAINT held_domains_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
COMMENT ON TABLE held_domains IS 'Proofs of deleted projects: as long as its record stands, the host name is nobody''s but the account''s. Written by triggers of projects; holds that are over are removed by the service.';
CREATE INDEX held_domains_by_account ON public.held_domains USING btree (account_id);
CREATE INDEX held_domains_by_left_at ON public.held_domains USING btree (left_at);

CREATE TABLE idempotent_answers (
  request_digest bytea NOT NULL,
  payload_digest bytea NOT NULL,
  account_id uuid NOT NULL,
  body text NOT NULL,
  bytes bigint NOT NULL,
  answered_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT idempotent_answers_pkey PRIMARY KEY (request_digest)
);
COMMENT ON TABLE idempotent_answers IS 'Answers to POST requests with an Idempotency-Key, written in the transaction of the created resource. Purged after a day.';
COMMENT ON COLUMN idempotent_answers.request_digest IS 'SHA-256 of account, method, path and key.';
COMMENT ON COLUMN idempotent_answers.payload_digest IS 'SHA-256 of the body: another one under the same key is refused.';
COMMENT ON COLUMN idempotent_answers.body IS 'JSON as it was sent. Text, since jsonb would put its keys into another order.';
COMMENT ON COLUMN idempotent_answers.bytes IS 'Length of the body.';
CREATE INDEX idempotent_answers_by_age ON public.idempotent_answers USING btree (answered_at);
CREATE INDEX idempotent_answers_large ON public.idempotent_answers USING btree (account_id) INCLUDE (bytes) WHERE (bytes > 16384);

CREATE TABLE import_files (
  number bigint NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT import_files_pkey PRIMARY KEY (number)
);
COMMENT ON TABLE import_files IS 'The form of the tables with files: chunks of 131,072 bytes, the last one shorter. It is empty.';

CREATE TABLE import_jobs (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  queue text NOT NULL,
  import_id uuid NOT NULL,
  place integer NOT NULL,
  start_after timestamp with time zone NOT NULL,
  taken_until timestamp with time zone,
  CONSTRAINT import_jobs_pkey PRIMARY KEY (id),
  CONSTRAINT import_jobs_queue_known CHECK ((queue = ANY (ARRAY['slices'::text, 'lists'::text])))
);
COMMENT ON TABLE import_jobs IS 'Parts of imports that processes do. They hold ids only, so an empty table loses nothing but the order of work. A job that is done is deleted.';
COMMENT ON COLUMN import_jobs.queue IS 'A job of `slices` is one slice of a dry run or a run, and one of `lists` reads from another system.';
COMMENT ON COLUMN import_jobs.place IS 'Jobs with lower numbers go first.';
COMMENT ON COLUMN import_jobs.taken_until IS 'Another process takes the job then, because the one that took it has left it. Null for a job that waits.';
CREATE INDEX import_jobs_in_order ON public.import_jobs USING btree (queue, place, id);
CREATE UNIQUE INDEX import_jobs_waiting_unique ON public.import_jobs USING btree (queue, import_id) WHERE (taken_until IS NULL);

CREATE TABLE import_rows (
  number bigint NOT NULL,
  start bigint NOT NULL,
  length bigint NOT NULL,
  fault text,
  outcome text,
  link_id uuid,
  problems jsonb,
  unmapped jsonb,
  path text COLLATE "C",
  external_id text COLLATE "C",
  digest text COLLATE "C",
  imported_from text,
  original_clicks bigint,
  CONSTRAINT import_rows_pkey PRIMARY KEY (number)
);
COMMENT ON TABLE import_rows IS 'The form of the tables with rows of a file, from number 1. It is empty.';
COMMENT ON COLUMN import_rows.start IS 'The first byte of the row in the file.';
COMMENT ON COLUMN import_rows.fault IS 'Why the row cannot be read; null if it can.';
COMMENT ON COLUMN import_rows.outcome IS 'The prediction of the dry run, or the result of the run.';
COMMENT ON COLUMN import_rows.link_id IS 'The link that the row has created, replaced or met. In a dry run, a link that the run would create has an id, too.';
COMMENT ON COLUMN import_rows.digest IS 'In a dry run, the fields of a link that the row would write; null unless it is the last row that writes this link.';
COMMENT ON COLUMN import_rows.imported_from IS 'In a dry run, beside `digest`: the system that the link would come from.';
COMMENT ON COLUMN import_rows.original_clicks IS 'In a dry run, beside `digest`: the number of clicks in that system.';
CREATE INDEX import_rows_by_external_id ON public.import_rows USING btree (external_id) WHERE (digest IS NOT NULL);
CREATE INDEX import_rows_by_link ON public.import_rows USING btree (link_id) WHERE (digest IS NOT NULL);
CREATE INDEX import_rows_by_outcome ON public.import_rows USING btree (outcome, number);
CREATE INDEX import_rows_by_path ON public.import_rows USING btree (path) WHERE (digest IS NOT NULL);

CREATE TABLE imports (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  source text NOT NULL,
  format text NOT NULL,
  conflict_policy text NOT NULL,
  options jsonb NOT NULL,
  columns text[] DEFAULT '{}'::text[] NOT NULL,
  layout jsonb,
  list jsonb,
  list_progress jsonb,
  sealed_token bytea,
  state text NOT NULL,
  file_rows bigint DEFAULT 0 NOT NULL,
  file_bytes bigint DEFAULT 0 NOT NULL,
  read_bytes bigint DEFAULT 0 NOT NULL,
  stored_bytes bigint DEFAULT 0 NOT NULL,
  has_data boolean DEFAULT true NOT NULL,
  processed bigint DEFAULT 0 NOT NULL,
  created bigint DEFAULT 0 NOT NULL,
  replaced bigint DEFAULT 0 NOT NULL,
  unchanged bigint DEFAULT 0 NOT NULL,
  conflicts bigint DEFAULT 0 NOT NULL,
  refused bigint DEFAULT 0 NOT NULL,
  unmapped jsonb DEFAULT '{"fields": [], "complete": true, "missingApps": []}'::jsonb NOT NULL,
  predicted jsonb,
  reserved_links bigint DEFAULT 0 NOT NULL,
  acknowledged text[] DEFAULT '{}'::text[] NOT NULL,
  failure text,
  failure_code text,
  attempts bigint DEFAULT 0 NOT NULL,
  attempted_by uuid,
  attempted_at bigint,
  phase_started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT imports_pkey PRIMARY KEY (id),
  CONSTRAINT imports_project_fk FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
COMMENT ON TABLE imports IS 'Jobs that create links from a file. A dry run stores what a run would do with each row; the run does it.';
COMMENT ON COLUMN imports.columns IS 'Names of the cells or keys of its rows, in the order of the file.';
COMMENT ON COLUMN imports.layout IS 'How the file is read: its format below its head. Null until it has arrived.';
COMMENT ON COLUMN imports.list IS 'The list of another system that is read; null for files.';
COMMENT ON COLUMN imports.list_progress IS 'Where the list is read on; null at its begin.';
COMMENT ON COLUMN imports.sealed_token IS 'The token of that system, encrypted with a key that the database does not have. Null once the list has ended.';
COMMENT ON COLUMN imports.read_bytes IS 'Bytes of the file that the dry run has read. The next batch begins after them.';
COMMENT ON COLUMN imports.stored_bytes IS 'Bytes that the import occupies, which count for the quota of the account: its file, and an estimate for each row.';
COMMENT ON COLUMN imports.has_data IS 'Whether its tables exist. Those of failed and cancelled imports are dropped.';
COMMENT ON COLUMN imports.processed IS 'Rows that the dry run or the run has done. The next batch begins after them, in the transaction that changes the number.';
COMMENT ON COLUMN imports.created IS 'Rows by outcome, as for the others. During a run, of the run alone.';
COMMENT ON COLUMN imports.unmapped IS 'Fields without a place in a link, and apps that the project lacks, with the numbers of their rows. At most 100 of each. Counted like created.';
COMMENT ON COLUMN imports.predicted IS 'The rows by outcome of the dry run, once the run has begun.';
COMMENT ON COLUMN imports.reserved_links IS 'Links that a run will still create. They count for the quota of the account.';
COMMENT ON COLUMN imports.acknowledged IS 'Versions of released apps that the run may break, although the project refuses such changes.';
COMMENT ON COLUMN imports.failure_code IS 'Why the import has failed, for programs; null if it has not.';
COMMENT ON COLUMN imports.attempts IS 'Processes that have begun to work at this position, and did not say how that ended.';
COMMENT ON COLUMN imports.attempted_by IS 'The process that works on the import; null if none does.';
COMMENT ON COLUMN imports.attempted_at IS 'The position at which it began.';
COMMENT ON COLUMN imports.deleted_at IS 'An import that is gone for callers. Its rows go in batches, and the row goes last.';
CREATE INDEX imports_by_created_at ON public.imports USING btree (project_id, created_at, id);
CREATE INDEX imports_deleted ON public.imports USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX imports_reserving ON public.imports USING btree (project_id) WHERE (reserved_links > 0);
CREATE INDEX imports_with_useless_data ON public.imports USING btree (project_id) WHERE (has_data AND ((deleted_at IS NOT NULL) OR (state = ANY (ARRAY['cancelled'::text, 'failed'::text]))));
CREATE TRIGGER imports_deleted_journaled AFTER DELETE ON public.imports REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('import', '{options,columns,layout,list,list_progress,sealed_token,file_rows,file_bytes,read_bytes,stored_bytes,has_data,processed,created,replaced,unchanged,conflicts,refused,unmapped,predicted,reserved_links,failure,attempts,attempted_by,attempted_at,phase_started_at,deleted_at}');
CREATE TRIGGER imports_inserted_journaled AFTER INSERT ON public.imports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('import', '{options,columns,layout,list,list_progress,sealed_token,file_rows,file_bytes,read_bytes,stored_bytes,has_data,processed,created,replaced,unchanged,conflicts,refused,unmapped,predicted,reserved_links,failure,attempts,attempted_by,attempted_at,phase_started_at,deleted_at}');
CREATE TRIGGER imports_updated_journaled AFTER UPDATE ON public.imports REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('import', '{options,columns,layout,list,list_progress,sealed_token,file_rows,file_bytes,read_bytes,stored_bytes,has_data,processed,created,replaced,unchanged,conflicts,refused,unmapped,predicted,reserved_links,failure,attempts,attempted_by,attempted_at,phase_started_at,deleted_at}');

CREATE TABLE ios_apps (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  name text NOT NULL,
  bundle_id text COLLATE "C" NOT NULL,
  team_id text NOT NULL,
  appstore_id text,
  app_clip_bundle_id text COLLATE "C",
  paths text[],
  shared_credentials boolean DEFAULT false NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT ios_apps_id_in_project_unique UNIQUE (project_id, id),
  CONSTRAINT ios_apps_pkey PRIMARY KEY (id),
  CONSTRAINT ios_apps_project_fk FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
COMMENT ON TABLE ios_apps IS 'iOS apps of a project: what its Apple association file is made of.';
COMMENT ON COLUMN ios_apps.app_clip_bundle_id IS 'The bundle identifier of its App Clip; null without one.';
COMMENT ON COLUMN ios_apps.paths IS 'The paths that open the app, as patterns; null derives them from the links.';
COMMENT ON COLUMN ios_apps.shared_credentials IS 'Whether the app shares passwords and passkeys with the link hosts (webcredentials).';
CREATE UNIQUE INDEX ios_apps_bundle_id_unique ON public.ios_apps USING btree (project_id, lower(bundle_id));
CREATE INDEX ios_apps_by_bundle_id ON public.ios_apps USING btree (project_id, bundle_id, id);
CREATE INDEX ios_apps_by_created_at ON public.ios_apps USING btree (project_id, created_at, id);
CREATE INDEX ios_apps_by_name ON public.ios_apps USING btree (project_id, name COLLATE "C", id);
CREATE INDEX ios_apps_by_updated_at ON public.ios_apps USING btree (project_id, updated_at, id);
CREATE TRIGGER ios_apps_deleted_announced AFTER DELETE ON public.ios_apps REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER ios_apps_deleted_journaled AFTER DELETE ON public.ios_apps REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('ios_app', '{}');
CREATE TRIGGER ios_apps_inserted_announced AFTER INSERT ON public.ios_apps REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER ios_apps_inserted_journaled AFTER INSERT ON public.ios_apps REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('ios_app', '{}');
CREATE TRIGGER ios_apps_truncated_announced AFTER TRUNCATE ON public.ios_apps FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER ios_apps_updated_announced AFTER UPDATE ON public.ios_apps REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_apps();
CREATE TRIGGER ios_apps_updated_journaled AFTER UPDATE ON public.ios_apps REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('ios_app', '{}');

CREATE TABLE journal (
  account_id uuid NOT NULL,
  sequence bigint NOT NULL,
  project_id uuid,
  at timestamp(3) with time zone NOT NULL,
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
CREATE INDEX journal_by_batch ON ONLY public.journal USING gin (resource_ids) WHERE (resource_ids IS NOT NULL);
CREATE INDEX journal_by_project ON ONLY public.journal USING btree (project_id, sequence);
CREATE INDEX journal_by_resource ON ONLY public.journal USING btree (resource_id, sequence) WHERE (resource_id IS NOT NULL);
CREATE TRIGGER journal_unchanged BEFORE DELETE OR UPDATE ON public.journal FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE journal_heads (
  account_id uuid NOT NULL,
  sequence bigint NOT NULL,
  digest bytea NOT NULL,
  CONSTRAINT journal_heads_pkey PRIMARY KEY (account_id)
);
COMMENT ON TABLE journal_heads IS 'The last entry of each account.';

CREATE TABLE journal_inbox (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  account_id uuid NOT NULL,
  project_id uuid,
  at timestamp(3) with time zone DEFAULT now() NOT NULL,
  type text NOT NULL,
  resource_id uuid,
  resource_ids uuid[],
  actor jsonb NOT NULL,
  before jsonb,
  after jsonb,
  rows jsonb,
  CONSTRAINT journal_inbox_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE journal_inbox IS 'Entries of committed changes that have no number yet, for a second at most. The columns are those of the journal.';

CREATE TABLE journal_marks (
  subject uuid NOT NULL,
  type text NOT NULL,
  what text NOT NULL,
  account_id uuid NOT NULL,
  until timestamp(3) with time zone NOT NULL,
  CONSTRAINT journal_marks_pkey PRIMARY KEY (subject, type, what),
  CONSTRAINT journal_marks_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
COMMENT ON TABLE journal_marks IS 'Events that have an entry, so that callers cannot fill the journal by repetition. A key or user has at most 200 of a type.';
COMMENT ON COLUMN journal_marks.subject IS 'The API key or user. No foreign key: an entry is not repeated after the deletion.';
COMMENT ON COLUMN journal_marks.what IS 'The network or operation.';
COMMENT ON COLUMN journal_marks.until IS 'From then on, the event is an entry again.';
CREATE INDEX journal_marks_by_account ON public.journal_marks USING btree (account_id);

CREATE TABLE link_paths (
  project_id uuid NOT NULL,
  path text COLLATE "C" NOT NULL,
  dynamic_link_id uuid NOT NULL,
  short_link_id uuid,
  CONSTRAINT link_paths_one_namespace PRIMARY KEY (project_id, path),
  CONSTRAINT link_paths_dynamic_link_fk FOREIGN KEY (dynamic_link_id) REFERENCES dynamic_links(id) ON DELETE CASCADE,
  CONSTRAINT link_paths_short_link_fk FOREIGN KEY (short_link_id) REFERENCES short_links(id) ON DELETE CASCADE
);
COMMENT ON TABLE link_paths IS 'The one namespace of a project: every path that visitors can take, and the link it leads to. Written by triggers only.';
COMMENT ON COLUMN link_paths.short_link_id IS 'The short link whose slug the path is; null for a custom path.';
CREATE INDEX link_paths_by_dynamic_link ON public.link_paths USING btree (dynamic_link_id);
CREATE INDEX link_paths_by_short_link ON public.link_paths USING btree (short_link_id) WHERE (short_link_id IS NOT NULL);
CREATE INDEX link_paths_in_other_letter_case ON public.link_paths USING btree (project_id, lower(path));
CREATE TRIGGER link_paths_deleted_announced AFTER DELETE ON public.link_paths REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_paths();
CREATE TRIGGER link_paths_truncated_announced AFTER TRUNCATE ON public.link_paths FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER link_paths_updated_announced AFTER UPDATE ON public.link_paths REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_paths();

CREATE TABLE link_templates (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  referrer_params jsonb,
  rules text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT link_templates_name_unique UNIQUE (project_id, name),
  CONSTRAINT link_templates_pkey PRIMARY KEY (id),
  CONSTRAINT link_templates_project_fk FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
COMMENT ON TABLE link_templates IS 'Parameters and rules that many links of a project have. At most 50 per project.';
COMMENT ON COLUMN link_templates.name IS 'Never changes, because links have it.';
COMMENT ON COLUMN link_templates.referrer_params IS 'Like those of a link, which replace these.';
COMMENT ON COLUMN link_templates.rules IS 'Like those of a link, which are tried first.';
CREATE INDEX link_templates_by_created_at ON public.link_templates USING btree (project_id, created_at, id);
CREATE INDEX link_templates_by_updated_at ON public.link_templates USING btree (project_id, updated_at, id);
CREATE TRIGGER link_templates_deleted_journaled AFTER DELETE ON public.link_templates REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('template', '{}');
CREATE TRIGGER link_templates_inserted_journaled AFTER INSERT ON public.link_templates REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('template', '{}');
CREATE TRIGGER link_templates_truncated_announced AFTER TRUNCATE ON public.link_templates FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER link_templates_updated_announced AFTER UPDATE ON public.link_templates REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_templates();
CREATE TRIGGER link_templates_updated_journaled AFTER UPDATE ON public.link_templates REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('template', '{}');

CREATE TABLE link_totals (
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  event text COLLATE "C" NOT NULL,
  times bigint NOT NULL,
  added bigint NOT NULL,
  since timestamp with time zone NOT NULL,
  CONSTRAINT link_totals_pkey PRIMARY KEY (project_id, dynamic_link_id, event),
  CONSTRAINT link_totals_event_known CHECK ((event = ANY (ARRAY['click'::text, 'open'::text, 'claim'::text])))
);
COMMENT ON TABLE link_totals IS 'Clicks without bots, opens and claims of links whose milestones an endpoint selects. No foreign keys, as in clicks.';
COMMENT ON COLUMN link_totals.added IS 'The last addition, with which it was found which milestones are new.';
COMMENT ON COLUMN link_totals.since IS 'selected_since at the last addition. If it differs, events may be missing, and the total is compared with the sums.';

CREATE TABLE link_uses (
  dynamic_link_id uuid NOT NULL,
  clicks bigint DEFAULT 0 NOT NULL,
  ended_visits bigint DEFAULT 0 NOT NULL,
  CONSTRAINT link_uses_pkey PRIMARY KEY (dynamic_link_id),
  CONSTRAINT link_uses_link_fk FOREIGN KEY (dynamic_link_id) REFERENCES dynamic_links(id) ON DELETE CASCADE
);
COMMENT ON TABLE link_uses IS 'Counts of links with a click limit or an end, since their creation.';
COMMENT ON COLUMN link_uses.clicks IS 'Visits that click_limit has let through.';
COMMENT ON COLUMN link_uses.ended_visits IS 'Visits of people after the end of the link.';

CREATE TABLE members (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  email text,
  subject text COLLATE "C",
  user_id uuid,
  role text,
  project_roles jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT members_pkey PRIMARY KEY (id),
  CONSTRAINT members_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT members_user_fk FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE,
  CONSTRAINT members_named CHECK (((email IS NOT NULL) OR (subject IS NOT NULL))),
  CONSTRAINT members_role_known CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'admin'::text, 'owner'::text])))
);
COMMENT ON TABLE members IS 'People who have roles in an account. Each is invited by address or subject, and bound to a user at the first sign-in. Changes lock the account''s row, so that an owner remains.';
COMMENT ON COLUMN members.email IS 'In lower case.';
COMMENT ON COLUMN members.role IS 'In the whole account. Null: only in projects.';
COMMENT ON COLUMN members.project_roles IS 'Roles by the ids of projects. The id of a deleted project matches none.';
CREATE INDEX members_by_account ON public.members USING btree (account_id, created_at, id);
CREATE UNIQUE INDEX members_email_unique ON public.members USING btree (account_id, email);
CREATE UNIQUE INDEX members_subject_unique ON public.members USING btree (account_id, subject);
CREATE UNIQUE INDEX members_user_unique ON public.members USING btree (account_id, user_id);
CREATE TRIGGER members_deleted_journaled AFTER DELETE ON public.members REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('member', '{email,subject}');
CREATE TRIGGER members_inserted_journaled AFTER INSERT ON public.members REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('member', '{email,subject}');
CREATE TRIGGER members_updated_journaled AFTER UPDATE ON public.members REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('member', '{email,subject}');

CREATE TABLE picture_removals (
  id uuid NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT picture_removals_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE picture_removals IS 'Objects that are removed from their store: those of deleted pictures, and those of an upload until its row is there.';
CREATE INDEX picture_removals_due ON public.picture_removals USING btree (due_at);

CREATE TABLE pictures (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  digest text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  content bytea,
  unused_since timestamp with time zone DEFAULT now(),
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pictures_digest_unique UNIQUE (project_id, digest),
  CONSTRAINT pictures_pkey PRIMARY KEY (id),
  CONSTRAINT pictures_project_fk FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
COMMENT ON TABLE pictures IS 'Pictures of projects, as JPEG files.';
COMMENT ON COLUMN pictures.digest IS 'SHA-256 of the content in base64url, which is the last part of the address.';
COMMENT ON COLUMN pictures.content IS 'Null if an object store has it, under the id.';
COMMENT ON COLUMN pictures.unused_since IS 'Since when no link is known to have it; null while one does.';
CREATE INDEX pictures_unused ON public.pictures USING btree (unused_since) WHERE (unused_since IS NOT NULL);
CREATE TRIGGER pictures_deleted AFTER DELETE ON public.pictures REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION remove_picture_objects();

CREATE TABLE project_counts (
  project_id uuid NOT NULL,
  shard smallint NOT NULL,
  dynamic_links bigint DEFAULT 0 NOT NULL,
  short_links bigint DEFAULT 0 NOT NULL,
  archived_links bigint DEFAULT 0 NOT NULL,
  CONSTRAINT project_counts_pkey PRIMARY KEY (project_id, shard),
  CONSTRAINT project_counts_project_fk FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
COMMENT ON TABLE project_counts IS 'How many links a project has, as the sum over its shards (one may be negative). Kept by trigger, so that lists need no COUNT(*); sharded by connection, so that parallel creates do not queue for one row.';
COMMENT ON COLUMN project_counts.archived_links IS 'How many of the dynamic links are archived.';

CREATE TABLE projects (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  subdomain text COLLATE "C" NOT NULL,
  root_url text,
  not_found_url text,
  expired_url text,
  query_forwarding text DEFAULT 'all'::text NOT NULL,
  forwarded_params text[] DEFAULT '{}'::text[] NOT NULL,
  allowed_schemes text[] DEFAULT '{}'::text[] NOT NULL,
  long_link_destinations text[] DEFAULT '{}'::text[] NOT NULL,
  destination_hosts text[] DEFAULT '{}'::text[] NOT NULL,
  release_guard text DEFAULT 'warn'::text NOT NULL,
  retire_releases_after_days integer,
  retire_releases_below_percent integer,
  conversions boolean DEFAULT false NOT NULL,
  click_id_param text DEFAULT 'click_id'::text NOT NULL,
  conversion_window_days integer DEFAULT 30 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  deleted_at timestamp(3) with time zone,
  CONSTRAINT projects_pkey PRIMARY KEY (id),
  CONSTRAINT projects_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT projects_conversion_window_range CHECK (((conversion_window_days >= 1) AND (conversion_window_days <= 90))),
  CONSTRAINT projects_subdomain_form CHECK ((subdomain ~ '^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$'::text))
);
COMMENT ON TABLE projects IS 'Top-level containers. The subdomain is the host of every link inside; no URL is stored.';
COMMENT ON COLUMN projects.user_id IS 'The user who created it. No foreign key: the project stays when the user is erased.';
COMMENT ON COLUMN projects.root_url IS 'Where visitors of `/` are sent; null for a page with the status 404.';
COMMENT ON COLUMN projects.not_found_url IS 'Where visitors of unknown paths are sent; null for a page with the status 404.';
COMMENT ON COLUMN projects.expired_url IS 'Where visitors of links that have ended are sent; null for a page with the status 410.';
COMMENT ON COLUMN projects.query_forwarding IS 'Which parameters of visitors destinations get: all, none or listed. Links can have another value.';
COMMENT ON COLUMN projects.forwarded_params IS 'Names of the parameters if query_forwarding is listed.';
COMMENT ON COLUMN projects.allowed_schemes IS 'Schemes that destinations of links may have beside http and https.';
COMMENT ON COLUMN projects.long_link_destinations IS 'The hosts to which long links may lead, as patterns; empty if the project serves none.';
COMMENT ON COLUMN projects.destination_hosts IS 'The hosts to which later writes of links may lead, as patterns; empty for all hosts.';
COMMENT ON COLUMN projects.release_guard IS 'Treatment of a change that breaks a released version of an app: refuse, warn or off.';
COMMENT ON COLUMN projects.retire_releases_after_days IS 'The age at which a release counts as retired; null for never.';
COMMENT ON COLUMN projects.retire_releases_below_percent IS 'The share of opens of the last 30 days below which a release retires; null for never.';
COMMENT ON COLUMN projects.conversions IS 'Whether visits of all its links get click ids.';
COMMENT ON COLUMN projects.click_id_param IS 'The query parameter of destinations that has the click id.';
COMMENT ON COLUMN projects.conversion_window_days IS 'How many days after the click conversions count.';
COMMENT ON COLUMN projects.deleted_at IS 'A deleted project is gone for everybody at once; what it holds is then purged in batches, and the row last.';
CREATE INDEX projects_by_created_at ON public.projects USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX projects_by_name ON public.projects USING btree (account_id, name COLLATE "C", id) WHERE (deleted_at IS NULL);
CREATE INDEX projects_by_subdomain ON public.projects USING btree (account_id, subdomain, id) WHERE (deleted_at IS NULL);
CREATE INDEX projects_by_updated_at ON public.projects USING btree (account_id, updated_at, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX projects_subdomain_unique ON public.projects USING btree (subdomain) WHERE (deleted_at IS NULL);
CREATE INDEX projects_to_purge ON public.projects USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE TRIGGER projects_deleted_announced AFTER DELETE ON public.projects REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_projects();
CREATE TRIGGER projects_deleted_journaled AFTER DELETE ON public.projects REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('project', '{deleted_at}');
CREATE TRIGGER projects_deleted_purge_clicks AFTER DELETE ON public.projects FOR EACH ROW WHEN ((old.deleted_at IS NULL)) EXECUTE FUNCTION purge_clicks_of_project();
CREATE TRIGGER projects_hosts_left AFTER UPDATE OF deleted_at ON public.projects FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION leave_hosts();
CREATE TRIGGER projects_hosts_lost BEFORE DELETE ON public.projects FOR EACH ROW EXECUTE FUNCTION leave_hosts();
CREATE TRIGGER projects_inserted_journaled AFTER INSERT ON public.projects REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('project', '{deleted_at}');
CREATE TRIGGER projects_marked_deleted_purge_clicks AFTER UPDATE OF deleted_at ON public.projects FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION purge_clicks_of_project();
CREATE TRIGGER projects_subdomain_changed BEFORE UPDATE OF subdomain, deleted_at ON public.projects FOR EACH ROW WHEN (((new.deleted_at IS NULL) AND ((old.subdomain <> new.subdomain) OR (old.deleted_at IS NOT NULL)))) EXECUTE FUNCTION claim_subdomain();
CREATE TRIGGER projects_subdomain_claimed BEFORE INSERT ON public.projects FOR EACH ROW WHEN ((new.deleted_at IS NULL)) EXECUTE FUNCTION claim_subdomain();
CREATE TRIGGER projects_truncated_announced AFTER TRUNCATE ON public.projects FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER projects_updated_announced AFTER UPDATE ON public.projects REFERENCING OLD TABLE AS changed NEW TABLE AS updated FOR EACH STATEMENT EXECUTE FUNCTION announce_updated_projects();
CREATE TRIGGER projects_updated_journaled AFTER UPDATE ON public.projects REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('project', '{deleted_at}');

CREATE TABLE regions (
  code smallint NOT NULL,
  name text COLLATE "C" NOT NULL,
  writer uuid NOT NULL,
  heartbeat_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT regions_name_unique UNIQUE (name),
  CONSTRAINT regions_pkey PRIMARY KEY (code),
  CONSTRAINT regions_code_range CHECK (((code >= 1) AND (code <= 15))),
  CONSTRAINT regions_name_form CHECK ((name ~ '^[a-z][a-z0-9_]{0,29}$'::text))
);
COMMENT ON TABLE regions IS 'Regions that follow this database. Replicated to them, so that the row of a region there shows how far it has come.';
COMMENT ON COLUMN regions.writer IS 'The region in click_writers.';
COMMENT ON COLUMN regions.heartbeat_at IS 'When the service of the region last had contact, by the clock of the primary.';

CREATE TABLE schema_migrations (
  id integer DEFAULT nextval('schema_migrations_id_seq'::regclass) NOT NULL,
  "timestamp" bigint NOT NULL,
  name character varying NOT NULL,
  CONSTRAINT "PK_62441bec32630ced9e4cccae336" PRIMARY KEY (id)
);

CREATE TABLE short_links (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  slug text COLLATE "C" NOT NULL,
  source text NOT NULL,
  created_by uuid,
  created_by_api_key_id uuid,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT short_links_pkey PRIMARY KEY (id),
  CONSTRAINT short_links_api_key_fk FOREIGN KEY (created_by_api_key_id) REFERENCES api_keys(id) ON DELETE SET NULL,
  CONSTRAINT short_links_dynamic_link_fk FOREIGN KEY (project_id, dynamic_link_id) REFERENCES dynamic_links(project_id, id) ON DELETE CASCADE,
  CONSTRAINT short_links_source_known CHECK ((source = ANY (ARRAY['dashboard'::text, 'api'::text])))
);
COMMENT ON TABLE short_links IS 'Aliases of dynamic links.';
COMMENT ON COLUMN short_links.slug IS 'Copied into link_paths by trigger; that table alone decides uniqueness.';
COMMENT ON COLUMN short_links.created_by IS 'The user who created it. No foreign key: the link stays when the user is erased.';
CREATE INDEX short_links_by_api_key ON public.short_links USING btree (created_by_api_key_id) WHERE (created_by_api_key_id IS NOT NULL);
CREATE INDEX short_links_by_dynamic_link ON public.short_links USING btree (project_id, dynamic_link_id, created_at, id);
CREATE INDEX short_links_in_order ON public.short_links USING btree (project_id, created_at, id) INCLUDE (dynamic_link_id);
CREATE TRIGGER short_links_deleted AFTER DELETE ON public.short_links REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION short_links_deleted();
CREATE TRIGGER short_links_deleted_journaled AFTER DELETE ON public.short_links REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('short_link', '{}');
CREATE TRIGGER short_links_inserted AFTER INSERT ON public.short_links REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION short_links_inserted();
CREATE TRIGGER short_links_inserted_journaled AFTER INSERT ON public.short_links REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('short_link', '{}');
CREATE TRIGGER short_links_updated_journaled AFTER UPDATE ON public.short_links REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('short_link', '{}');

CREATE TABLE statistic_shares (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  name text NOT NULL,
  dynamic_link_id uuid,
  tag_id uuid,
  timezone text NOT NULL,
  token_digest bytea NOT NULL,
  password_hash bytea,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT statistic_shares_pkey PRIMARY KEY (id),
  CONSTRAINT statistic_shares_dynamic_link_fk FOREIGN KEY (dynamic_link_id) REFERENCES dynamic_links(id) ON DELETE CASCADE,
  CONSTRAINT statistic_shares_project_fk FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  CONSTRAINT statistic_shares_tag_fk FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE,
  CONSTRAINT statistic_shares_one_subject CHECK (((dynamic_link_id IS NULL) OR (tag_id IS NULL)))
);
COMMENT ON TABLE statistic_shares IS 'Pages with the statistics of a project, a link or a tag, until they expire or are revoked.';
COMMENT ON COLUMN statistic_shares.token_digest IS 'SHA-256 of the random part of the address.';
COMMENT ON COLUMN statistic_shares.password_hash IS '16 bytes of salt and 32 bytes of scrypt; null without a password.';
CREATE INDEX statistic_shares_by_dynamic_link ON public.statistic_shares USING btree (dynamic_link_id) WHERE (dynamic_link_id IS NOT NULL);
CREATE INDEX statistic_shares_by_tag ON public.statistic_shares USING btree (tag_id) WHERE (tag_id IS NOT NULL);
CREATE INDEX statistic_shares_in_order ON public.statistic_shares USING btree (project_id, created_at, id);
CREATE UNIQUE INDEX statistic_shares_token_unique ON public.statistic_shares USING btree (token_digest);
CREATE TRIGGER statistic_shares_deleted_journaled AFTER DELETE ON public.statistic_shares REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('share', '{token_digest,password_hash}');
CREATE TRIGGER statistic_shares_inserted_journaled AFTER INSERT ON public.statistic_shares REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('share', '{token_digest,password_hash}');

CREATE TABLE subdomains (
  name text COLLATE "C" NOT NULL,
  account_id uuid,
  project_id uuid,
  left_at timestamp(3) with time zone,
  CONSTRAINT subdomains_pkey PRIMARY KEY (name),
  CONSTRAINT subdomains_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  CONSTRAINT subdomains_project_fk FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT subdomains_used_or_left CHECK (((project_id IS NOT NULL) OR (left_at IS NOT NULL)))
);
COMMENT ON TABLE subdomains IS 'Who has a name under the link domain. Written by triggers of projects; holds that are over are removed by the service.';
COMMENT ON COLUMN subdomains.project_id IS 'The project that answers on the name; null where it was deleted, and the name is held for its account.';
COMMENT ON COLUMN subdomains.left_at IS 'When the project took another name, or was deleted; null for the current name of a project.';
CREATE INDEX subdomains_by_project ON public.subdomains USING btree (project_id) WHERE (project_id IS NOT NULL);
CREATE INDEX subdomains_held ON public.subdomains USING btree (left_at) WHERE (project_id IS NULL);
CREATE INDEX subdomains_held_by_account ON public.subdomains USING btree (account_id, left_at) WHERE (project_id IS NULL);
CREATE TRIGGER subdomains_deleted_announced AFTER DELETE ON public.subdomains REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_deleted_subdomains();
CREATE TRIGGER subdomains_truncated_announced AFTER TRUNCATE ON public.subdomains FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();

CREATE TABLE tag_counts (
  tag_id uuid NOT NULL,
  shard smallint NOT NULL,
  links bigint DEFAULT 0 NOT NULL,
  archived_links bigint DEFAULT 0 NOT NULL,
  CONSTRAINT tag_counts_pkey PRIMARY KEY (tag_id, shard),
  CONSTRAINT tag_counts_tag_fk FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE
);
COMMENT ON TABLE tag_counts IS 'How many links have the id of a tag, as the sum over its shards (one may be negative). Kept by triggers.';

CREATE TABLE tags (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  name text NOT NULL,
  folded_name text COLLATE "C" NOT NULL,
  retired_at timestamp(3) with time zone,
  merged_into uuid,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT tags_pkey PRIMARY KEY (id),
  CONSTRAINT tags_project_fk FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
COMMENT ON TABLE tags IS 'Tags of a project. A tag without links stays until it is removed.';
COMMENT ON COLUMN tags.folded_name IS 'The name without letter case, in which tags are unique. Folded by the service.';
COMMENT ON COLUMN tags.retired_at IS 'A removed or merged tag is gone at once. Links lose its id in batches, and the row goes last.';
COMMENT ON COLUMN tags.merged_into IS 'The tag that links with this retired one have instead; null if it was removed. Never a retired tag.';
CREATE INDEX tags_by_created_at ON public.tags USING btree (project_id, created_at, id);
CREATE INDEX tags_by_name ON public.tags USING btree (project_id, name COLLATE "C", id);
CREATE INDEX tags_by_updated_at ON public.tags USING btree (project_id, updated_at, id);
CREATE INDEX tags_merged_into ON public.tags USING btree (merged_into) WHERE (merged_into IS NOT NULL);
CREATE UNIQUE INDEX tags_name_unique ON public.tags USING btree (project_id, folded_name) WHERE (retired_at IS NULL);
CREATE INDEX tags_retired ON public.tags USING btree (retired_at) WHERE (retired_at IS NOT NULL);
CREATE TRIGGER tags_deleted_journaled AFTER DELETE ON public.tags REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('tag', '{folded_name,retired_at}');
CREATE TRIGGER tags_inserted_journaled AFTER INSERT ON public.tags REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('tag', '{folded_name,retired_at}');
CREATE TRIGGER tags_updated_journaled AFTER UPDATE ON public.tags REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('tag', '{folded_name,retired_at}');

CREATE TABLE this_region (
  code smallint NOT NULL,
  name text NOT NULL,
  writer uuid NOT NULL,
  id boolean DEFAULT true NOT NULL,
  CONSTRAINT this_region_single UNIQUE (id),
  CONSTRAINT this_region_pkey PRIMARY KEY (code),
  CONSTRAINT this_region_true CHECK (id)
);
COMMENT ON TABLE this_region IS 'One row in the database of a region: its row in regions of the primary. Empty in a primary.';

CREATE TABLE user_identities (
  account_id uuid NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT user_identities_pkey PRIMARY KEY (account_id, issuer, subject),
  CONSTRAINT user_identities_user_fk FOREIGN KEY (account_id, user_id) REFERENCES users(account_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE user_identities IS 'By which name an identity provider knows a user. Written once, at the first request of that person; the key decides which of many parallel first requests makes the user.';
COMMENT ON COLUMN user_identities.subject IS 'Unique within its issuer only (OpenID Connect Core, section 5.7).';
CREATE INDEX user_identities_by_user ON public.user_identities USING btree (account_id, user_id);

CREATE TABLE users (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  email text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT users_id_in_account_unique UNIQUE (account_id, id),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
COMMENT ON TABLE users IS 'People of an account. The first one of an account owns what its API keys make.';

CREATE TABLE visitor_keys (
  day date NOT NULL,
  key bytea DEFAULT sha256((uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))) NOT NULL,
  CONSTRAINT visitor_keys_pkey PRIMARY KEY (day)
);
COMMENT ON TABLE visitor_keys IS 'Random keys of today and tomorrow (UTC). Visitors get the same variant for a day by a keyed hash of their address, which is stored nowhere.';

CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  sequence bigint NOT NULL,
  part integer NOT NULL,
  type text NOT NULL,
  resource_id uuid,
  state text NOT NULL,
  attempts integer NOT NULL,
  first_attempt_at timestamp(3) with time zone,
  last_attempt_at timestamp(3) with time zone,
  next_attempt_at timestamp(3) with time zone,
  status integer,
  failure text,
  answer text,
  duration_ms integer,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT webhook_deliveries_event_unique UNIQUE (endpoint_id, sequence, part),
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_endpoint_fk FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_state_known CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])))
);
COMMENT ON TABLE webhook_deliveries IS 'The last attempt at each event. Finished ones are kept for a week. The journal has the content.';
COMMENT ON COLUMN webhook_deliveries.part IS 'The place of the resource in a batch, from 1. 0 for the whole entry.';
COMMENT ON COLUMN webhook_deliveries.next_attempt_at IS 'Null if the event waits behind an earlier one of the same resource.';
COMMENT ON COLUMN webhook_deliveries.answer IS 'The beginning of the body of the answer.';
CREATE INDEX webhook_deliveries_by_age ON public.webhook_deliveries USING btree (created_at) WHERE (state <> 'waiting'::text);
CREATE INDEX webhook_deliveries_by_endpoint ON public.webhook_deliveries USING btree (endpoint_id, created_at, id);
CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (endpoint_id, sequence, part) WHERE (state = 'waiting'::text);

CREATE TABLE webhook_endpoints (
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  url text NOT NULL,
  description text,
  project_id uuid,
  event_types text[],
  selecting_since timestamp with time zone NOT NULL,
  tag_ids uuid[],
  per_link boolean NOT NULL,
  enabled boolean NOT NULL,
  disabled_at timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  sealed_secret bytea NOT NULL,
  former_secret bytea,
  former_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoints_account_fk FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT webhook_endpoints_disabled CHECK (((disabled_at IS NULL) OR (NOT enabled)))
);
COMMENT ON TABLE webhook_endpoints IS 'Addresses that get the events of an account. Creating one locks the row of the account.';
COMMENT ON COLUMN webhook_endpoints.project_id IS 'Only events of this project. No foreign key: the id of a deleted project matches no further event.';
COMMENT ON COLUMN webhook_endpoints.event_types IS 'Types such as link.updated, or link.* for all of a kind. Null: all.';
COMMENT ON COLUMN webhook_endpoints.selecting_since IS 'When project_id and event_types were last set.';
COMMENT ON COLUMN webhook_endpoints.tag_ids IS 'Only events of links that have one of the tags. Null: all.';
COMMENT ON COLUMN webhook_endpoints.disabled_at IS 'When the service disabled the endpoint, because it had failed for days. Null if a caller did.';
COMMENT ON COLUMN webhook_endpoints.failing_since IS 'The first failed attempt since the last success; null if the last attempt succeeded.';
COMMENT ON COLUMN webhook_endpoints.sealed_secret IS 'Encrypted with a key that is derived from API_KEY_PEPPER; so is the former one, which signs until former_until.';
CREATE INDEX webhook_endpoints_by_account ON public.webhook_endpoints USING btree (account_id, created_at, id);
CREATE TRIGGER webhook_endpoints_deleted_journaled AFTER DELETE ON public.webhook_endpoints REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('webhook', '{failing_since,selecting_since,sealed_secret,former_secret,former_until}');
CREATE TRIGGER webhook_endpoints_inserted_journaled AFTER INSERT ON public.webhook_endpoints REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('webhook', '{failing_since,selecting_since,sealed_secret,former_secret,former_until}');
CREATE TRIGGER webhook_endpoints_inserted_selection BEFORE INSERT ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION note_selection();
CREATE TRIGGER webhook_endpoints_updated_journaled AFTER UPDATE ON public.webhook_endpoints REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_journal('webhook', '{failing_since,selecting_since,sealed_secret,former_secret,former_until}');
CREATE TRIGGER webhook_endpoints_updated_selection BEFORE UPDATE ON public.webhook_endpoints FOR EACH ROW WHEN (((old.project_id IS DISTINCT FROM new.project_id) OR (old.event_types IS DISTINCT FROM new.event_types))) EXECUTE FUNCTION note_selection();

CREATE TABLE webhook_positions (
  endpoint_id uuid NOT NULL,
  sequence bigint NOT NULL,
  waiting integer DEFAULT 0 NOT NULL,
  failures integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp(3) with time zone,
  leased_by uuid,
  leased_until timestamp(3) with time zone,
  CONSTRAINT webhook_positions_pkey PRIMARY KEY (endpoint_id),
  CONSTRAINT webhook_positions_endpoint_fk FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE
);
COMMENT ON TABLE webhook_positions IS 'The progress of each endpoint. A process leases an endpoint while it sends, and renews the lease.';
COMMENT ON COLUMN webhook_positions.sequence IS 'The last entry of the journal that was delivered, or has rows in webhook_deliveries.';
COMMENT ON COLUMN webhook_positions.waiting IS 'Events that wait for another attempt.';
COMMENT ON COLUMN webhook_positions.failures IS 'Failed attempts since the last success.';
COMMENT ON COLUMN webhook_positions.next_attempt_at IS 'When the next event that waits is due; null if none waits.';

-- Views

CREATE VIEW single_clicks AS
 SELECT (clicks.clicked_at + ('00:00:00.001'::interval * (made_at.moment)::double precision)) AS clicked_at,
    clicks.batch_id,
    clicks.project_id,
    link.dynamic_link_id,
    link.short_link_id,
    link.source,
    visitor.platform,
    visitor.browser,
    visitor.referrer,
    visitor.country,
    COALESCE(visitor.bot, false) AS bot,
    COALESCE(visitor.qr, false) AS qr
   FROM ((((clicks
     CROSS JOIN LATERAL ( SELECT alike.what,
            alike.who,
            row_number() OVER (ORDER BY alike.place, number.number) AS click
           FROM (UNNEST(clicks.opened, clicks.opened_by, clicks.times) WITH ORDINALITY alike(what, who, times, place)
             CROSS JOIN LATERAL generate_series(1, (alike.times)::integer) number(number))) made)
     JOIN LATERAL unnest(clicks.moments) WITH ORDINALITY made_at(moment, click) USING (click))
     JOIN LATERAL UNNEST(clicks.dynamic_link_ids, clicks.short_link_ids, clicks.sources) WITH ORDINALITY link(dynamic_link_id, short_link_id, source, place) ON ((link.place = made.what)))
     JOIN LATERAL UNNEST(clicks.platforms, clicks.browsers, clicks.referrers, clicks.countries, clicks.bots, clicks.qrs) WITH ORDINALITY visitor(platform, browser, referrer, country, bot, qr, place) ON ((visitor.place = made.who)));

-- Functions

CREATE OR REPLACE FUNCTION public.add_click_sums(sums click_sum[])
 RETURNS void
 LANGUAGE plpgsql
 SET work_mem TO '64MB'
 SET jit TO 'off'
 SET enable_nestloop TO 'off'
AS $function$
BEGIN
  WITH input AS MATERIALIZED (
    SELECT *, date_trunc('month', day)::date AS month FROM unnest(sums)
  ), referrers AS MATERIALIZED (
    -- Scalar subqueries with LIMIT are one look-up each. EXISTS could become a hash of the whole table.
    SELECT *,
           value = '*' OR coalesce((
             SELECT true FROM clicks_by_quarter AS stored
             WHERE stored.project_id = input.project_id AND stored.scope_id = input.scope_id AND stored.dimension = 'referrer'
               AND stored.day = input.day AND stored.value = input.value LIMIT 1
           ), false) AS in_day
    FROM input WHERE dimension = 'referrer' AND value <> ''
  ), new_of_day AS (
    SELECT *,
           coalesce((
             SELECT true FROM clicks_by_day AS stored
             WHERE stored.project_id = referrers.project_id AND stored.scope_id = referrers.scope_id AND stored.dimension = 'referrer'
               AND stored.month = referrers.month AND stored.value = referrers.value LIMIT 1
           ), false) AS in_month,
           CASE WHEN scope_id = project_id THEN 500 ELSE 100 END AS max_of_day,
           sum(clicks) OVER (PARTITION BY project_id, scope_id, day, value) AS clicks_of_host,
           row_number() OVER (PARTITION BY project_id, scope_id, day, value) AS number
    FROM referrers WHERE NOT in_day
  ), placed_in_day AS (
    -- Hosts that the month has already go first, then those with the most clicks.
    SELECT *, dense_rank() OVER (PARTITION BY project_id, scope_id, day ORDER BY in_month DESC, clicks_of_host DESC, value) AS place
    FROM new_of_day
  ), placed_in_month AS (
    SELECT *, dense_rank() OVER (PARTITION BY project_id, scope_id, month, in_month ORDER BY place, day) AS place_in_month
    FROM placed_in_day
  ), limited AS (
    -- The rows that a day or a month has already are counted once, and only if a new host comes to it.
    SELECT *,
           max(CASE WHEN place = 1 AND number = 1 THEN (
             SELECT count(*) FROM (
               SELECT FROM clicks_by_quarter AS stored
               WHERE stored.project_id = placed.project_id AND stored.scope_id = placed.scope_id AND stored.dimension = 'referrer'
                 AND stored.day = placed.day AND stored.value <> '' AND stored.value <> '*' LIMIT max_of_day
             ) AS stored
           ) END) OVER (PARTITION BY project_id, scope_id, day) AS kept_of_day,
           max(CASE WHEN NOT in_month AND place_in_month = 1 AND number = 1 THEN (
             SELECT count(*) FROM (
               SELECT FROM clicks_by_day AS stored
               WHERE stored.project_id = placed.project_id AND stored.scope_id = placed.scope_id AND stored.dimension = 'referrer'
                 AND stored.month = placed.month AND stored.value <> '' AND stored.value <> '*' LIMIT 5 * max_of_day
             ) AS stored
           ) END) OVER (PARTITION BY project_id, scope_id, month) AS kept_of_month
    FROM placed_in_month AS placed
  ), counted AS MATERIALIZED (
    SELECT project_id, scope_id, dimension, month, day, value, quarter, bot, qr, clicks FROM input WHERE dimension <> 'referrer' OR value = ''
    UNION ALL
    SELECT project_id, scope_id, dimension, month, day, value, quarter, bot, qr, clicks FROM referrers WHERE in_day
    UNION ALL
    SELECT project_id, scope_id, dimension, month, day,
           CASE WHEN kept_of_day + place <= max_of_day AND (in_month OR kept_of_month + place_in_month <= 5 * max_of_day)
                THEN value ELSE '*' END,
           quarter, bot, qr, clicks
    FROM limited
  ), of_month AS MATERIALIZED (
    SELECT project_id, scope_id, dimension, month, value, min(day) AS first, sum(clicks) AS clicks, min(day) = max(day) AND NOT bool_or(bot OR qr) AS is_simple
    FROM counted GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ), of_day AS MATERIALIZED (
    SELECT project_id, scope_id, dimension, day, value, min(quarter) AS first, sum(clicks) AS clicks, min(quarter) = max(quarter) AND NOT bool_or(bot OR qr) AS is_simple
    FROM counted GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ), simple_of_month AS (
    INSERT INTO clicks_by_day AS stored (project_id, scope_id, dimension, month, value, clicks, total_clicks)
    SELECT project_id, scope_id, dimension, month, value, array_fill(clicks::integer, '{1}', ARRAY[extract(day FROM first)::integer]), clicks
    FROM of_month WHERE is_simple
    ON CONFLICT (project_id, scope_id, dimension, month, value) DO UPDATE SET
      clicks[array_lower(excluded.clicks, 1)] = coalesce(stored.clicks[array_lower(excluded.clicks, 1)], 0) + excluded.total_clicks::integer,
      total_clicks = coalesce(stored.total_clicks, 0) + excluded.total_clicks
  ), others_of_month AS (
    INSERT INTO clicks_by_day AS stored (project_id, scope_id, dimension, month, value, clicks, qr_scans, bots, bot_qr_scans,
                                       total_clicks, total_qr_scans, total_bots, total_bot_qr_scans)
    SELECT project_id, scope_id, dimension, month, value, counts_at(places, counts), counts_at(qr_places, qr_counts),
           counts_at(bot_places, bot_counts), counts_at(bot_qr_places, bot_qr_counts), clicks, qr_scans, bots, bot_qr_scans
    FROM (
      SELECT project_id, scope_id, dimension, month, value,
             array_agg(extract(day FROM day)::integer) FILTER (WHERE NOT bot) AS places, array_agg(clicks) FILTER (WHERE NOT bot) AS counts,
             array_agg(extract(day FROM day)::integer) FILTER (WHERE NOT bot AND qr) AS qr_places, array_agg(clicks) FILTER (WHERE NOT bot AND qr) AS qr_counts,
             array_agg(extract(day FROM day)::integer) FILTER (WHERE bot) AS bot_places, array_agg(clicks) FILTER (WHERE bot) AS bot_counts,
             array_agg(extract(day FROM day)::integer) FILTER (WHERE bot AND qr) AS bot_qr_places, array_agg(clicks) FILTER (WHERE bot AND qr) AS bot_qr_counts,
             (sum(clicks) FILTER (WHERE NOT bot))::bigint AS clicks, (sum(clicks) FILTER (WHERE NOT bot AND qr))::bigint AS qr_scans,
             (sum(clicks) FILTER (WHERE bot))::bigint AS bots, (sum(clicks) FILTER (WHERE bot AND qr))::bigint AS bot_qr_scans
      FROM counted WHERE (project_id, scope_id, dimension, month, value) IN (
        SELECT project_id, scope_id, dimension, month, value FROM of_month WHERE NOT is_simple
      ) GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ) AS summed
    ON CONFLICT (project_id, scope_id, dimension, month, value) DO UPDATE SET
      clicks = CASE WHEN excluded.clicks IS NULL THEN stored.clicks ELSE add_counts(stored.clicks, excluded.clicks) END,
      qr_scans = CASE WHEN excluded.qr_scans IS NULL THEN stored.qr_scans ELSE add_counts(stored.qr_scans, excluded.qr_scans) END,
      bots = CASE WHEN excluded.bots IS NULL THEN stored.bots ELSE add_counts(stored.bots, excluded.bots) END,
      bot_qr_scans = CASE WHEN excluded.bot_qr_scans IS NULL THEN stored.bot_qr_scans ELSE add_counts(stored.bot_qr_scans, excluded.bot_qr_scans) END,
      total_clicks = CASE WHEN excluded.clicks IS NULL THEN stored.total_clicks
                    ELSE coalesce(stored.total_clicks, 0) + excluded.total_clicks END,
      total_qr_scans = CASE WHEN excluded.qr_scans IS NULL THEN stored.total_qr_scans
                    ELSE coalesce(stored.total_qr_scans, 0) + excluded.total_qr_scans END,
      total_bots = CASE WHEN excluded.bots IS NULL THEN stored.total_bots
                    ELSE coalesce(stored.total_bots, 0) + excluded.total_bots END,
      total_bot_qr_scans = CASE WHEN excluded.bot_qr_scans IS NULL THEN stored.total_bot_qr_scans
                    ELSE coalesce(stored.total_bot_qr_scans, 0) + excluded.total_bot_qr_scans END
  ), simple_of_day AS (
    INSERT INTO clicks_by_quarter AS stored (project_id, scope_id, dimension, day, value, clicks)
    SELECT project_id, scope_id, dimension, day, value, array_fill(clicks::integer, '{1}', ARRAY[first]) FROM of_day WHERE is_simple
    ON CONFLICT (project_id, scope_id, dimension, day, value) DO UPDATE SET
      clicks[array_lower(excluded.clicks, 1)] =
        coalesce(stored.clicks[array_lower(excluded.clicks, 1)], 0) + excluded.clicks[array_lower(excluded.clicks, 1)]
  )
  INSERT INTO clicks_by_quarter AS stored (project_id, scope_id, dimension, day, value, clicks, qr_scans, bots, bot_qr_scans)
  SELECT project_id, scope_id, dimension, day, value, counts_at(places, counts), counts_at(qr_places, qr_counts),
         counts_at(bot_places, bot_counts), counts_at(bot_qr_places, bot_qr_counts)
  FROM (
    SELECT project_id, scope_id, dimension, day, value,
           array_agg(quarter) FILTER (WHERE NOT bot) AS places, array_agg(clicks) FILTER (WHERE NOT bot) AS counts,
           array_agg(quarter) FILTER (WHERE NOT bot AND qr) AS qr_places, array_agg(clicks) FILTER (WHERE NOT bot AND qr) AS qr_counts,
           array_agg(quarter) FILTER (WHERE bot) AS bot_places, array_agg(clicks) FILTER (WHERE bot) AS bot_counts,
           array_agg(quarter) FILTER (WHERE bot AND qr) AS bot_qr_places, array_agg(clicks) FILTER (WHERE bot AND qr) AS bot_qr_counts
    FROM counted WHERE (project_id, scope_id, dimension, day, value) IN (
      SELECT project_id, scope_id, dimension, day, value FROM of_day WHERE NOT is_simple
    ) GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ) AS summed
  ON CONFLICT (project_id, scope_id, dimension, day, value) DO UPDATE SET
    clicks = CASE WHEN excluded.clicks IS NULL THEN stored.clicks ELSE add_counts(stored.clicks, excluded.clicks) END,
    qr_scans = CASE WHEN excluded.qr_scans IS NULL THEN stored.qr_scans ELSE add_counts(stored.qr_scans, excluded.qr_scans) END,
    bots = CASE WHEN excluded.bots IS NULL THEN stored.bots ELSE add_counts(stored.bots, excluded.bots) END,
    bot_qr_scans = CASE WHEN excluded.bot_qr_scans IS NULL THEN stored.bot_qr_scans ELSE add_counts(stored.bot_qr_scans, excluded.bot_qr_scans) END;
END $function$
;

CREATE OR REPLACE FUNCTION public.add_counts(counts integer[], more integer[])
 RETURNS integer[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  IF counts IS NULL THEN RETURN more; END IF;
  FOR place IN array_lower(more, 1)..array_upper(more, 1) LOOP
    IF more[place] IS NOT NULL THEN
      counts[place] := coalesce(counts[place], 0) + more[place];
    END IF;
  END LOOP;
  RETURN counts;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce(kind text, names text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  announcement text := json_build_object(kind, names);
BEGIN
  IF coalesce(cardinality(names), 0) = 0 THEN RETURN; END IF;
  -- A payload has less than 8,000 bytes.
  IF octet_length(announcement) < 7900 THEN
    PERFORM pg_notify('signpost_changes', announcement);
  ELSIF octet_length(announcement) < 280000 THEN
    PERFORM pg_notify('signpost_changes', json_build_object(kind, array_agg(placed.name))::text)
    FROM (
      SELECT name, (sum(octet_length(to_json(name)::text) + 1) OVER (ORDER BY place))::integer / 7000 AS part
      FROM unnest(names) WITH ORDINALITY AS input (name, place)
    ) AS placed
    GROUP BY placed.part;
  ELSE
    PERFORM pg_notify('signpost_changes', '"everything"');
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_apps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('projects', array_agg(DISTINCT p.id::text))
  FROM changed JOIN projects p ON p.id = changed.project_id AND p.deleted_at IS NULL;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_deleted_domains()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('hosts', array_agg(DISTINCT changed.hostname)), announce('projects', array_agg(DISTINCT changed.project_id::text))
  FROM changed WHERE changed.verified_at IS NOT NULL;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_deleted_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('keys', array_agg(changed.id::text)) FROM changed;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_deleted_projects()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('projects', array_agg(changed.id::text)) FROM changed WHERE changed.deleted_at IS NULL;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_deleted_subdomains()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('projects', array_agg(DISTINCT changed.project_id::text)) FROM changed WHERE changed.project_id IS NOT NULL;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_everything()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_notify('signpost_changes', '"everything"');
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_inserted_domains()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('hosts', array_agg(DISTINCT inserted.hostname)), announce('projects', array_agg(DISTINCT inserted.project_id::text))
  FROM inserted WHERE inserted.verified_at IS NOT NULL;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_links()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('links', array_agg(DISTINCT changed.id::text))
  FROM changed JOIN projects p ON p.id = changed.project_id AND p.deleted_at IS NULL;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_paths()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('paths', array_agg(DISTINCT changed.project_id || '/' || changed.path))
  FROM changed JOIN projects p ON p.id = changed.project_id AND p.deleted_at IS NULL
    LEFT JOIN dynamic_links AS link ON link.id = changed.dynamic_link_id
  WHERE changed.short_link_id IS NULL OR link.deleted_at IS NULL;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_replicated(kind text, name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  before integer := coalesce(nullif(current_setting('signpost.announced', true), ''), '0');
BEGIN
  PERFORM set_config('signpost.announced', (before + 1)::text, true);
  IF before < 10000 THEN
    PERFORM announce(kind, ARRAY[name]);
  ELSE
    PERFORM pg_notify('signpost_changes', '"everything"');
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_replicated_app()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  changed uuid := CASE WHEN TG_OP = 'INSERT' THEN NEW.project_id ELSE OLD.project_id END;
BEGIN
  IF EXISTS (SELECT FROM projects WHERE id = changed AND deleted_at IS NULL) THEN
    PERFORM announce_replicated('projects', changed::text);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_replicated_domain()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.verified_at IS NOT NULL THEN
      PERFORM announce_replicated('hosts', NEW.hostname), announce_replicated('projects', NEW.project_id::text);
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF OLD.verified_at IS NOT NULL THEN
      PERFORM announce_replicated('hosts', OLD.hostname), announce_replicated('projects', OLD.project_id::text);
    END IF;
  ELSIF (OLD.hostname, OLD.project_id, OLD.verified_at IS NULL, OLD.active, OLD.open_host)
    IS DISTINCT FROM (NEW.hostname, NEW.project_id, NEW.verified_at IS NULL, NEW.active, NEW.open_host) THEN
    PERFORM announce_replicated('hosts', OLD.hostname), announce_replicated('hosts', NEW.hostname),
            announce_replicated('projects', OLD.project_id::text);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_replicated_link()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  -- The columns of announce_updated_links.
  IF TG_OP = 'UPDATE' AND
     (OLD.custom_path, OLD.desktop_url, OLD.ios_app_id, OLD.android_app_id, OLD.ios_fallback_url, OLD.android_fallback_url,
      OLD.ios_deferred_deep_link, OLD.social_title, OLD.social_description, OLD.social_image_url, OLD.referrer_params, OLD.title,
      OLD.disabled, OLD.deleted_at, OLD.query_forwarding, OLD.forwarded_params, OLD.external_id, OLD.app_data,
      OLD.variants, OLD.rules, OLD.template, OLD.active_from, OLD.active_until, OLD.expired_url, OLD.conversions, OLD.password_hash, OLD.click_limit, OLD.used_up)
     IS NOT DISTINCT FROM
     (NEW.custom_path, NEW.desktop_url, NEW.ios_app_id, NEW.android_app_id, NEW.ios_fallback_url, NEW.android_fallback_url,
      NEW.ios_deferred_deep_link, NEW.social_title, NEW.social_description, NEW.social_image_url, NEW.referrer_params, NEW.title,
      NEW.disabled, NEW.deleted_at, NEW.query_forwarding, NEW.forwarded_params, NEW.external_id, NEW.app_data,
      NEW.variants, NEW.rules, NEW.template, NEW.active_from, NEW.active_until, NEW.expired_url, NEW.conversions, NEW.password_hash, NEW.click_limit, NEW.used_up) THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL) THEN
    PERFORM announce_replicated('links', OLD.id::text);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_replicated_path()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF EXISTS (SELECT FROM projects WHERE id = OLD.project_id AND deleted_at IS NULL) AND (
    OLD.short_link_id IS NULL
    OR NOT EXISTS (SELECT FROM dynamic_links WHERE id = OLD.dynamic_link_id AND deleted_at IS NOT NULL)
  ) THEN
    PERFORM announce_replicated('paths', OLD.project_id || '/' || OLD.path);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_replicated_project()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF OLD.deleted_at IS NULL AND (TG_OP = 'DELETE' OR NEW.deleted_at IS NOT NULL) THEN
    INSERT INTO click_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
    INSERT INTO clickhouse_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  END IF;
  -- The columns of announce_updated_projects.
  IF (TG_OP = 'DELETE' AND OLD.deleted_at IS NULL)
     OR (TG_OP = 'UPDATE' AND
         (OLD.subdomain, OLD.deleted_at, OLD.long_link_destinations, OLD.root_url, OLD.not_found_url, OLD.query_forwarding,
          OLD.forwarded_params, OLD.expired_url, OLD.conversions, OLD.click_id_param)
         IS DISTINCT FROM
         (NEW.subdomain, NEW.deleted_at, NEW.long_link_destinations, NEW.root_url, NEW.not_found_url, NEW.query_forwarding,
          NEW.forwarded_params, NEW.expired_url, NEW.conversions, NEW.click_id_param)) THEN
    PERFORM announce_replicated('projects', OLD.id::text);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_replicated_subdomain()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  IF OLD.project_id IS NOT NULL THEN
    PERFORM announce_replicated('projects', OLD.project_id::text);
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_replicated_template()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  PERFORM announce_replicated('templates', OLD.id::text);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_templates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('templates', array_agg(id::text)) FROM changed;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_updated_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('accounts', array_agg(changed.id::text)) FROM changed LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.plan, changed.frozen, changed.disabled, changed.max_key_age_days)
    IS DISTINCT FROM (updated.plan, updated.frozen, updated.disabled, updated.max_key_age_days);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_updated_domains()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('hosts', array_agg(DISTINCT changed.hostname)), announce('projects', array_agg(DISTINCT changed.project_id::text))
  FROM changed LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.hostname, changed.project_id, changed.verified_at IS NULL, changed.active, changed.open_host)
    IS DISTINCT FROM (updated.hostname, updated.project_id, updated.verified_at IS NULL, updated.active, updated.open_host);
  PERFORM announce('hosts', array_agg(DISTINCT updated.hostname)) FROM updated JOIN changed ON updated.id = changed.id
  WHERE updated.hostname <> changed.hostname;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_updated_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('keys', array_agg(changed.id::text)) FROM changed LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.digest, changed.account_id, changed.user_id, changed.revoked_at, changed.expires_at)
    IS DISTINCT FROM (updated.digest, updated.account_id, updated.user_id, updated.revoked_at, updated.expires_at);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_updated_links()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.announce_updated_projects()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM announce('projects', array_agg(changed.id::text)) FROM changed LEFT JOIN updated ON updated.id = changed.id
  WHERE (changed.subdomain, changed.deleted_at, changed.long_link_destinations, changed.root_url, changed.not_found_url,
         changed.query_forwarding, changed.forwarded_params, changed.expired_url, changed.conversions, changed.click_id_param)
    IS DISTINCT FROM
        (updated.subdomain, updated.deleted_at, updated.long_link_destinations, updated.root_url, updated.not_found_url,
         updated.query_forwarding, updated.forwarded_params, updated.expired_url, updated.conversions, updated.click_id_param);
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.begin_bulk(project uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM pg_advisory_xact_lock(1668049252, hashtext(project::text));
  PERFORM set_config('signpost.count_shard', '16', true);
END $function$
;

CREATE OR REPLACE FUNCTION public.broken_entry(account uuid, first bigint, last bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT min(number) FROM generate_series(first + 1, last) AS number
  LEFT JOIN journal AS entry ON entry.account_id = account AND entry.sequence = number
  LEFT JOIN journal AS former ON former.account_id = account AND former.sequence = number - 1
  WHERE entry.sequence IS NULL OR entry.digest IS DISTINCT FROM digest_of_entry(CASE number WHEN 1 THEN '\x' ELSE former.digest END, entry)
$function$
;

CREATE OR REPLACE FUNCTION public.claim_subdomain()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO subdomains AS known (name, account_id, project_id) VALUES (NEW.subdomain, NEW.account_id, NEW.id)
  ON CONFLICT (name) DO UPDATE SET account_id = excluded.account_id, project_id = excluded.project_id, left_at = NULL
    WHERE known.project_id = NEW.id OR (known.project_id IS NULL AND known.account_id = NEW.account_id);
  IF NOT FOUND THEN
    -- The refused insertion has locked the row, so it is still the one that refused.
    RAISE unique_violation USING
      MESSAGE = 'the subdomain is used, or held for the account that had it',
      DETAIL = (SELECT CASE WHEN project_id IS NULL THEN 'held' ELSE 'used' END FROM subdomains WHERE name = NEW.subdomain),
      TABLE = 'projects', CONSTRAINT = 'projects_subdomain_unique';
  END IF;
  IF TG_OP = 'UPDATE' THEN
    UPDATE subdomains SET left_at = now() WHERE name = OLD.subdomain AND name <> NEW.subdomain AND project_id = NEW.id;
  END IF;
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.click_bucket(link uuid, elements bigint)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN elements < 512 THEN 1 WHEN elements < 32768 THEN 32 + (uuid_hash(link) & 31) ELSE 1024 + (uuid_hash(link) & 1023) END
$function$
;

CREATE OR REPLACE FUNCTION public.click_buckets(link uuid)
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT ARRAY[click_bucket(link, 0), click_bucket(link, 512), click_bucket(link, 32768)]
$function$
;

CREATE OR REPLACE FUNCTION public.contact_primary(region_code integer, region_writer uuid)
 RETURNS TABLE(contacted_at timestamp with time zone, last_delivery bigint, requested_tokens bytea[])
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE regions SET heartbeat_at = clock_timestamp()
  WHERE code = region_code AND writer = region_writer AND heartbeat_at < clock_timestamp() - interval '0.9 seconds';
  RETURN QUERY
  SELECT clock_timestamp(), coalesce((SELECT batch FROM click_writers WHERE id = region_writer), 0),
         ARRAY(SELECT token_digest FROM deferred_link_requests AS asked
               WHERE asked.region = region_code AND asked.answered_at IS NULL ORDER BY requested_at, token_digest LIMIT 100)
  FROM regions WHERE code = region_code AND writer = region_writer;
END $function$
;

CREATE OR REPLACE FUNCTION public.count_browser_escapes(apps text[], platforms text[], app_versions integer[], system_versions integer[], ways text[], offered integer[], arrived integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  surplus bigint;
BEGIN
  -- Rows are locked in order, so that batches of several processes cause no deadlock.
  WITH input AS (
    SELECT * FROM unnest(apps, platforms, app_versions, system_versions, ways, offered, arrived)
      AS input (app, platform, app_version, system_version, way, offers, arrivals)
  ), added AS (
    SELECT app, platform, 0 AS app_version, 0 AS system_version, way, offers, arrivals FROM input
    UNION ALL
    SELECT * FROM input WHERE (app_version, system_version) <> (0, 0)
  )
  INSERT INTO browser_escape_counts AS counts (app, platform, app_version, system_version, way, offers, arrivals, since_arrival)
  SELECT app, platform, app_version, system_version, way, sum(offers), sum(arrivals), CASE WHEN sum(arrivals) > 0 THEN 0 ELSE sum(offers) END
  FROM added
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (app, platform, app_version, system_version, way) DO UPDATE
    SET offers = counts.offers + excluded.offers, arrivals = counts.arrivals + excluded.arrivals, counted_at = now(),
        since_arrival = CASE WHEN excluded.arrivals > 0 THEN 0 ELSE least(counts.since_arrival + excluded.since_arrival, 1000000) END;
  -- Only rows that this transaction has locked are so large.
  UPDATE browser_escape_counts SET arrivals = arrivals * 200 / offers, offers = 200
  WHERE offers >= 400 AND (app_version, system_version) <> (0, 0);
  UPDATE browser_escape_counts SET arrivals = arrivals * 2000 / offers, offers = 2000 WHERE offers >= 4000;
  -- Last, because others wait for the rows above: a deletion waits for nobody.
  DELETE FROM browser_escape_counts WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM browser_escape_counts WHERE counted_at < now() - interval '7 days' FOR UPDATE SKIP LOCKED
  ));
  SELECT count(*) - 5000 INTO surplus FROM browser_escape_counts;
  IF surplus > 0 THEN
    DELETE FROM browser_escape_counts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM browser_escape_counts WHERE (app_version, system_version) <> (0, 0)
      ORDER BY offers, counted_at LIMIT surplus + 500 FOR UPDATE SKIP LOCKED
    ));
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.count_link_events(counts link_count[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_nestloop TO 'on'
AS $function$
BEGIN
  WITH selected AS MATERIALIZED (
    SELECT project_id, event, selected_since(project_id, 'link.' || event || 's_reached') AS since
    FROM (SELECT DISTINCT project_id, event FROM unnest(counts)) AS counted
  ), stored AS (
    INSERT INTO link_totals AS total (project_id, dynamic_link_id, event, times, added, since)
    SELECT project_id, dynamic_link_id, event,
      CASE WHEN known.since = selected.since THEN known.times + counted.times
        ELSE greatest(known.times + counted.times, kept_link_events(project_id, dynamic_link_id, event)) END,
      counted.times, selected.since
    FROM unnest(counts) AS counted JOIN selected USING (project_id, event) LEFT JOIN link_totals AS known USING (project_id, dynamic_link_id, event)
    WHERE selected.since IS NOT NULL
    ORDER BY 1, 2, 3
    -- Another process may have counted the link since this statement began.
    ON CONFLICT (project_id, dynamic_link_id, event) DO UPDATE SET added = excluded.added, since = excluded.since,
      times = CASE WHEN total.since = excluded.since THEN total.times + excluded.added ELSE greatest(total.times + excluded.added, excluded.times) END
    RETURNING *
  )
  INSERT INTO journal_inbox (account_id, project_id, type, resource_id, actor, after)
  SELECT projects.account_id, projects.id, 'link.' || event || 's_reached', link.id, '{"kind": "service"}', jsonb_build_object('count', milestone)
  FROM stored
  JOIN unnest('{1,100,1000,10000,100000,1000000,10000000,100000000,1000000000}'::bigint[]) AS milestone
    ON milestone > stored.times - stored.added AND milestone <= stored.times
  JOIN projects ON projects.id = stored.project_id
  JOIN dynamic_links AS link ON link.id = stored.dynamic_link_id AND link.project_id = stored.project_id AND link.deleted_at IS NULL
  ORDER BY milestone;
END $function$
;

CREATE OR REPLACE FUNCTION public.count_links(owner uuid, dynamic bigint, archived bigint, short bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO project_counts AS stored (project_id, shard, dynamic_links, archived_links, short_links)
  SELECT id, count_shard(), dynamic, archived, short FROM projects WHERE id = owner
  ON CONFLICT (project_id, shard) DO UPDATE SET dynamic_links = stored.dynamic_links + excluded.dynamic_links,
    archived_links = stored.archived_links + excluded.archived_links, short_links = stored.short_links + excluded.short_links
$function$
;

CREATE OR REPLACE FUNCTION public.count_shard()
 RETURNS smallint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(nullif(current_setting('signpost.count_shard', true), '')::smallint, (pg_backend_pid() % 16)::smallint)
$function$
;

CREATE OR REPLACE FUNCTION public.count_tags(ids uuid[], links bigint[], archived bigint[])
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO tag_counts AS stored (tag_id, shard, links, archived_links)
  SELECT tag.id, count_shard(), sum(change.links), sum(change.archived)
  FROM unnest(ids, links, archived) AS change (id, links, archived) JOIN tags AS tag ON tag.id = change.id
  GROUP BY tag.id HAVING sum(change.links) <> 0 OR sum(change.archived) <> 0 ORDER BY tag.id
  ON CONFLICT (tag_id, shard) DO UPDATE SET links = stored.links + excluded.links,
    archived_links = stored.archived_links + excluded.archived_links
$function$
;

CREATE OR REPLACE FUNCTION public.counts_at(places integer[], clicks bigint[])
 RETURNS integer[]
 LANGUAGE plpgsql
 IMMUTABLE STRICT
AS $function$
DECLARE
  counts integer[];
BEGIN
  FOR number IN 1..cardinality(places) LOOP
    counts[places[number]] := coalesce(counts[places[number]], 0) + clicks[number];
  END LOOP;
  RETURN counts;
END $function$
;

CREATE OR REPLACE FUNCTION public.create_import_data(import uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  suffix text := replace(import::text, '-', '');
  kind text;
  service text;
BEGIN
  FOREACH kind IN ARRAY ARRAY['files', 'rows'] LOOP
    EXECUTE format('CREATE TABLE import_data.%I (LIKE import_%s INCLUDING ALL)', kind || '_' || suffix, kind);
    -- Roles that may write imports may write their data.
    FOR service IN
      SELECT DISTINCT grantee FROM information_schema.role_table_grants
      WHERE table_schema = 'public' AND table_name = 'imports' AND privilege_type = 'INSERT' AND grantee NOT IN (current_user, 'PUBLIC')
    LOOP
      EXECUTE format('GRANT SELECT, INSERT, UPDATE ON import_data.%I TO %I', kind || '_' || suffix, service);
    END LOOP;
  END LOOP;
END $function$
;

CREATE OR REPLACE FUNCTION public.create_region_triggers()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  place record;
BEGIN
  FOR place IN
    SELECT * FROM (VALUES
      ('projects', 'UPDATE OR DELETE', 'announce_replicated_project'),
      ('subdomains', 'DELETE', 'announce_replicated_subdomain'),
      ('custom_domains', 'INSERT OR UPDATE OR DELETE', 'announce_replicated_domain'),
      ('ios_apps', 'INSERT OR UPDATE OR DELETE', 'announce_replicated_app'),
      ('android_apps', 'INSERT OR UPDATE OR DELETE', 'announce_replicated_app'),
      ('link_templates', 'UPDATE', 'announce_replicated_template'),
      ('dynamic_links', 'UPDATE OR DELETE', 'announce_replicated_link'),
      ('link_paths', 'UPDATE OR DELETE', 'announce_replicated_path')
    ) AS announced (name, events, function)
  LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER announced_in_region AFTER %s ON %I FOR EACH ROW EXECUTE FUNCTION %I()',
                   place.events, place.name, place.function);
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER announced_in_region', place.name);
    EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER %I', place.name, place.name || '_truncated_announced');
  END LOOP;
  FOR place IN SELECT unnest(replicated_tables()) AS name LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER inserted_by_primary_only BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION skip_replicated_row()',
                   place.name);
  END LOOP;
END $function$
;

CREATE OR REPLACE FUNCTION public.delete_dynamic_link(project uuid, link uuid, batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.delete_dynamic_links(project uuid, ids uuid[], batch integer)
 RETURNS TABLE(deleted_id uuid, complete boolean)
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.digest_of_entry(former bytea, entry journal)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  SELECT sha256(former || convert_to(jsonb_build_array(
    entry.account_id, entry.sequence, entry.project_id, extract(epoch FROM entry.at), entry.type, entry.resource_id, entry.resource_ids,
    entry.actor - 'address', entry.before, entry.after, entry.rows
  )::text, 'UTF8'))
$function$
;

CREATE OR REPLACE FUNCTION public.drop_click_partitions(months integer)
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  first_kept text := to_char(date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => months), 'YYYY_MM');
  partition text;
  dropped text[] := '{}';
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 3) THEN RETURN dropped; END IF;
  FOR partition IN
    SELECT inhrelid::regclass::text FROM pg_inherits
    WHERE inhparent IN ('clicks'::regclass, 'clicks_by_day'::regclass, 'clicks_by_link'::regclass, 'clicks_by_quarter'::regclass)
      AND right(inhrelid::regclass::text, 7) < first_kept
  LOOP
    EXECUTE format('DROP TABLE %s', partition);
    dropped := dropped || partition;
  END LOOP;
  RETURN dropped;
END $function$
;

CREATE OR REPLACE FUNCTION public.drop_import_data(import uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  suffix text := replace(import::text, '-', '');
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS import_data.%I, import_data.%I', 'files_' || suffix, 'rows_' || suffix);
  UPDATE imports SET has_data = false, stored_bytes = 0 WHERE id = import;
END $function$
;

CREATE OR REPLACE FUNCTION public.drop_journal_partitions(months integer)
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.dynamic_links_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM count_links(project_id, -count(*), -count(*) FILTER (WHERE archived), 0) FROM deleted WHERE deleted_at IS NULL
  GROUP BY project_id ORDER BY project_id;
  IF EXISTS (SELECT FROM deleted WHERE deleted_at IS NULL AND tag_ids <> '{}') THEN
    PERFORM count_tags(array_agg(tag_id), array_agg(-1::bigint), array_agg(-archived::int::bigint))
    FROM deleted CROSS JOIN LATERAL unnest(tag_ids) AS tag_id WHERE deleted_at IS NULL;
  END IF;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.dynamic_links_inserted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.dynamic_links_limited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.used_up := EXISTS (SELECT FROM link_uses WHERE dynamic_link_id = NEW.id AND clicks >= NEW.click_limit);
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.dynamic_links_marked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM link_paths WHERE project_id = NEW.project_id AND path = NEW.custom_path;
  -- The trigger of updates counts archived links and tags.
  PERFORM count_links(NEW.project_id, -1, 0, -count(*)) FROM short_links WHERE project_id = NEW.project_id AND dynamic_link_id = NEW.id;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.dynamic_links_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- Both rows in one order: two links that would swap their paths must not wait for each other.
  PERFORM FROM link_paths
  WHERE project_id = OLD.project_id AND path IN (OLD.custom_path, NEW.custom_path) ORDER BY path FOR UPDATE;
  UPDATE link_paths SET path = NEW.custom_path WHERE project_id = OLD.project_id AND path = OLD.custom_path;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.dynamic_links_updated()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.end_used_link(link uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  UPDATE dynamic_links SET used_up = true
  WHERE id = link AND NOT used_up AND click_limit <= (SELECT clicks FROM link_uses WHERE dynamic_link_id = link)
$function$
;

CREATE OR REPLACE FUNCTION public.erase_account(erased uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM idempotent_answers WHERE account_id = erased;
  DELETE FROM accounts WHERE id = erased;
  PERFORM pg_advisory_xact_lock(1668049251, 4);
  DELETE FROM journal WHERE account_id = erased;
  DELETE FROM journal_inbox WHERE account_id = erased;
  DELETE FROM journal_heads WHERE account_id = erased;
END $function$
;

CREATE OR REPLACE FUNCTION public.erase_user(account uuid, person uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.fold_text(input text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN NORMALIZE(replace(lower(upper(NORMALIZE((input COLLATE "default"), NFKC))), 'ß'::text, 'ss'::text), NFKC)
;

CREATE OR REPLACE FUNCTION public.insert_picture(picture uuid, project uuid, content_digest text, content_bytes bigint, jpeg bytea, quota bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.is_event_selected(event_types text[], type text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT event_types IS NULL OR type = ANY (event_types) OR split_part(type, '.', 1) || '.*' = ANY (event_types)
$function$
;

CREATE OR REPLACE FUNCTION public.journal_event(account uuid, project uuid, type text, resource uuid, details jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  INSERT INTO journal_inbox (account_id, project_id, type, resource_id, actor, after) VALUES (
    account, project, type, resource, coalesce(nullif(current_setting('signpost.actor', true), ''), '{"kind": "database"}')::jsonb, details
  )
$function$
;

CREATE OR REPLACE FUNCTION public.journal_event_once(account uuid, project uuid, type text, resource uuid, details jsonb, event_subject uuid, event_what text, hours integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.journal_mark(changed jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT coalesce(changed->>'deleted_at', changed->>'retired_at', changed->>'revoked_at')
$function$
;

CREATE OR REPLACE FUNCTION public.journaled_values(r jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  -- In hexadecimal digits after \x. Half of the salt shows that the password changed, and nothing about it.
  RETURN CASE WHEN r->>'password_hash' IS NULL THEN r ELSE r || jsonb_build_object('password_hash', left(r->>'password_hash', 18)) END;
END $function$
;

CREATE OR REPLACE FUNCTION public.kept_link_events(project uuid, link uuid, kind text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT coalesce(CASE kind
    WHEN 'click' THEN (
      SELECT sum(of_month.total_clicks)
      FROM (SELECT to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM') AS month FROM pg_inherits WHERE inhparent = 'clicks_by_day'::regclass) AS kept
      -- OFFSET 0: month by month, by the index.
      CROSS JOIN LATERAL (
        SELECT total_clicks FROM clicks_by_day AS sums
        WHERE sums.project_id = project AND sums.scope_id = project AND sums.dimension = 'link' AND sums.month = kept.month AND sums.value = link::text
        OFFSET 0
      ) AS of_month
    )
    ELSE (SELECT sum(times) FROM app_event_sums AS sums WHERE sums.dynamic_link_id = link AND sums.project_id = project AND sums.event = kind)
  END, 0)
$function$
;

CREATE OR REPLACE FUNCTION public.kind_of_visitor(visitor text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT concat(split_part(visitor, '|', 1), '|', split_part(visitor, '|', 2), '|', split_part(visitor, '|', 4))
$function$
;

CREATE OR REPLACE FUNCTION public.leave_hosts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE subdomains SET project_id = NULL, left_at = now() WHERE project_id = OLD.id;
  WITH gone AS (DELETE FROM custom_domains WHERE project_id = OLD.id RETURNING hostname, challenge, verified_at)
  INSERT INTO held_domains (hostname, challenge, account_id, left_at)
  SELECT gone.hostname, gone.challenge, a.id, now() FROM gone JOIN accounts a ON a.id = OLD.account_id WHERE gone.verified_at IS NOT NULL
  ON CONFLICT DO NOTHING;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $function$
;

CREATE OR REPLACE FUNCTION public.make_click_delivery(most_clicks integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  taken bigint[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 2) THEN RETURN 0; END IF;
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  SELECT array_agg(id ORDER BY id) INTO taken FROM (
    SELECT id, sum(clicks) OVER (ORDER BY id) - clicks AS clicks_before FROM fresh_click_batches ORDER BY id LIMIT 1000
  ) AS batch WHERE clicks_before < most_clicks;
  INSERT INTO click_deliveries
    (clicks, project_ids, first_moments, dynamic_link_ids, short_link_ids, sources,
     platforms, browsers, referrers, countries, bots, qrs, opened, opened_by, times, moments)
  SELECT sum(cardinality(moments)), array_agg(project_id),
         array_agg((extract(epoch FROM date_bin('15 minutes', clicked_at, 'epoch')) * 1000)::bigint),
         array_agg(dynamic_link_ids::text), array_agg(short_link_ids::text), array_agg(sources::text),
         array_agg(platforms::text), array_agg(browsers::text), array_agg(referrers::text), array_agg(countries::text),
         array_agg(bots::text), array_agg(qrs::text), array_agg(opened::text), array_agg(opened_by::text), array_agg(times::text),
         array_agg(array_fill(0, ARRAY[cardinality(moments)])::text)
  FROM fresh_click_batches AS batch CROSS JOIN LATERAL (
    -- OFFSET 0 makes the planner read batch by batch from the index.
    SELECT * FROM clicks WHERE batch_id = batch.id AND clicked_at BETWEEN batch.first_at AND batch.last_at OFFSET 0
  ) AS row
  WHERE batch.id = ANY (taken)
  HAVING count(*) > 0;
  DELETE FROM fresh_click_batches WHERE id = ANY (taken);
  RETURN coalesce(cardinality(taken), 0);
END $function$
;

CREATE OR REPLACE FUNCTION public.make_click_partitions(days date[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  parent text;
  partition text;
  month date;
BEGIN
  PERFORM pg_advisory_xact_lock(1668049251, 3);
  FOR parent, month IN
    SELECT DISTINCT name, date_trunc('month', day)::date
    FROM unnest(ARRAY['clicks', 'clicks_by_day', 'clicks_by_link', 'clicks_by_quarter']) AS name, unnest(days) AS day ORDER BY 2, 1
  LOOP
    partition := parent || to_char(month, '_YYYY_MM');
    CONTINUE WHEN to_regclass(quote_ident(partition)) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)%s', partition, parent,
                   CASE WHEN parent IN ('clicks_by_day', 'clicks_by_quarter') THEN ' WITH (fillfactor = 50)' END);
    EXECUTE format(CASE parent
      WHEN 'clicks' THEN 'ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (''%s 00:00:00+00'') TO (''%s 00:00:00+00'')'
      ELSE 'ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (''%s'') TO (''%s'')'
    END, parent, partition, month, (month + interval '1 month')::date);
  END LOOP;
END $function$
;

CREATE OR REPLACE FUNCTION public.merge_clicks_by_link(most_elements integer, min_rows integer, min_clicks integer, first_batch bigint)
 RETURNS integer
 LANGUAGE plpgsql
 SET work_mem TO '64MB'
 SET jit TO 'off'
 SET enable_nestloop TO 'off'
AS $function$
DECLARE
  merged integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 2) THEN RETURN 0; END IF;
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  WITH due AS MATERIALIZED (
    SELECT * FROM (
      SELECT *, sum(elements) OVER (ORDER BY project_id, month, bucket) - elements AS elements_before
      FROM (
        SELECT project_id, month, bucket, sum(elements) AS elements FROM clicks_by_link
        WHERE batch_id >= first_batch GROUP BY 1, 2, 3
        -- Elements are merged again only with half as many others, so that small rows do not make a large one change often.
        HAVING min_rows = 1 OR count(*) >= 4 * min_rows OR count(*) >= min_rows AND 2 * sum(elements) >= 3 * max(elements)
      ) AS bucket
    ) AS bucket WHERE elements_before < most_elements
  ), taken AS (
    DELETE FROM clicks_by_link AS stored USING due
    WHERE (stored.project_id, stored.month, stored.bucket) = (due.project_id, due.month, due.bucket) AND batch_id >= first_batch
    RETURNING stored.*, due.elements AS elements_of_bucket
  ), element AS MATERIALIZED (
    SELECT project_id, month, bucket, dynamic_link_id, short_link_id, source, visitor, quarter, sum(element.times)::integer AS times,
           max(batch_id) AS batch_id, max(elements_of_bucket) AS elements_of_bucket
    FROM taken CROSS JOIN LATERAL (
      SELECT unnest(dynamic_link_ids) AS dynamic_link_id, unnest(short_link_ids) AS short_link_id, unnest(sources) AS source,
             unnest(visitors) AS visitor, unnest(quarters) AS quarter, unnest(taken.times) AS times
    ) AS element
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  ), busy AS MATERIALIZED (
    SELECT project_id, month, dynamic_link_id FROM element GROUP BY 1, 2, 3 HAVING sum(times) >= min_clicks
  ), waiting AS (
    INSERT INTO clicks_by_link
      (project_id, month, bucket, batch_id, elements, dynamic_link_ids, short_link_ids, sources, visitors, quarters, times)
    SELECT project_id, month,
           click_bucket(dynamic_link_id, elements_of_bucket::bigint * CASE WHEN bucket < 32 THEN 1 WHEN bucket < 1024 THEN 32 ELSE 1024 END),
           max(batch_id), count(*), array_agg(dynamic_link_id),
           CASE WHEN count(short_link_id) > 0 THEN array_agg(short_link_id) END, CASE WHEN count(source) > 0 THEN array_agg(source) END,
           array_agg(visitor), array_agg(quarter), array_agg(times::integer)
    FROM element LEFT JOIN busy USING (project_id, month, dynamic_link_id)
    WHERE busy.project_id IS NULL GROUP BY 1, 2, 3
  ), counted AS MATERIALIZED (
    SELECT project_id, month, dynamic_link_id, short_link_id, source, visitor, quarter, sum(times)::integer AS times
    FROM element JOIN busy USING (project_id, month, dynamic_link_id) GROUP BY 1, 2, 3, 4, 5, 6, 7
  ), seen AS MATERIALIZED (
    SELECT visitor, split_part(visitor, '|', 1) AS platform, split_part(visitor, '|', 2) AS browser, split_part(visitor, '|', 3) AS referrer,
           split_part(visitor, '|', 4) AS country, kind_of_visitor(visitor) AS kind, split_part(visitor, '|', 5) = '1' AS bot,
           split_part(visitor, '|', 6) = '1' AS qr
    FROM (SELECT DISTINCT visitor FROM counted) AS visitor
  ), sums AS (
    SELECT project_id, dynamic_link_id AS scope_id, dimension, month + quarter / 96 AS day, 1 + quarter % 96 AS quarter,
           value, bot, qr, sum(times)::bigint AS clicks
    FROM counted JOIN seen USING (visitor)
      CROSS JOIN LATERAL (VALUES
        ('platform', platform), ('browser', browser), ('referrer', referrer), ('country', country),
        ('short_link', short_link_id::text), ('source', source), ('visitor', kind)
      ) AS counted_as (dimension, value)
    WHERE value <> ''
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  )
  SELECT (SELECT sum(elements) FROM due),
         (SELECT add_click_sums(array_agg((project_id, scope_id, dimension, day, quarter, value, bot, qr, clicks)::click_sum)) FROM sums)
  INTO merged;
  RETURN coalesce(merged, 0);
END $function$
;

CREATE OR REPLACE FUNCTION public.note_selection()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- Waits for opens and claims that are being counted without this selection.
  PERFORM pg_advisory_xact_lock(1668049251, 7);
  NEW.selecting_since := clock_timestamp();
  RETURN NEW;
END $function$
;

CREATE OR REPLACE FUNCTION public.owned_changes(kind text, changes journal_change[])
 RETURNS SETOF journal_change
 LANGUAGE sql
 STABLE
AS $function$
  SELECT change.resource_id, CASE kind WHEN 'project' THEN change.resource_id WHEN 'webhook' THEN NULL ELSE change.project_id END,
    coalesce(change.account_id, owner.account_id, CASE kind WHEN 'account' THEN change.resource_id END),
    change.action, change.before, change.after
  -- A webhook belongs to its account. The project in it is a filter.
  FROM unnest(changes) AS change LEFT JOIN projects AS owner ON owner.id = change.project_id AND kind <> 'webhook'
  WHERE owner.deleted_at IS NULL
    AND (change.account_id IS NOT NULL OR owner.account_id IS NOT NULL OR kind = 'account')
$function$
;

CREATE OR REPLACE FUNCTION public.params_with_template(project uuid, template text, own jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  SELECT jsonb_agg(pair ORDER BY is_own, place) FROM (
    SELECT false AS is_own, place, pair
    FROM link_templates AS shared CROSS JOIN LATERAL jsonb_array_elements(shared.referrer_params) WITH ORDINALITY AS listed (pair, place)
    WHERE shared.project_id = project AND shared.name = template
      AND NOT EXISTS (SELECT FROM jsonb_array_elements(own) AS replacing WHERE replacing -> 0 = pair -> 0)
    UNION ALL
    SELECT true, place, pair FROM jsonb_array_elements(own) WITH ORDINALITY AS listed (pair, place)
  ) AS merged
$function$
;

CREATE OR REPLACE FUNCTION public.picture_digest(url text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT substring(url FROM '/_pictures/([A-Za-z0-9_-]{43})\.jpg$')
$function$
;

CREATE OR REPLACE FUNCTION public.purge_app_events(retention_months integer, batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  removed bigint;
BEGIN
  PERFORM renew_visitor_keys();
  DELETE FROM app_event_ids WHERE digest IN (
    SELECT digest FROM app_event_ids WHERE seen_at < now() - interval '7 days' ORDER BY seen_at LIMIT batch FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS removed = ROW_COUNT;
  DELETE FROM app_event_sums WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM app_event_sums
    WHERE quarter < date_trunc('month', now(), 'UTC') - make_interval(months => retention_months) LIMIT batch FOR UPDATE SKIP LOCKED
  ));
  RETURN FOUND OR removed > 0;
END $function$
;

CREATE OR REPLACE FUNCTION public.purge_clicks(batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  doomed uuid;
  sums text;
  month_begun date;
  month_over date;
  begun_at timestamptz;
  over_at timestamptz;
BEGIN
  SELECT project_id INTO doomed FROM click_purges ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  -- Rows that are being added to are left for the next time. A process that waits for nobody is part of no deadlock.
  -- By month, because the place of a row does not identify its partition.
  FOREACH sums IN ARRAY ARRAY['clicks_by_day', 'clicks_by_link'] LOOP
    EXECUTE format('SELECT month FROM %I WHERE project_id = $1 LIMIT 1', sums) INTO month_begun USING doomed;
    CONTINUE WHEN month_begun IS NULL;
    EXECUTE format('DELETE FROM %1$I WHERE month = $2 AND ctid = ANY (ARRAY(
      SELECT ctid FROM %1$I WHERE project_id = $1 AND month = $2 LIMIT $3 FOR UPDATE SKIP LOCKED
    ))', sums) USING doomed, month_begun, batch;
    RETURN true;
  END LOOP;
  SELECT date_trunc('month', day) INTO month_begun FROM clicks_by_quarter WHERE project_id = doomed LIMIT 1;
  IF FOUND THEN
    month_over := month_begun + interval '1 month';
    DELETE FROM clicks_by_quarter
    WHERE day >= month_begun AND day < month_over AND ctid = ANY (ARRAY(
      SELECT ctid FROM clicks_by_quarter
      WHERE project_id = doomed AND day >= month_begun AND day < month_over LIMIT batch FOR UPDATE SKIP LOCKED
    ));
    RETURN true;
  END IF;
  SELECT date_trunc('month', clicked_at AT TIME ZONE 'UTC') INTO month_begun FROM clicks WHERE project_id = doomed LIMIT 1;
  IF FOUND THEN
    begun_at := month_begun::timestamp AT TIME ZONE 'UTC';
    over_at := (month_begun + interval '1 month') AT TIME ZONE 'UTC';
    DELETE FROM clicks
    WHERE clicked_at >= begun_at AND clicked_at < over_at AND ctid = ANY (ARRAY(
      SELECT ctid FROM clicks WHERE project_id = doomed AND clicked_at >= begun_at AND clicked_at < over_at LIMIT batch
    ));
    RETURN true;
  END IF;
  DELETE FROM app_event_sums WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM app_event_sums WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED
  ));
  IF FOUND THEN RETURN true; END IF;
  DELETE FROM link_totals WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM link_totals WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED
  ));
  IF FOUND THEN RETURN true; END IF;
  PERFORM pg_advisory_xact_lock(1668049251, 1);
  IF NOT EXISTS (SELECT FROM link_totals WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM app_event_sums WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM clicks_by_day WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM clicks_by_link WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM clicks_by_quarter WHERE project_id = doomed)
     AND NOT EXISTS (SELECT FROM clicks WHERE project_id = doomed) THEN
    DELETE FROM click_purges WHERE project_id = doomed;
  END IF;
  RETURN true;
END $function$
;

CREATE OR REPLACE FUNCTION public.purge_clicks_of_project()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO click_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  INSERT INTO clickhouse_purges (project_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.purge_conversions(retention_months integer, batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  removed bigint;
BEGIN
  DELETE FROM click_ids WHERE digest IN (
    SELECT digest FROM click_ids WHERE expires_on < (now() AT TIME ZONE 'UTC')::date - 7 ORDER BY expires_on LIMIT batch FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS removed = ROW_COUNT;
  -- No click id lives for 100 days, so a key that is forgotten cannot count again.
  DELETE FROM conversions WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM conversions
    WHERE received_at < least(date_trunc('month', now(), 'UTC') - make_interval(months => retention_months), now() - interval '100 days')
    ORDER BY received_at LIMIT batch FOR UPDATE SKIP LOCKED
  ));
  RETURN FOUND OR removed > 0;
END $function$
;

CREATE OR REPLACE FUNCTION public.purge_deleted_links(batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.purge_deleted_project(doomed uuid, batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM projects WHERE id = doomed AND deleted_at IS NOT NULL) THEN RETURN true; END IF;
  DELETE FROM short_links WHERE id IN (SELECT id FROM short_links WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED);
  IF FOUND THEN RETURN false; END IF;
  DELETE FROM dynamic_links WHERE id IN (SELECT id FROM dynamic_links WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED);
  IF FOUND THEN RETURN false; END IF;
  DELETE FROM deferred_links WHERE token_digest IN (
    SELECT token_digest FROM deferred_links WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED
  );
  IF FOUND THEN RETURN false; END IF;
  DELETE FROM click_ids WHERE digest IN (SELECT digest FROM click_ids WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED);
  IF FOUND THEN RETURN false; END IF;
  DELETE FROM conversions WHERE project_id = doomed AND key IN (
    SELECT key FROM conversions WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED
  );
  IF FOUND THEN RETURN false; END IF;
  DELETE FROM pictures WHERE id IN (SELECT id FROM pictures WHERE project_id = doomed LIMIT batch FOR UPDATE SKIP LOCKED);
  IF FOUND THEN RETURN false; END IF;
  -- No import begins from here on, because its foreign key waits for this lock.
  PERFORM FROM projects WHERE id = doomed FOR UPDATE;
  PERFORM drop_import_data(id) FROM (SELECT id FROM imports WHERE project_id = doomed AND has_data LIMIT 1 FOR UPDATE) AS matching;
  IF FOUND THEN RETURN false; END IF;
  DELETE FROM projects WHERE id = doomed;
  RETURN true;
END $function$
;

CREATE OR REPLACE FUNCTION public.purge_imports(batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  doomed uuid;
BEGIN
  SELECT id INTO doomed FROM imports
  WHERE has_data AND (deleted_at IS NOT NULL OR state IN ('cancelled', 'failed')) LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF FOUND THEN
    PERFORM drop_import_data(doomed);
    RETURN false;
  END IF;
  DELETE FROM imports WHERE id IN (SELECT id FROM imports WHERE deleted_at IS NOT NULL AND NOT has_data LIMIT batch FOR UPDATE SKIP LOCKED);
  RETURN NOT FOUND;
END $function$
;

CREATE OR REPLACE FUNCTION public.purge_region(batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM deferred_links WHERE token_digest IN (
    SELECT token_digest FROM click_purges JOIN deferred_links USING (project_id) LIMIT batch FOR UPDATE OF deferred_links SKIP LOCKED
  );
  RETURN FOUND OR purge_clicks(batch);
END $function$
;

CREATE OR REPLACE FUNCTION public.purge_retired_tags(batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  retired record;
BEGIN
  SELECT id, merged_into INTO retired FROM tags WHERE retired_at IS NOT NULL ORDER BY retired_at LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN true; END IF;
  IF replace_tag(retired.id, retired.merged_into, batch) > 0 THEN RETURN false; END IF;
  DELETE FROM tags WHERE id = retired.id
    AND NOT EXISTS (SELECT FROM dynamic_links WHERE tag_ids <> '{}' AND tag_ids && ARRAY[retired.id]);
  -- Links that others change are left to the next sweep.
  RETURN NOT FOUND;
END $function$
;

CREATE OR REPLACE FUNCTION public.receive_deferred_links(region_code integer, digests bytea[], project_ids uuid[], dynamic_link_ids uuid[], clicked_ats timestamp with time zone[], expires_ats timestamp with time zone[], browsers text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  WITH input AS MATERIALIZED (
    SELECT * FROM unnest(digests, project_ids, dynamic_link_ids, clicked_ats, expires_ats, browsers)
      AS input (token_digest, project_id, dynamic_link_id, clicked_at, expires_at, browser)
  ), moved AS (
    INSERT INTO deferred_link_requests AS stored (token_digest, region, answered_at, expires_at)
    SELECT token_digest, region_code, now(), expires_at FROM input ORDER BY token_digest
    ON CONFLICT (token_digest) DO UPDATE SET answered_at = now(), expires_at = excluded.expires_at WHERE stored.expires_at IS NULL
    RETURNING stored.token_digest
  )
  INSERT INTO deferred_links (token_digest, project_id, dynamic_link_id, clicked_at, expires_at, browser)
  SELECT input.token_digest, input.project_id, input.dynamic_link_id, input.clicked_at, input.expires_at, input.browser
  FROM input JOIN moved USING (token_digest) JOIN projects ON projects.id = input.project_id AND projects.deleted_at IS NULL
  ON CONFLICT DO NOTHING;
END $function$
;

CREATE OR REPLACE FUNCTION public.record_app_events(digests bytea[], events text[], project_ids uuid[], dynamic_link_ids uuid[], moments timestamp with time zone[], platforms text[], versions text[], countries text[], variants text[], browsers text[], counts integer[], are_new boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  new_counts link_count[];
BEGIN
  IF EXISTS (SELECT FROM this_region) THEN
    INSERT INTO app_event_deliveries
    SELECT *
    FROM unnest(digests, events, project_ids, dynamic_link_ids, moments, platforms, versions, countries, variants, browsers, counts)
    ON CONFLICT DO NOTHING;
    RETURN;
  END IF;
  -- Excludes the end of the purge of a deleted project, like batches of clicks.
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  -- Makes the creation of an endpoint wait, so that its totals include all events before it.
  PERFORM pg_advisory_xact_lock_shared(1668049251, 7);
  -- Rows are locked in order, so that batches of several processes cause no deadlock.
  WITH input AS MATERIALIZED (
    SELECT DISTINCT ON (digest) *
    FROM unnest(digests, events, project_ids, dynamic_link_ids, moments, platforms, versions, countries, variants, browsers, counts)
      AS input (digest, event, project_id, dynamic_link_id, happened_at, platform, version, country, variant, browser, times)
    ORDER BY digest
  ), added AS (
    INSERT INTO app_event_ids (digest) SELECT digest FROM input WHERE NOT are_new ORDER BY digest ON CONFLICT DO NOTHING RETURNING digest
  ), counted AS MATERIALIZED (
    SELECT project_id, date_bin('15 minutes', happened_at, 'epoch') AS quarter, dynamic_link_id, event, platform, version, country, variant,
           browser, sum(times) AS times
    FROM input LEFT JOIN added USING (digest) JOIN projects ON projects.id = project_id AND projects.deleted_at IS NULL
    WHERE are_new OR added.digest IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
  ), stored AS (
    INSERT INTO app_event_sums AS sums (project_id, quarter, dynamic_link_id, event, platform, version, country, variant, browser, times)
    SELECT * FROM counted ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    ON CONFLICT (project_id, quarter, dynamic_link_id, event, platform, version, country, variant, browser)
      DO UPDATE SET times = sums.times + excluded.times
  )
  SELECT array_agg((project_id, dynamic_link_id, event, times)::link_count) INTO new_counts FROM (
    SELECT project_id, dynamic_link_id, event, sum(times) AS times FROM counted WHERE event IN ('open', 'claim') GROUP BY 1, 2, 3
  ) AS link;
  -- Most accounts have no endpoint, and pay for this look alone.
  IF new_counts IS NOT NULL AND EXISTS (
    SELECT FROM projects JOIN webhook_endpoints USING (account_id) WHERE projects.id = ANY (project_ids)
  ) THEN
    PERFORM count_link_events(new_counts);
  END IF;
END $function$
;

CREATE OR REPLACE FUNCTION public.record_click_ids(digests bytea[], project_ids uuid[], dynamic_link_ids uuid[], short_link_ids uuid[], platforms text[], variants text[], days date[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM this_region) THEN
    INSERT INTO click_id_deliveries
    SELECT * FROM unnest(digests, project_ids, dynamic_link_ids, short_link_ids, platforms, variants, days)
    ON CONFLICT DO NOTHING;
    RETURN;
  END IF;
  INSERT INTO click_ids (digest, project_id, dynamic_link_id, short_link_id, platform, variant, issued_on, expires_on)
  SELECT input.*, issued_on + conversion_window_days
  FROM unnest(digests, project_ids, dynamic_link_ids, short_link_ids, platforms, variants, days)
      AS input (digest, project_id, dynamic_link_id, short_link_id, platform, variant, issued_on)
    JOIN projects ON projects.id = project_id AND projects.deleted_at IS NULL
  ORDER BY digest
  ON CONFLICT DO NOTHING;
END $function$
;

CREATE OR REPLACE FUNCTION public.record_clicks(writer uuid, batch_number bigint, clicks integer, project_ids uuid[], first_moments bigint[], dynamic_link_ids text[], short_link_ids text[], sources text[], platforms text[], browsers text[], referrers text[], countries text[], bots text[], qrs text[], opened text[], opened_by text[], times text[], moments text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  batch bigint;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  INSERT INTO click_writers AS stored (id, batch) VALUES (writer, batch_number)
  ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = now() WHERE stored.batch < excluded.batch;
  IF NOT FOUND THEN RETURN; END IF;
  INSERT INTO fresh_click_batches (clicks, first_at, last_at)
  SELECT record_clicks.clicks, to_timestamp(min(moment)::double precision / 1000), to_timestamp(max(moment)::double precision / 1000)
  FROM unnest(first_moments) AS moment
  RETURNING id INTO batch;
  INSERT INTO clicks
    (clicked_at, batch_id, project_id, dynamic_link_ids, short_link_ids, sources,
     platforms, browsers, referrers, countries, bots, qrs, opened, opened_by, times, moments)
  SELECT to_timestamp(input.first_moment::double precision / 1000), batch, input.project_id,
         input.dynamic_link_ids::uuid[], input.short_link_ids::uuid[], input.sources::text[],
         input.platforms::text[], input.browsers::text[], input.referrers::text[], input.countries::text[],
         input.bots::boolean[], input.qrs::boolean[],
         input.opened::smallint[], input.opened_by::smallint[], input.times::smallint[], input.moments::integer[]
  FROM unnest(project_ids, first_moments, dynamic_link_ids, short_link_ids, sources,
              platforms, browsers, referrers, countries, bots, qrs, opened, opened_by, times, moments)
    AS input (project_id, first_moment, dynamic_link_ids, short_link_ids, sources,
              platforms, browsers, referrers, countries, bots, qrs, opened, opened_by, times, moments)
  WHERE EXISTS (SELECT FROM projects WHERE projects.id = input.project_id AND projects.deleted_at IS NULL);
END $function$
;

CREATE OR REPLACE FUNCTION public.record_conversions(project uuid, from_trusted boolean, max_untrusted integer, digests bytea[], events text[], amounts numeric[], currencies text[], keys text[], sale_keys text[], moments timestamp with time zone[])
 RETURNS text[]
 LANGUAGE plpgsql
AS $function$
DECLARE
  outcomes text[] := array_fill(NULL::text, ARRAY[cardinality(keys)]);
  refunds boolean;
BEGIN
  IF NOT from_trusted THEN
    PERFORM FROM click_ids WHERE digest = ANY (digests) AND project_id = project ORDER BY digest FOR UPDATE;
    UPDATE click_ids SET untrusted = untrusted + sent.rows
    FROM (SELECT digest, count(*) AS rows FROM unnest(digests) AS digest GROUP BY digest) AS sent
    WHERE click_ids.digest = sent.digest AND project_id = project AND untrusted <= max_untrusted;
  END IF;
  FOREACH refunds IN ARRAY ARRAY[false, true] LOOP
    WITH judged AS MATERIALIZED (
      SELECT place, sent.key, coalesce(sale.event, sent.event) AS event, amount, sent.currency, coalesce(moment, now()) AS occurred_at,
             coalesce(sale.dynamic_link_id, click.dynamic_link_id) AS dynamic_link_id,
             coalesce(sale.short_link_id, click.short_link_id) AS short_link_id, coalesce(sale.platform, click.platform) AS platform,
             CASE WHEN refunds THEN sale.variant ELSE click.variant END AS variant,
             CASE WHEN stored.key IS NOT NULL THEN 'repeated'
                  WHEN moment > now() + interval '5 minutes' THEN 'invalid_time'
                  WHEN refunds AND sale.key IS NULL THEN 'unknown_sale'
                  WHEN refunds AND sale.currency <> sent.currency THEN 'other_currency'
                  WHEN refunds THEN NULL
                  WHEN click.digest IS NULL THEN 'unknown_click_id'
                  WHEN moment < issued_on::timestamp AT TIME ZONE 'UTC' THEN 'invalid_time'
                  WHEN (coalesce(moment, now()) AT TIME ZONE 'UTC')::date > expires_on THEN 'expired_click_id'
                  WHEN NOT from_trusted AND untrusted > max_untrusted THEN 'too_many' END AS fault
      FROM unnest(digests, events, amounts, currencies, keys, sale_keys, moments) WITH ORDINALITY
          AS sent (digest, event, amount, currency, key, sale_key, moment, place)
        LEFT JOIN conversions AS stored ON stored.project_id = project AND stored.key = sent.key
        LEFT JOIN conversions AS sale ON sale.project_id = project AND sale.key = sale_key AND sale.value >= 0
        LEFT JOIN click_ids AS click ON click.digest = sent.digest AND click.project_id = project AND NOT refunds
      WHERE (sale_key IS NOT NULL) = refunds
    ), first AS MATERIALIZED (
      SELECT DISTINCT ON (key) * FROM judged WHERE fault IS NULL ORDER BY key, place
    ), added AS (
      INSERT INTO conversions (project_id, key, event, value, currency, dynamic_link_id, short_link_id, platform, variant, trusted, occurred_at)
      SELECT project, key, event, amount, currency, dynamic_link_id, short_link_id, platform, variant, from_trusted, occurred_at
      FROM first ORDER BY key
      ON CONFLICT DO NOTHING RETURNING key
    ), counted AS (
      SELECT place FROM first JOIN added USING (key)
    )
    SELECT array_agg(CASE WHEN judged.place IS NULL THEN before.outcome WHEN counted.place IS NOT NULL THEN 'counted'
                     ELSE coalesce(fault, 'repeated') END ORDER BY before.place)
    INTO outcomes
    FROM unnest(outcomes) WITH ORDINALITY AS before (outcome, place) LEFT JOIN judged USING (place) LEFT JOIN counted USING (place);
  END LOOP;
  RETURN outcomes;
END $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- Addresses of people can be erased, because digests leave them out. The journal of an erased account has no reader.
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) = jsonb_set(to_jsonb(OLD), '{actor}', OLD.actor - 'address') THEN RETURN NEW; END IF;
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM accounts WHERE id = OLD.account_id) THEN RETURN OLD; END IF;
  RAISE insufficient_privilege USING MESSAGE = 'entries of the journal cannot be changed';
END $function$
;

CREATE OR REPLACE FUNCTION public.remove_picture_objects()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO picture_removals (id, due_at) SELECT id, now() FROM removed WHERE content IS NULL ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.renew_visitor_keys()
 RETURNS void
 LANGUAGE sql
AS $function$
  DELETE FROM visitor_keys WHERE day < (now() AT TIME ZONE 'UTC')::date;
  INSERT INTO visitor_keys (day) SELECT (now() AT TIME ZONE 'UTC')::date + ahead FROM generate_series(0, 1) AS ahead
  WHERE (SELECT count(*) FROM visitor_keys) < 2 ON CONFLICT DO NOTHING;
$function$
;

CREATE OR REPLACE FUNCTION public.replace_tag(tag uuid, target uuid, batch integer)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  WITH locked AS (
    SELECT id FROM dynamic_links WHERE tag_ids <> '{}' AND tag_ids && ARRAY[tag] LIMIT batch FOR NO KEY UPDATE SKIP LOCKED
  ), replaced AS (
    UPDATE dynamic_links AS link SET tag_ids = CASE
        WHEN target IS NULL OR tag_ids && ARRAY[target] THEN array_remove(tag_ids, tag)
        ELSE array_replace(tag_ids, tag, target)
      END
    FROM locked WHERE link.id = locked.id RETURNING 1
  )
  SELECT count(*) FROM replaced
$function$
;

CREATE OR REPLACE FUNCTION public.replicated_tables()
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT ARRAY['regions', 'projects', 'subdomains', 'custom_domains', 'ios_apps', 'android_apps', 'link_templates', 'dynamic_links',
               'short_links', 'link_paths', 'visitor_keys']
$function$
;

CREATE OR REPLACE FUNCTION public.request_deferred_link(digest bytea, region_code integer)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  request deferred_link_requests%ROWTYPE;
BEGIN
  IF NOT EXISTS (SELECT FROM regions WHERE code = region_code) THEN RETURN 'none'; END IF;
  SELECT * INTO request FROM deferred_link_requests WHERE token_digest = digest;
  IF request.expires_at IS NOT NULL THEN RETURN 'moved'; END IF;
  -- A token can be claimed before its region has written it, so a region that had none is asked again later.
  IF request.answered_at >= now() - interval '5 seconds' THEN RETURN 'none'; END IF;
  IF (request.token_digest IS NULL OR request.answered_at IS NOT NULL)
     AND NOT EXISTS (SELECT FROM deferred_link_requests AS asked WHERE asked.region = region_code AND asked.answered_at IS NULL OFFSET 299)
  THEN
    INSERT INTO deferred_link_requests AS stored (token_digest, region) VALUES (digest, region_code)
    ON CONFLICT (token_digest) DO UPDATE SET requested_at = now(), answered_at = NULL
      WHERE stored.expires_at IS NULL AND stored.answered_at < now() - interval '5 seconds';
  END IF;
  RETURN 'open';
END $function$
;

CREATE OR REPLACE FUNCTION public.reserve_dynamic_links(account uuid, quota bigint, links bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.reserve_import_bytes(import uuid, quota bigint, bytes bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  owner uuid;
  used bigint;
BEGIN
  IF quota IS NOT NULL THEN
    SELECT account_id INTO owner FROM imports JOIN projects ON projects.id = project_id WHERE imports.id = import;
    -- Reservations of one account wait for each other. A separate statement, so that the sum below sees what they stored.
    PERFORM FROM accounts WHERE id = owner FOR NO KEY UPDATE;
    SELECT coalesce(sum(stored_bytes), 0) INTO used
    FROM projects JOIN imports ON imports.project_id = projects.id WHERE projects.account_id = owner;
    IF used + bytes > quota THEN
      RAISE check_violation
      USING MESSAGE = 'the quota of bytes of imports is reached', CONSTRAINT = 'import_bytes_quota', DETAIL = used, TABLE = 'imports';
    END IF;
  END IF;
  UPDATE imports SET stored_bytes = stored_bytes + bytes WHERE id = import;
END $function$
;

CREATE OR REPLACE FUNCTION public.restore_row(kind text, project uuid, resource uuid, row_values jsonb, is_deleted boolean)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.retire_pictures(grace interval, batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.retire_tag(project uuid, tag uuid, target uuid, batch integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- Waits for links that are being written with the tag.
  UPDATE tags SET retired_at = now(), merged_into = target WHERE project_id = project AND id = tag AND retired_at IS NULL;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- Tags that were merged into this one follow it, so that each leads to a tag that is in use.
  UPDATE tags SET merged_into = target WHERE merged_into = tag;
  IF (
    SELECT count(*) FROM (SELECT FROM dynamic_links WHERE tag_ids <> '{}' AND tag_ids && ARRAY[tag] LIMIT batch + 1) AS first
  ) > batch THEN
    RETURN false;
  END IF;
  PERFORM replace_tag(tag, target, batch);
  DELETE FROM tags WHERE id = tag AND NOT EXISTS (SELECT FROM dynamic_links WHERE tag_ids <> '{}' AND tag_ids && ARRAY[tag]);
  RETURN FOUND;
END $function$
;

CREATE OR REPLACE FUNCTION public.roll_up_fresh_clicks(most_clicks integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET work_mem TO '64MB'
 SET jit TO 'off'
 SET enable_nestloop TO 'off'
AS $function$
DECLARE
  taken bigint[];
  counted integer;
  links integer;
  newest bigint;
  new_counts link_count[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(1668049251, 2) THEN RETURN 0; END IF;
  PERFORM pg_advisory_xact_lock_shared(1668049251, 1);
  SELECT array_agg(id), max(id), sum(clicks) INTO taken, newest, counted FROM (
    SELECT id, clicks, sum(clicks) OVER (ORDER BY id) - clicks AS clicks_before
    FROM (SELECT id, clicks FROM fresh_click_batches ORDER BY id LIMIT 5000) AS oldest
  ) AS oldest WHERE clicks_before < most_clicks;
  IF taken IS NULL THEN RETURN 0; END IF;
  WITH batch_row AS MATERIALIZED (
    -- OFFSET 0: batch by batch, by the index, whatever the planner knows of their number.
    SELECT row_number() OVER () AS number, row.*, date_trunc('month', clicked_at AT TIME ZONE 'UTC')::date AS month,
           floor(extract(epoch FROM clicked_at AT TIME ZONE 'UTC' - date_trunc('month', clicked_at AT TIME ZONE 'UTC')) / 900)::integer AS quarter
    FROM fresh_click_batches AS batch CROSS JOIN LATERAL (
      SELECT * FROM clicks WHERE batch_id = batch.id AND clicked_at BETWEEN batch.first_at AND batch.last_at OFFSET 0
    ) AS row
    WHERE batch.id = ANY (taken)
  ), visitor AS MATERIALIZED (
    SELECT number, place, concat_ws('|', platform, coalesce(browser, ''), coalesce(referrer, ''), coalesce(country, ''),
                                    coalesce(bot, false)::integer, coalesce(qr, false)::integer) AS visitor,
           coalesce(bot, false) AS bot, coalesce(qr, false) AS qr
    FROM batch_row CROSS JOIN LATERAL unnest(platforms, browsers, referrers, countries, bots, qrs) WITH ORDINALITY
      AS visitor (platform, browser, referrer, country, bot, qr, place)
  ), element AS MATERIALIZED (
    SELECT project_id, month, quarter, dynamic_link_id, short_link_id, source, visitor, bot, qr, times
    FROM (
      SELECT number, project_id, month,
             quarter,
             dynamic_link_id, short_link_id, source, who, click.times
      FROM batch_row CROSS JOIN LATERAL (
        SELECT dynamic_link_id, short_link_id, source, who, click.times
        FROM (SELECT unnest(opened) AS what, unnest(opened_by) AS who, unnest(batch_row.times) AS times) AS click
          FULL JOIN unnest(dynamic_link_ids, short_link_ids, sources) WITH ORDINALITY
            AS link (dynamic_link_id, short_link_id, source, place) ON link.place = what
        OFFSET 0
      ) AS click
    ) AS click
      FULL JOIN visitor ON visitor.number = click.number AND place = who
    WHERE times > 0
  ), sized AS (
    SELECT project_id, month, count(*) AS elements FROM element GROUP BY 1, 2
  ), waiting AS (
    INSERT INTO clicks_by_link
      (project_id, month, bucket, batch_id, elements, dynamic_link_ids, short_link_ids, sources, visitors, quarters, times)
    SELECT project_id, month, click_bucket(dynamic_link_id, sized.elements), newest, count(*), array_agg(dynamic_link_id),
           CASE WHEN count(short_link_id) > 0 THEN array_agg(short_link_id) END, CASE WHEN count(source) > 0 THEN array_agg(source) END,
           array_agg(visitor), array_agg(quarter::smallint), array_agg(times::integer)
    FROM element JOIN sized USING (project_id, month) GROUP BY 1, 2, 3
  ), by_visitor AS (
    SELECT project_id, month, quarter, visitor, bot, qr, sum(times)::integer AS times FROM element GROUP BY 1, 2, 3, 4, 5, 6
  ), by_link AS (
    SELECT project_id, month, quarter, dynamic_link_id, short_link_id, source, bot, qr, sum(times)::integer AS times
    FROM element GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  ), sums AS (
    SELECT project_id, dimension, month, quarter, value, bot, qr, sum(times) AS times
    FROM by_visitor CROSS JOIN LATERAL (VALUES
        ('platform', split_part(visitor, '|', 1)), ('browser', split_part(visitor, '|', 2)),
        ('referrer', split_part(visitor, '|', 3)), ('country', split_part(visitor, '|', 4)), ('visitor', kind_of_visitor(visitor))
      ) AS counted_as (dimension, value)
    GROUP BY 1, 2, 3, 4, 5, 6, 7
    UNION ALL
    SELECT project_id, 'link', month, quarter, dynamic_link_id::text, bot, qr, sum(times) FROM by_link GROUP BY 1, 2, 3, 4, 5, 6, 7
    UNION ALL
    SELECT project_id, 'short_link', month, quarter, coalesce(short_link_id::text, ''), bot, qr, sum(times)
    FROM by_link GROUP BY 1, 2, 3, 4, 5, 6, 7
    UNION ALL
    SELECT project_id, 'source', month, quarter, coalesce(source, ''), bot, qr, sum(times) FROM by_link GROUP BY 1, 2, 3, 4, 5, 6, 7
  )
  SELECT (SELECT count(*) FROM (SELECT DISTINCT dynamic_link_id FROM by_link) AS link),
         (SELECT array_agg((project_id, dynamic_link_id, 'click', times)::link_count) FROM (
            SELECT project_id, dynamic_link_id, sum(times) AS times FROM by_link
            WHERE NOT bot AND project_id = ANY (selecting_projects('link.clicks_reached')) GROUP BY 1, 2
          ) AS link),
         (SELECT add_click_sums(array_agg((
            project_id, project_id, dimension, month + quarter / 96, 1 + quarter % 96, value, bot, qr, times
          )::click_sum)) FROM sums)
  INTO links, new_counts;
  DELETE FROM fresh_click_batches WHERE id = ANY (taken);
  IF links <= 1000 THEN
    PERFORM merge_clicks_by_link(2 * most_clicks, 1, 1, newest);
  END IF;
  IF new_counts IS NOT NULL THEN PERFORM count_link_events(new_counts); END IF;
  RETURN counted;
END $function$
;

CREATE OR REPLACE FUNCTION public.seal_journal(batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.search_pattern(search text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (('%'::text || regexp_replace(fold_text(search), '([\\%_])'::text, '\\\1'::text, 'g'::text)) || '%'::text)
;

CREATE OR REPLACE FUNCTION public.selected_since(project uuid, type text)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  SELECT min(endpoint.selecting_since) FROM projects
  JOIN webhook_endpoints AS endpoint ON endpoint.account_id = projects.account_id AND coalesce(endpoint.project_id = projects.id, true)
  WHERE projects.id = project AND projects.deleted_at IS NULL AND is_event_selected(endpoint.event_types, selected_since.type)
$function$
;

CREATE OR REPLACE FUNCTION public.selecting_projects(type text)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
AS $function$
  SELECT ARRAY(
    SELECT DISTINCT project.id FROM webhook_endpoints AS endpoint
    JOIN projects AS project ON project.account_id = endpoint.account_id AND coalesce(endpoint.project_id = project.id, true)
    WHERE is_event_selected(endpoint.event_types, selecting_projects.type)
  )
$function$
;

CREATE OR REPLACE FUNCTION public.set_actor(actor text)
 RETURNS text
 LANGUAGE sql
AS $function$ SELECT set_config('signpost.actor', actor, true) $function$
;

CREATE OR REPLACE FUNCTION public.short_links_deleted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM count_links(deleted.project_id, 0, 0, -count(*))
  FROM deleted LEFT JOIN dynamic_links AS link ON link.id = deleted.dynamic_link_id
  WHERE link.deleted_at IS NULL GROUP BY deleted.project_id ORDER BY deleted.project_id;
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.short_links_inserted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$
;

CREATE OR REPLACE FUNCTION public.skip_click_deliveries(last bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  numbers regclass := pg_get_serial_sequence('click_deliveries', 'number');
BEGIN
  IF last <= coalesce(pg_sequence_last_value(numbers), 0) THEN RETURN false; END IF;
  -- Held by each delivery while it is made.
  PERFORM pg_advisory_xact_lock(1668049251, 2);
  PERFORM setval(numbers, greatest(last, coalesce(pg_sequence_last_value(numbers), 0)));
  RETURN true;
END $function$
;

CREATE OR REPLACE FUNCTION public.skip_replicated_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RETURN NULL;
END $function$
;

CREATE OR REPLACE FUNCTION public.use_link(link uuid)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  -- A conflict locks the row, and compares its latest version.
  INSERT INTO link_uses AS uses (dynamic_link_id, clicks)
  SELECT id, 1 FROM dynamic_links WHERE id = link AND click_limit IS NOT NULL AND deleted_at IS NULL
  ON CONFLICT (dynamic_link_id) DO UPDATE SET clicks = uses.clicks + 1
    WHERE uses.clicks < (SELECT click_limit FROM dynamic_links WHERE id = link)
  RETURNING clicks < (SELECT click_limit FROM dynamic_links WHERE id = link)
$function$
;

CREATE OR REPLACE FUNCTION public.visitor_key()
 RETURNS TABLE(visitor_key bytea, remaining_ms integer)
 LANGUAGE plpgsql
AS $function$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
BEGIN
  IF NOT EXISTS (SELECT FROM visitor_keys WHERE day = today) THEN PERFORM renew_visitor_keys(); END IF;
  RETURN QUERY
  SELECT key, ceil(1000 * extract(epoch FROM (today + 1)::timestamp - now() AT TIME ZONE 'UTC'))::integer FROM visitor_keys WHERE day = today;
END $function$
;

CREATE OR REPLACE FUNCTION public.write_journal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
END $function$
;
