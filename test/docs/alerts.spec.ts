import { parse } from 'yaml';
import { filesBelow, readPage, tablesOf, withoutBlocks } from '../support/pages';

interface Rule {
  alert: string;
  labels: { severity: string };
  annotations: { runbook: string };
}

const { groups } = parse(readPage('deploy/alerts/signpost.rules.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const pages = filesBelow('docs/operating', '.md').filter((path) => /\/alerts-\w+\.md$/.test(path));

/** The sections of all pages: where each one is, and its text. */
const sections = pages.flatMap((path) =>
  readPage(path)
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ name: /^.+/.exec(text)![0], path, text })),
);

const prose = pages.map((path) => withoutBlocks(readPage(path))).join('\n');

test('every alert has a section, and every section has an alert', () => {
  expect(sections.map(({ name }) => name).sort()).toEqual(rules.map(({ alert }) => alert).sort());
});

test.each(rules.map((rule) => [rule.alert, rule] as const))('%s names the path of its section', (alert, rule) => {
  const { path } = sections.find(({ name }) => name === alert)!;
  expect(rule.annotations.runbook).toBe(`${path}#${alert.toLowerCase()}`);
});

test.each(sections.map(({ name, text }) => [name, text] as const))('%s has all parts', (_name, text) => {
  const parts = [...text.matchAll(/^\*\*([A-Z][a-z ]+)\.?\*\* \S/gm)].map(([, part]) => part);
  expect(parts).toEqual(['Meaning', 'Impact', 'Look at', 'Do', 'Resolves']);
});

test('the list of alerts has each one with its severity and its section', () => {
  const [table] = tablesOf(readPage('docs/operating/alerts.md'));
  expect(table!.rows.map(([alert, severity]) => [alert, severity])).toEqual(
    rules.map(({ alert, labels, annotations }) => [
      `[${alert}](${annotations.runbook.replace('docs/operating/', '')})`,
      labels.severity,
    ]),
  );
});

test('log lines that the sections name are written by the code', () => {
  const code = filesBelow('src', '.ts').map(readPage).join('\n');
  const named = [...prose.matchAll(/\bline\s+`([^`]+)`/g)].map(([, line]) => line!);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((line) => !code.includes(line))).toEqual([]);
});

test('panels that the sections name are on the dashboard', () => {
  const { panels } = JSON.parse(readPage('deploy/grafana/signpost.json')) as { panels: { title: string }[] };
  const named = [...prose.matchAll(/"([A-Z][^"]+)"/g)].map(([, title]) => title!.replaceAll(/\s+/g, ' '));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !panels.some(({ title }) => title.startsWith(name)))).toEqual([]);
});
