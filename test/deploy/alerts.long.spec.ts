/** @needs promtool */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readPage } from '../support/pages';

interface Rule {
  alert: string;
  labels: Record<string, string>;
  annotations: { summary: string; runbook: string };
}

/** Names and labels without `job`, each with a value per minute, in the notation of promtool. */
type Series = Record<string, string>;

interface Case {
  fires: Series;
  /** The first minute at which it fires. */
  at: number;
  /** Of the alert, besides the severity. */
  labels?: Record<string, string>;
  summary: string;
  /** Close to the limit, for as long. */
  silent: Series;
}

// The chart's PrometheusRule has the same groups, which monitoring.deployment.spec.ts checks.
const rulesPath = 'deploy/helm/signpost/files/signpost.rules.yaml';
const rules = (parse(readPage(rulesPath)) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const a = { job: 'signpost', instance: 'a' };

/** A gauge of one replica. */
const gauge = (name: string, fires: string, at: number, summary: string, silent: string): Case => ({
  fires: { [name]: fires },
  at,
  labels: a,
  summary,
  silent: { [name]: silent },
});

const requests = (status: string) => `signpost_http_requests_total{listener="traffic", status="${status}"}`;
const latency = (listener: string, le: string) =>
  `signpost_http_request_duration_seconds_bucket{listener="${listener}", le="${le}"}`;
const checks = (result: string) => `signpost_custom_domain_checks_total{result="${result}"}`;
const stale = (result: string) => `signpost_link_cache_requests_total{cache="links", result="${result}"}`;
const dropped = 'signpost_browser_escapes_dropped{app="Instagram", platform="ios", way="safari"}';
const endpoints = (state: string) => `signpost_webhook_endpoints{state="${state}"}`;
const version = (name: string) => `signpost_build_info{instance="${name}", version="${name}"}`;

const cases: Record<string, Case> = {
  SignpostInstanceDown: gauge('up', '0x10', 2, 'a has not answered Prometheus for two minutes', '1 0 0 1x10'),
  SignpostDown: {
    fires: { up: '0x10' },
    at: 1,
    summary: 'No replica of Signpost answers Prometheus',
    silent: { 'up{instance="a"}': '0x10', 'up{instance="b"}': '1x10' },
  },
  SignpostRestarting: gauge(
    'process_start_time_seconds',
    '1 2 3 4x10',
    3,
    'a was started 3 times in a quarter of an hour',
    '1 2 3x20',
  ),
  SignpostErrors: {
    fires: { [requests('200')]: '0+98x20', [requests('503')]: '0+2x20' },
    at: 6,
    labels: { listener: 'traffic' },
    summary: '2% of the answers at the traffic listener are 5xx',
    silent: { [requests('200')]: '0+199x20', [requests('404')]: '0+50x20', [requests('503')]: '0+1x20' },
  },
  SignpostApiSlow: {
    fires: {
      [latency('api', '0.5')]: '0+98x20',
      [latency('api', '1')]: '0+100x20',
      [latency('api', '+Inf')]: '0+100x20',
    },
    at: 11,
    summary: 'One API answer in a hundred takes more than 750ms',
    silent: {
      [latency('api', '0.5')]: '0+995x20',
      [latency('api', '1')]: '0+1000x20',
      [latency('api', '+Inf')]: '0+1000x20',
    },
  },
  SignpostTrafficSlow: {
    fires: {
      [latency('traffic', '0.1')]: '0+98x20',
      [latency('traffic', '0.2')]: '0+100x20',
      [latency('traffic', '+Inf')]: '0+100x20',
    },
    at: 11,
    summary: 'One visitor in a hundred waits more than 150ms',
    silent: {
      [latency('traffic', '0.1')]: '0+995x20',
      [latency('traffic', '0.2')]: '0+1000x20',
      [latency('traffic', '+Inf')]: '0+1000x20',
    },
  },
  SignpostChangeListenerDown: gauge(
    'signpost_change_listener_up',
    '0x5',
    1,
    'a does not receive notifications of the database, and queries it for every visit',
    '1 0 1 0 1 0 1',
  ),
  SignpostStaleAnswers: {
    fires: { [stale('stale')]: '0+5x10' },
    at: 2,
    labels: { cache: 'links' },
    summary: 'Visitors get the last known answers (links), because the database does not answer',
    silent: { [stale('stale')]: '5x10', [stale('hit')]: '0+5x10' },
  },
  SignpostPoolWaiting: {
    ...gauge(
      'signpost_database_pool_waiting{pool="api"}',
      '3x10',
      2,
      'Requests of a wait for a connection of the pool api',
      '3 0 3 0 3 0 3',
    ),
    labels: { ...a, pool: 'api' },
  },
  SignpostRateLimitStoreDown: gauge(
    'signpost_rate_limit_store_up',
    '0x10',
    2,
    'a does not reach Redis, and counts rate limits alone',
    '0 0 1 0 0 1',
  ),
  SignpostEventLoopLag: gauge(
    'nodejs_eventloop_lag_p99_seconds',
    '0.25x10',
    5,
    'a has an event loop that is 250ms late',
    '0.1x10',
  ),
  SignpostDeferredLinksWaiting: gauge(
    'signpost_deferred_links_waiting',
    '1500x5',
    2,
    '1500 deferred links of a are not written yet',
    '1000x5',
  ),
  SignpostClicksWaiting: gauge(
    'signpost_clicks_waiting',
    '25000x5',
    1,
    '25000 clicks of a are not written yet',
    '20000x5',
  ),
  SignpostClicksDropped: gauge(
    'signpost_clicks_dropped_total',
    '0 0 10 10x10',
    2,
    'a has dropped 10 clicks for statistics',
    '10x20',
  ),
  SignpostOpensDropped: gauge(
    'signpost_opens_dropped_total',
    '0 0 10 10x10',
    2,
    'a has dropped 10 opens of apps',
    '10x20',
  ),
  SignpostImportsFailing: {
    fires: {
      'signpost_import_failures_total{instance="a"}': '0+3x20',
      'signpost_import_failures_total{instance="b"}': '0+2x20',
    },
    at: 10,
    summary: '50 parts of imports failed in a quarter of an hour',
    silent: { signpost_import_failures_total: '0+1x30' },
  },
  SignpostClickHouseDown: gauge(
    'signpost_clickhouse_up',
    '0x10',
    2,
    'a does not reach ClickHouse, or ClickHouse refuses its clicks: clicks wait in memory, and statistics may answer 503',
    '0 0 1 0 0 1',
  ),
  SignpostRegionBehind: gauge(
    'signpost_region_lag_seconds',
    '90x5',
    1,
    'The data of the region at a are 1m 30s old',
    '60x5',
  ),
  SignpostRegionWithoutPrimary: gauge(
    'signpost_region_primary_up',
    '0x5',
    1,
    'a does not reach the primary of its region, and keeps clicks for it',
    '1 0 1 0 1 0',
  ),
  SignpostRegionDisconnected: {
    fires: { 'signpost_region_connected{region="eu"}': '0x20' },
    at: 10,
    labels: { region: 'eu' },
    summary: 'The region eu receives no changes, and the primary keeps its write-ahead log for it',
    silent: {
      'signpost_region_connected{region="eu", instance="a"}': '0x20',
      'signpost_region_connected{region="eu", instance="b"}': '1x20',
    },
  },
  SignpostIdentityProviderUnavailable: gauge(
    'signpost_identity_provider_keys_age_seconds',
    '2000x10',
    5,
    'a has not read the keys of the identity provider for 33m 20s',
    '1800x10',
  ),
  SignpostCustomDomainsUnverified: {
    fires: {
      'signpost_custom_domains_record_missing{instance="a"}': '2x70',
      'signpost_custom_domains_record_missing{instance="b"}': '3x70',
    },
    at: 60,
    summary: '3 custom domains have lost their record, and will stop answering after the grace time',
    silent: { signpost_custom_domains_record_missing: '3x50 0x20' },
  },
  SignpostWebhooksFailing: {
    fires: { signpost_webhook_oldest_event_seconds: '4000x20' },
    at: 15,
    summary: 'A webhook endpoint has not had an event for 1h 6m 40s',
    silent: { signpost_webhook_oldest_event_seconds: '3600x20' },
  },
  SignpostWebhooksDisabled: {
    fires: { [endpoints('disabled')]: '2x10' },
    at: 5,
    summary: '2 webhook endpoints are disabled, because they failed for five days',
    silent: { [endpoints('disabled')]: '0x10', [endpoints('failing')]: '2x10' },
  },
  SignpostDnsUnanswered: {
    fires: { [checks('unanswered')]: '0+6x70', [checks('ok')]: '0+4x70' },
    at: 61,
    summary: '60% of the checks of custom domains get no DNS answer',
    silent: { [checks('unanswered')]: '0+5x70', [checks('ok')]: '0+5x70' },
  },
  SignpostBrowserEscapeDropped: {
    fires: { [dropped.replace('{', '{instance="a", ')]: '1x20', [dropped.replace('{', '{instance="b", ')]: '0x20' },
    at: 15,
    labels: { app: 'Instagram', platform: 'ios', way: 'safari' },
    summary: 'Hardly anyone leaves Instagram on ios by safari in some version',
    silent: { [dropped]: '1x14 0 1x14' },
  },
  SignpostBrowserEscapesFileRefused: {
    fires: {
      'signpost_browser_escapes_file_current{instance="a"}': '1x5',
      'signpost_browser_escapes_file_current{instance="b"}': '0x5',
    },
    at: 1,
    summary: 'A changed BROWSER_ESCAPES_FILE is invalid, and its former content is in use',
    silent: { signpost_browser_escapes_file_current: '1 0 1 0 1' },
  },
  SignpostMixedVersions: {
    fires: { [version('1.0')]: '1x70', [version('1.1')]: '1x70' },
    at: 60,
    summary: '2 versions have been running side by side for an hour',
    silent: { [version('1.0')]: '1x30 stale', [version('1.1')]: '1x70' },
  },
};

const inputOf = (series: Series) =>
  Object.entries(series).map(([selector, values]) => {
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(selector)!;
    const all = labels.includes('instance=') ? labels : ['instance="a"', labels].filter(Boolean).join(', ');
    return { series: `${name}{job="signpost", ${all}}`, values };
  });

const testOf = (name: string, alertname: string, series: Series, expected: [minute: number, alerts: object[]][]) => ({
  name: `${alertname} ${name}`,
  interval: '1m',
  input_series: inputOf(series),
  alert_rule_test: expected.map(([minute, alerts]) => ({ eval_time: `${minute}m`, alertname, exp_alerts: alerts })),
});

const firesOnce = ({ alert, labels: { severity }, annotations: { runbook } }: Rule) => {
  const { fires, at, labels, summary } = cases[alert]!;
  const fired = { exp_labels: { severity, ...labels }, exp_annotations: { summary, runbook } };
  return testOf('fires after its time, and not before', alert, fires, [
    [at - 1, []],
    [at, [fired]],
  ]);
};
const isSilent = ({ alert }: Rule) => {
  const minutes = Array.from({ length: cases[alert]!.at + 2 }, (_, minute) => minute);
  return testOf(
    'does not fire below its limit',
    alert,
    cases[alert]!.silent,
    minutes.map((minute) => [minute, []]),
  );
};

test('every alert has series', () => {
  expect(Object.keys(cases)).toEqual(rules.map(({ alert }) => alert));
});

test('every alert fires after its time and above its limit only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-alerts-'));
  const path = join(folder, 'tests.json');
  const known = rules.filter(({ alert }) => alert in cases);
  const tests = known.flatMap((rule) => [firesOnce(rule), isSilent(rule)]);
  writeFileSync(path, JSON.stringify({ rule_files: [join(process.cwd(), rulesPath)], tests }));
  const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', path], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect((stdout + stderr).replace(path, 'tests.json').trim()).toBe('Unit Testing:  tests.json\n  SUCCESS');
});
