import { statementName } from '../../../src/platform/observability/statement-spans.otel';

test.each([
  ['SELECT 1', undefined, 'SELECT'],
  ['select id FROM projects p', undefined, 'SELECT projects'],
  [
    'SELECT a, (SELECT count(*) FROM (SELECT 1 FROM inner_one) x) FROM outer_one t WHERE b IN (SELECT 1 FROM c)',
    's4',
    'SELECT outer_one',
  ],
  ['INSERT INTO "dynamic_links"("id") VALUES ($1)', 's5', 'INSERT dynamic_links'],
  ['UPDATE "projects" SET "name" = $1', undefined, 'UPDATE projects'],
  ['DELETE\n  FROM api_keys', undefined, 'DELETE api_keys'],
  ['START TRANSACTION', undefined, 'START'],
  ['COMMIT', undefined, 'COMMIT'],
  ['WITH gone AS (DELETE FROM deferred_links) SELECT * FROM gone', undefined, 'WITH gone'],
  ['SELECT * FROM unnest($1)', 'visited-links', 'visited-links'],
  ['SELECT x FROM y WHERE (', undefined, 'SELECT y'],
  ['', undefined, 'SQL'],
])('%p, prepared as %p, is called %p', (text, given, name) => {
  expect(statementName(text, given)).toBe(name);
  expect(statementName(text, given)).toBe(name);
});
