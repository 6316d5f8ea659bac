import { createRequire } from 'node:module';

/** The console has other TypeScript settings, which an import would not follow. */
const { proposedSubdomain } = createRequire(__filename)('../../console/src/pages/projects/proposed-subdomain') as {
  proposedSubdomain: (name: string) => string;
};

test.each([
  ['Summer Sale 2026', 'summer-sale-2026'],
  ['München Süd', 'munchen-sud'],
  ['Mu\u0308nchen', 'munchen'],
  ['Große STRAẞE', 'grosse-strasse'],
  ['Crème brûlée', 'creme-brulee'],
  ['İzmir', 'izmir'],
  [' – Café! – ', 'cafe'],
  ['日本', ''],
  [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
  ['a'.repeat(80), 'a'.repeat(63)],
])('%s is proposed as %s', (name, subdomain) => {
  expect(proposedSubdomain(name)).toBe(subdomain);
});
