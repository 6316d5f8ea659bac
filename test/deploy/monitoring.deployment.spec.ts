/** @needs helm */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { render, root } from '../support/chart-tools';
import { registeredMetrics } from '../support/registered-metrics';

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
}
interface Panel {
  type: string;
  title: string;
  targets?: { expr: string }[];
}

const rulesFile = parse(readFileSync(join(root, 'deploy/alerts/signpost.rules.yaml'), 'utf8')) as {
  groups: { name: string; rules: Rule[] }[];
};
const rules = rulesFile.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync(join(root, 'deploy/grafana/signpost.json'), 'utf8')) as {
  panels: Panel[];
  templating: { list: { name: string }[] };
};
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
);

/** Metrics of the service with their labels, and the used metrics of Prometheus and Node. */
const metrics: Record<string, string[]> = {
  ...Object.fromEntries(
    registeredMetrics()
      .filter(({ name }) => name.startsWith('signpost_'))
      .map(({ name, type, labels }) => (type === 'histogram' ? [`${name}_bucket`, [...labels, 'le']] : [name, labels])),
  ),
  nodejs_eventloop_lag_p99_seconds: [],
  nodejs_gc_duration_seconds_sum: ['kind'],
  process_cpu_seconds_total: [],
  process_resident_memory_bytes: [],
  process_start_time_seconds: [],
  up: [],
};
const values: Record<string, string[]> = {
  job: ['signpost'],
  listener: ['api', 'traffic'],
  result: ['hit', 'miss', 'stale', 'unanswered'],
  state: ['idle', 'busy', 'failing', 'disabled'],
  status: ['5..'],
  instance: ['$instance'],
};
const words = new Set(
  'sum count max min avg by rate increase changes absent histogram_quantile topk max_over_time min_over_time'.split(
    ' ',
  ),
);

/** Returns the metrics of an expression with the used labels. */
function metricsOf(expression: string): [name: string, labels: string[]][] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(/, */));
  const selectors = [...expression.matchAll(/([a-z_][a-z0-9_]*)\{([^}]*)\}/g)];
  for (const [, , matchers] of selectors)
    for (const [, label, value] of matchers!.matchAll(/(\w+)=~?"([^"]*)"/g))
      expect([label, values[label!]]).toEqual([label, expect.arrayContaining([value])]);
  const bare = expression
    .replace(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]/g, ' ')
    .replace(/\bby \([^)]*\)/g, ' ')
    .match(/[a-z_][a-z0-9_]*/g)!
    .filter((word) => !words.has(word));
  // A selector without `job` would include other programs.
  expect(bare).toEqual(selectors.map(([, name]) => name));
  return selectors.map(([, name, matchers]) => [
    name!,
    [...[...matchers!.matchAll(/(\w+)=/g)].map(([, label]) => label!), ...grouped],
  ]);
}

function expectKnownMetrics(expression: string): void {
  expect(balanced(expression)).toBe(true);
  for (const [name, labels] of metricsOf(expression)) {
    expect([name, name in metrics]).toEqual([name, true]);
    const known = [...metrics[name]!, 'job', 'instance'];
    expect([name, labels.filter((label) => !known.includes(label))]).toEqual([name, []]);
    expect(labels).toContain('job');
  }
}

function balanced(text: string): boolean {
  const open: string[] = [];
  for (const [character] of text.replace(/"[^"]*"/g, '').matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(character)) open.push(character);
    else if (open.pop() !== { ')': '(', ']': '[', '}': '{' }[character]) return false;
  }
  return open.length === 0;
}

describe('alerts', () => {
  it.each(rules)(
    '$alert uses existing metrics and labels, and has a severity',
    ({ alert, expr, for: time, labels }) => {
      expectKnownMetrics(expr);
      expect(alert).toMatch(/^Signpost[A-Za-z]+$/);
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(time ?? '0m').toMatch(/^\d+[mh]$/);
    },
  );

  it('equal those of the chart', () => {
    const rule = render({ file: 'production' }).find(({ kind }) => kind === 'PrometheusRule')!;
    expect(rule.spec.groups).toEqual(rulesFile.groups);
  });
});

describe('the dashboard', () => {
  it.each(queries)('"%s" uses existing metrics and labels: %s', (_title, expression) => {
    expectKnownMetrics(expression.replaceAll('$__rate_interval', '5m'));
  });

  it('shows every metric of the service', () => {
    const shown = new Set(queries.flatMap(([, expression]) => metricsOf(expression).map(([name]) => name)));
    expect(Object.keys(metrics).filter((name) => name.startsWith('signpost_') && !shown.has(name))).toEqual([]);
  });

  it('queries the selected data source and replicas', () => {
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance']);
    for (const panel of dashboard.panels.filter(({ type }) => type !== 'row'))
      expect(panel).toMatchObject({ datasource: { type: 'prometheus', uid: '${datasource}' } });
  });
});
