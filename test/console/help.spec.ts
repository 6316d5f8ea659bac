import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/chart-tools';
import { readPage } from '../support/pages';
import { load } from './load';

const topics: Record<string, { label: string; page: string; hash?: string }[]> = load('app/help-topics').topics;
const english = load('messages/en').messages;

const fileOf = (page: string): string => join(root, 'docs', `${page.replace(/(^|\/)index$/, '$1README')}.md`);
const routes = [...readPage('console/src/app/router.tsx').matchAll(/\.\.\.at\('([^']+)'\)/g)].map(([, path]) => path!);

test('each page has topics, and no other has', () => {
  expect(routes.length).toBeGreaterThan(5);
  expect(Object.keys(topics).sort()).toEqual(routes.filter((path) => path !== '/help/$').sort());
});

test.each(Object.entries(topics))('the topics of %s lead to headings of pages that exist', (_, ofPage) => {
  for (const { label, page, hash } of ofPage) {
    expect(english[label]).toBeDefined();
    expect(existsSync(fileOf(page))).toBe(true);
    if (hash === undefined) continue;
    const headings = [...readFileSync(fileOf(page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
      text!.toLowerCase().replaceAll(' ', '-'),
    );
    expect(headings).toContain(hash);
  }
});
