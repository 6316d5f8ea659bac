-- Click ids of visits, and the conversions that customers report for them. They are in PostgreSQL even if ClickHouse stores the clicks.
-- A conversion is one row, and its key is unique in the project. So a repeated one cannot count twice, and sums are read from the rows.
-- squawk-ignore-file prefer-bigint-over-int

CREATE TABLE click_ids (
  digest bytea CONSTRAINT click_ids_pkey PRIMARY KEY,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  short_link_id uuid,
  platform text COLLATE "C" NOT NULL CONSTRAINT click_ids_platform_known CHECK (platform IN ('ios', 'android', 'desktop')),
  variant text COLLATE "C",
  issued_on date NOT NULL,
  expires_on date NOT NULL,
  untrusted integer NOT NULL DEFAULT 0
);
COMMENT ON TABLE click_ids IS 'SHA-256 of the ids of visits, claims and opens whose conversions count. No foreign keys, as in clicks.';
COMMENT ON COLUMN click_ids.variant IS 'Name of the variant that the visit led to; null without one.';
COMMENT ON COLUMN click_ids.expires_on IS 'The last day (UTC) on which conversions count. The row is kept for a week more, for conversions that are sent late.';
COMMENT ON COLUMN click_ids.untrusted IS 'How many conversions publishable keys have sent for it.';
CREATE INDEX click_ids_by_expiry ON click_ids (expires_on);
CREATE INDEX click_ids_by_project ON click_ids (project_id);

CREATE TABLE click_id_deliveries (
  digest bytea CONSTRAINT click_id_deliveries_pkey PRIMARY KEY,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  short_link_id uuid,
  platform text NOT NULL,
  variant text,
  issued_on date NOT NULL,
  delivered_at timestamptz
);
COMMENT ON TABLE click_id_deliveries IS 'Click ids of a region on their way to its primary, twice like app_event_deliveries.';
CREATE INDEX click_id_deliveries_by_delivery ON click_id_deliveries (delivered_at);

CREATE FUNCTION record_click_ids(
  digests bytea[], project_ids uuid[], dynamic_link_ids uuid[], short_link_ids uuid[], platforms text[], variants text[], days date[]
) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;
COMMENT ON FUNCTION record_click_ids IS 'Stores click ids once each, by their digests. In a region, it keeps them for the primary. Each array has an element per id.';

CREATE TABLE conversions (
  project_id uuid NOT NULL CONSTRAINT conversions_project_fk REFERENCES projects ON DELETE CASCADE,
  key text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  value numeric,
  currency text COLLATE "C",
  dynamic_link_id uuid NOT NULL,
  short_link_id uuid,
  platform text COLLATE "C" NOT NULL,
  variant text COLLATE "C",
  trusted boolean NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT conversions_pkey PRIMARY KEY (project_id, key),
  CONSTRAINT conversions_value_in_currency CHECK ((value IS NULL) = (currency IS NULL))
);
COMMENT ON TABLE conversions IS 'Purchases and other results of visits, as customers report them. Links may be deleted.';
COMMENT ON COLUMN conversions.key IS 'Of the customer. A refund has that of its sale, a colon and a name.';
COMMENT ON COLUMN conversions.value IS 'An exact decimal. Negative for a refund.';
COMMENT ON COLUMN conversions.variant IS 'Of the click id; null without one.';
COMMENT ON COLUMN conversions.trusted IS 'False if a publishable key sent it, which everybody can read.';
CREATE INDEX conversions_in_order ON conversions (project_id, occurred_at, key);
CREATE INDEX conversions_by_link ON conversions (dynamic_link_id, occurred_at);
CREATE INDEX conversions_by_age ON conversions (received_at);

-- Rows are inserted in the order of their keys, so that requests that share keys cause no deadlock. Refunds come second. So they find
-- the sales of the same request.
CREATE FUNCTION record_conversions(
  project uuid, from_trusted boolean, max_untrusted integer,
  digests bytea[], events text[], amounts numeric[], currencies text[], keys text[], sale_keys text[], moments timestamptz[]
) RETURNS text[] LANGUAGE plpgsql AS $$
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
END $$;
COMMENT ON FUNCTION record_conversions IS 'Counts conversions once each, by their keys, and returns an outcome for each. A refund has the key of its sale.';

CREATE FUNCTION purge_conversions(retention_months integer, batch integer) RETURNS boolean LANGUAGE plpgsql AS $$
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
END $$;
COMMENT ON FUNCTION purge_conversions IS 'Removes the next batch of click ids a week after their window, and of conversions after so many whole months; false if none remain.';
