import { metricDescriptions } from '../../src/platform/observability/metric-descriptions';
import { codeIn, filesBelow, readPage, tablesOf, withoutBlocks } from '../support/pages';
import { registeredMetrics } from '../support/registered-metrics';

const page = readPage('docs/operating/monitoring.md');
const registered = registeredMetrics();

test('the table of metrics has the names, types and labels of the code', () => {
  const { rows } = tablesOf(page).find(({ heading }) => heading === 'Metrics')!;
  const documented = rows.map(([name = '', type, labels = '']) => ({
    name: codeIn(name).join(),
    type,
    labels: codeIn(labels),
  }));
  expect(documented.length).toBeGreaterThan(10);
  const own = registered.filter(({ name }) => name.startsWith('signpost_'));
  const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
  expect(documented.sort(byName)).toEqual(own.sort(byName));
});

test('every metric that the page names exists', () => {
  const named = codeIn(withoutBlocks(page)).filter((code) => /^(?:signpost|nodejs|process)_[a-z0-9_]+$/.test(code));
  const names = registered.map(({ name }) => name);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});

test('every described metric is registered by a module', () => {
  const modules = filesBelow('src', '.ts').filter((path) => !path.endsWith('/metric-descriptions.ts'));
  const code = modules.map(readPage).join('\n');
  const names = Object.keys(metricDescriptions);
  expect(names.filter((name) => !new RegExp(`\\b${name}(?::|')`).test(code))).toEqual([]);
});
