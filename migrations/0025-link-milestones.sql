-- Milestones: entries of the journal about the first click, open and claim of a link, and about the 100th, the 1,000th and so on.
--
-- Links are counted only while an endpoint selects the event, because totals of all would cost each roll-up a row per link. The total of a
-- link that was not counted before, or under another selection, is added up from the sums of statistics once.

CREATE TABLE link_totals (
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  event text COLLATE "C" NOT NULL CONSTRAINT link_totals_event_known CHECK (event IN ('click', 'open', 'claim')),
  times bigint NOT NULL,
  added bigint NOT NULL,
  since timestamptz NOT NULL,
  CONSTRAINT link_totals_pkey PRIMARY KEY (project_id, dynamic_link_id, event)
) WITH (fillfactor = 50);
COMMENT ON TABLE link_totals IS 'Clicks without bots, opens and claims of links whose milestones an endpoint selects. No foreign keys, as in clicks.';
COMMENT ON COLUMN link_totals.added IS 'The last addition, with which it was found which milestones are new.';
COMMENT ON COLUMN link_totals.since IS 'selected_since at the last addition. If it differs, events may be missing, and the total is compared with the sums.';

CREATE FUNCTION kept_link_events(project uuid, link uuid, kind text) RETURNS bigint LANGUAGE sql STABLE AS $$
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
$$;
COMMENT ON FUNCTION kept_link_events IS 'The clicks, opens or claims of a link that statistics have.';

CREATE FUNCTION count_link_events(counts link_count[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_nestloop = on AS $$
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
END $$;
COMMENT ON FUNCTION count_link_events IS 'Adds clicks, opens and claims that are in the sums of statistics already to the totals of links, and writes an entry for each milestone. Call it in the transaction that adds to the sums.';
REVOKE EXECUTE ON FUNCTION count_link_events FROM PUBLIC;
