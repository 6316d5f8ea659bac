/** The metrics, with their descriptions and labels. A name that ends with `_total` is a counter; others are gauges. */
export const metricDescriptions = {
  signpost_http_requests_total: ['Answered requests.', 'listener', 'method', 'route', 'status'],
  signpost_http_request_duration_seconds: ['Seconds until a request was answered.', 'listener'],
  signpost_link_answers_total: ['Answers of link hosts, by kind.', 'answer'],
  signpost_rate_limited_total: ['Requests refused with 429.'],
  signpost_api_paced_requests: ['Requests of the management API that wait for their turn in a burst.'],
  signpost_build_info: ['Always 1. The labels contain the version.', 'version', 'node'],
  signpost_change_listener_up: ['Whether the process receives notifications of changes.'],
  signpost_clickhouse_share_refused_total: [
    'Reads of ClickHouse that were refused with 429 because their account had its share of the connections.',
  ],
  signpost_clickhouse_share_waiting: [
    'Reads of ClickHouse that wait because their account has its share of the connections.',
  ],
  signpost_clickhouse_up: ['Whether ClickHouse answers and took the last clicks.'],
  signpost_click_ids_dropped_total: [
    'Visits without a click id, and ids that were lost, because too many waited or the process stopped.',
  ],
  signpost_click_ids_issued_total: ['Click ids issued to visits and opens.'],
  signpost_click_ids_waiting: ['Click ids that wait to be written.'],
  signpost_clicks_dropped_total: ['Clicks that statistics lost, because too many waited or the process stopped.'],
  signpost_clicks_recorded_total: ['Clicks written.'],
  signpost_clicks_waiting: ['Clicks that wait to be written.'],
  signpost_custom_domain_checks_total: [
    'Checks of the records of verified custom domains, by result; unanswered: the DNS did not answer.',
    'result',
  ],
  signpost_custom_domains_record_missing: ['Verified custom domains whose record is missing.'],
  signpost_database_pool_connections: ['Connections, by state.', 'pool', 'state'],
  signpost_database_pool_waiting: ['Queries that wait for a connection.', 'pool'],
  signpost_database_share_refused_total: [
    'Uses of the pool that were refused with 429 because their account had its share of it.',
  ],
  signpost_database_share_waiting: [
    "Uses of the management API's pool that wait because their account has its share of it.",
  ],
  signpost_deferred_links_waiting: ['Tokens that wait to be written.'],
  signpost_exports_running: ['Exports that clients read now.'],
  signpost_http_connections_reset_total: [
    'Connections reset, by reason; stalled: the client did not read; others: a limit of the process was reached.',
    'reason',
  ],
  signpost_http_unread_bytes: ['Bytes of large responses that clients have not read.'],
  signpost_http_waiting_requests: ['Pipelined requests that wait for an earlier response of their connection.'],
  signpost_identity_provider_keys_age_seconds: [
    'Since the keys of the identity provider were read, or since the start.',
  ],
  signpost_import_api_requests_total: [
    'Requests to the APIs of other systems, by result; limited: the API wants fewer of them.',
    'result',
  ],
  signpost_import_failures_total: ['Parts of imports that failed and are tried again.'],
  signpost_import_rows_total: ['Rows of imports processed, by dry runs and runs.'],
  signpost_link_cache_entries: ['Cached entries.', 'cache'],
  signpost_link_cache_evictions_total: ['Entries evicted by notifications of changes.', 'cache'],
  signpost_link_cache_requests_total: [
    'Cache look-ups, by result; stale: answered from the cache because the database did not answer.',
    'cache',
    'result',
  ],
  signpost_opens_dropped_total: ['Opens that statistics lost, because too many waited or the process stopped.'],
  signpost_opens_received_total: ['Opens of links that apps sent.'],
  signpost_opens_recorded_total: ['Opens written.'],
  signpost_opens_waiting: ['Opens that wait to be written.'],
  signpost_rate_limit_store_up: ['Whether rate limits are counted over all replicas; absent before the first check.'],
  signpost_region_clicks_undelivered: [
    'Clicks, opens, claims and click ids of the region that the primary does not have yet. One process of the region counts them.',
  ],
  signpost_region_connected: ['Whether the database of a region receives changes from this primary.', 'region'],
  signpost_region_lag_seconds: ['How old the replicated data of the region are.'],
  signpost_region_primary_up: ['Whether the region has contact with its primary.'],
  signpost_region_retained_wal_bytes: [
    'Write-ahead log that this primary keeps for a region; absent if its slot is lost.',
    'region',
  ],
  signpost_variant_clicks_dropped_total: [
    'Clicks on variants that statistics lost, because too many waited or the process stopped.',
  ],
  signpost_variant_clicks_recorded_total: ['Clicks on variants written.'],
  signpost_variant_clicks_waiting: ['Clicks on variants that wait to be written.'],
  signpost_webhook_attempts_total: [
    'Attempts to send events, by outcome; given_up: after three days of attempts.',
    'outcome',
  ],
  signpost_webhook_endpoints: ['Endpoints that fail, or that the service has disabled.', 'state'],
  signpost_webhook_oldest_event_seconds: ['Age of the oldest event that an enabled endpoint does not have.'],
} satisfies Record<string, [description: string, ...labels: string[]]>;
