import { apiDescription } from '../support/api-description';
import { filesBelow, readPage, tablesOf } from '../support/pages';

const rows = tablesOf(readPage('console/README.md')).find(({ header }) => header[0] === 'operation')!.rows;

/** Operations of the API description by id, as the client names them. */
const operations = new Map(
  Object.entries(apiDescription.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`]),
  ),
);

/** Operations that the code of the console calls. */
const called = new Set(
  [...filesBelow('console/src', '.ts'), ...filesBelow('console/src', '.tsx')].flatMap((path) =>
    [...readPage(path).matchAll(/\bapi\.(GET|PUT|POST|DELETE)\(\s*'([^']+)'/g)].map(
      ([, method, route]) => `${method} ${route}`,
    ),
  ),
);

test('the page names each operation of the API description once', () => {
  expect(rows.map(([operation]) => operation!.replaceAll('`', '')).sort()).toEqual([...operations.keys()].sort());
});

test.each(rows)('%s is on the page %s', (operation, page) => {
  expect(called.has(operations.get(operation.replaceAll('`', ''))!)).toBe(!page.startsWith('–'));
});
