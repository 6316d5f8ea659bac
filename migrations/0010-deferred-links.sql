-- Deferred deep links. The requests between regions are in 0016.

CREATE TABLE deferred_links (
  token_digest bytea CONSTRAINT deferred_links_pkey PRIMARY KEY,
  project_id uuid NOT NULL,
  dynamic_link_id uuid NOT NULL,
  clicked_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  moved_at timestamptz,
  claimed_at timestamptz,
  claim_digest bytea,
  browser text COLLATE "C" NOT NULL DEFAULT ''
);
COMMENT ON TABLE deferred_links IS 'Visits that may continue in an app that is yet to be installed. Of the token only a SHA-256 is kept. A claim ends the lifetime of its row. Expired and claimed rows are purged one hour later: until then, a repeated insertion, whose first answer was lost, inserts no claimed token again.';
COMMENT ON COLUMN deferred_links.dynamic_link_id IS 'No foreign key: every check of one would lock the row of a link that thousands are opening. A claim looks whether the link is still there.';
COMMENT ON COLUMN deferred_links.expires_at IS 'Once the token is claimed, the time of the click.';
COMMENT ON COLUMN deferred_links.claimed_at IS 'Since then the row is kept for an hour.';
COMMENT ON COLUMN deferred_links.claim_digest IS 'SHA-256 of the token and the id of its claim. The same claim is answered again for an hour, because its first answer may be lost. Null for claims without an id.';
COMMENT ON COLUMN deferred_links.moved_at IS 'Since then only the primary can claim the token, because another region asked for it. Null everywhere but in regions.';
COMMENT ON COLUMN deferred_links.browser IS 'The app in whose browser the link was opened, a name of a closed list; empty for other browsers. Sums of first launches have it.';
CREATE INDEX deferred_links_by_expiry ON deferred_links (expires_at);
CREATE INDEX deferred_links_by_project ON deferred_links (project_id);
