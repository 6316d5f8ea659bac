/** @needs promtool */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readPage } from '../support/pages';
import { aTemporaryFolder } from '../support/temporary-folder';

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
  /** Close to the limit, for as long. */
  silent: Series;
  /** As the summary shows it. */
  value?: string;
  /** Of the alert, besides the severity. */
  labels?: Record<string, string>;
}

// The chart's PrometheusRule has the same groups, which monitoring.deployment.spec.ts checks.
const rulesPath = 'deploy/helm/signpost/files/signpost.rules.yaml';
const rules = (parse(readPage(rulesPath)) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const a = { job: 'signpost', instance: 'a' };

/** A gauge of one replica. */
const gauge = (name: string, fires: string, at: number, silent: string, value = ''): Case => ({
  fires: { [name]: fires },
  at,
  silent: { [name]: silent },
  value,
  labels: a,
});

/** A metric of two replicas. */
const ofTwo = (name: string, ofA: string, ofB: string, labels = ''): Series => ({
  [`${name}{instance="a"${labels}}`]: ofA,
  [`${name}{instance="b"${labels}}`]: ofB,
});

/** One answer in fifty between two limits, and one in two hundred. */
const slow = (listener: string, lower: string, upper: string, value: string): Case => {
  const buckets = (fast: number, all: number): Series =>
    Object.fromEntries(
      Object.entries({ [lower]: fast, [upper]: all, '+Inf': all }).map(([le, perMinute]) => [
        `signpost_http_request_duration_seconds_bucket{listener="${listener}", le="${le}"}`,
        `0+${perMinute}x20`,
      ]),
    );
  return { fires: buckets(98, 100), at: 11, value, silent: buckets(995, 1000) };
};

const requests = (status: string) => `signpost_http_requests_total{listener="traffic", status="${status}"}`;
const checks = (result: string) => `signpost_custom_domain_checks_total{result="${result}"}`;
const stale = (result: string) => `signpost_link_cache_requests_total{cache="links", result="${result}"}`;
const endpoints = (state: string) => `signpost_webhook_endpoints{state="${state}"}`;
const version = (name: string) => `signpost_build_info{instance="${name}", version="${name}"}`;
const escape = { app: 'Instagram', platform: 'ios', way: 'safari' };
const dropped = 'signpost_browser_escapes_dropped';
const ofEscape = Object.entries(escape)
  .map(([name, value]) => `, ${name}="${value}"`)
  .join('');

const cases: Record<string, Case> = {
  SignpostInstanceDown: gauge('up', '0x10', 2, '1 0 0 1x10'),
  SignpostDown: { fires: { up: '0x10' }, at: 1, silent: ofTwo('up', '0x10', '1x10') },
  SignpostRestarting: gauge('process_start_time_seconds', '1 2 3 4x10', 3, '1 2 3x20', '3'),
  SignpostErrors: {
    fires: { [requests('200')]: '0+98x20', [requests('503')]: '0+2x20' },
    at: 6,
    silent: { [requests('200')]: '0+199x20', [requests('404')]: '0+50x20', [requests('503')]: '0+1x20' },
    value: '2%',
    labels: { listener: 'traffic' },
  },
  SignpostApiSlow: slow('api', '0.5', '1', '750ms'),
  SignpostTrafficSlow: slow('traffic', '0.1', '0.2', '150ms'),
  SignpostChangeListenerDown: gauge('signpost_change_listener_up', '0x5', 1, '1 0 1 0 1 0 1'),
  SignpostStaleAnswers: {
    fires: { [stale('stale')]: '0+5x10' },
    at: 2,
    silent: { [stale('stale')]: '5x10', [stale('hit')]: '0+5x10' },
    labels: { cache: 'links' },
  },
  SignpostPoolWaiting: {
    ...gauge('signpost_database_pool_waiting{pool="api"}', '3x10', 2, '3 0 3 0 3 0 3'),
    labels: { ...a, pool: 'api' },
  },
  SignpostRateLimitStoreDown: gauge('signpost_rate_limit_store_up', '0x10', 2, '0 0 1 0 0 1'),
  SignpostEventLoopLag: gauge('nodejs_eventloop_lag_p99_seconds', '0.25x10', 5, '0.1x10', '250ms'),
  SignpostDeferredLinksWaiting: gauge('signpost_deferred_links_waiting', '1500x5', 2, '1000x5', '1500'),
  SignpostClicksWaiting: gauge('signpost_clicks_waiting', '25000x5', 1, '20000x5', '25000'),
  SignpostClicksDropped: gauge('signpost_clicks_dropped_total', '0 0 10 10x10', 2, '10x20', '10'),
  SignpostOpensDropped: gauge('signpost_opens_dropped_total', '0 0 10 10x10', 2, '10x20', '10'),
  SignpostImportsFailing: {
    fires: ofTwo('signpost_import_failures_total', '0+3x20', '0+2x20'),
    at: 10,
    silent: { signpost_import_failures_total: '0+1x30' },
    value: '50',
  },
  SignpostClickHouseDown: gauge('signpost_clickhouse_up', '0x10', 2, '0 0 1 0 0 1'),
  SignpostRegionBehind: gauge('signpost_region_lag_seconds', '90x5', 1, '60x5', '1m 30s'),
  SignpostRegionWithoutPrimary: gauge('signpost_region_primary_up', '0x5', 1, '1 0 1 0 1 0'),
  SignpostRegionDisconnected: {
    fires: { 'signpost_region_connected{region="eu"}': '0x20' },
    at: 10,
    silent: ofTwo('signpost_region_connected', '0x20', '1x20', ', region="eu"'),
    labels: { region: 'eu' },
  },
  SignpostIdentityProviderUnavailable: gauge(
    'signpost_identity_provider_keys_age_seconds',
    '2000x10',
    5,
    '1800x10',
    '33m 20s',
  ),
  SignpostCustomDomainsUnverified: {
    fires: ofTwo('signpost_custom_domains_record_missing', '2x70', '3x70'),
    at: 60,
    silent: { signpost_custom_domains_record_missing: '3x50 0x20' },
    value: '3',
  },
  SignpostWebhooksFailing: {
    fires: { signpost_webhook_oldest_event_seconds: '4000x20' },
    at: 15,
    silent: { signpost_webhook_oldest_event_seconds: '3600x20' },
    value: '1h 6m 40s',
  },
  SignpostWebhooksDisabled: {
    fires: { [endpoints('disabled')]: '2x10' },
    at: 5,
    silent: { [endpoints('disabled')]: '0x10', [endpoints('failing')]: '2x10' },
    value: '2',
  },
  SignpostDnsUnanswered: {
    fires: { [checks('unanswered')]: '0+6x70', [checks('ok')]: '0+4x70' },
    at: 61,
    silent: { [checks('unanswered')]: '0+5x70', [checks('ok')]: '0+5x70' },
    value: '60%',
  },
  SignpostBrowserEscapeDropped: {
    fires: ofTwo(dropped, '1x20', '0x20', ofEscape),
    at: 15,
    silent: { [`${dropped}{instance="a"${ofEscape}}`]: '1x14 0 1x14' },
    labels: escape,
  },
  SignpostBrowserEscapesFileRefused: {
    fires: ofTwo('signpost_browser_escapes_file_current', '1x5', '0x5'),
    at: 1,
    silent: { signpost_browser_escapes_file_current: '1 0 1 0 1' },
  },
  SignpostMixedVersions: {
    fires: { [version('1.0')]: '1x70', [version('1.1')]: '1x70' },
    at: 60,
    silent: { [version('1.0')]: '1x30 stale', [version('1.1')]: '1x70' },
    value: '2',
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

const firesOnce = ({ alert, labels: { severity }, annotations }: Rule) => {
  const { fires, at, labels = {}, value = '' } = cases[alert]!;
  const summary = annotations.summary
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name]!)
    .replaceAll(/\{\{ \$value[^}]*\}\}/g, value);
  const fired = { exp_labels: { severity, ...labels }, exp_annotations: { ...annotations, summary } };
  return testOf('fires after its time, and not before', alert, fires, [
    [at - 1, []],
    [at, [fired]],
  ]);
};
const isSilent = ({ alert }: Rule) => {
  const { at, silent } = cases[alert]!;
  const minutes = Array.from({ length: at + 2 }, (_, minute): [number, object[]] => [minute, []]);
  return testOf('does not fire below its limit', alert, silent, minutes);
};

const folder = aTemporaryFolder();

test('every alert fires after its time and above its limit only', () => {
  expect(Object.keys(cases)).toEqual(rules.map(({ alert }) => alert));
  const path = join(folder, 'tests.json');
  const tests = rules.flatMap((rule) => [firesOnce(rule), isSilent(rule)]);
  writeFileSync(path, JSON.stringify({ rule_files: [join(process.cwd(), rulesPath)], tests }));
  const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', path], { encoding: 'utf8' });
  expect((stdout + stderr).replace(path, 'tests.json').trim()).toBe('Unit Testing:  tests.json\n  SUCCESS');
});
