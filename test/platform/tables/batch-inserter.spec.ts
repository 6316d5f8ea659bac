import { DatabaseError } from 'pg';
import { BatchInserter } from '../../../src/platform/tables/batch-inserter';
import type { TransactionContext } from '../../../src/platform/postgres/transaction-context';

interface Row {
  id: string;
  storedAs?: string;
}

const refusal = (code: string) => Object.assign(new DatabaseError('refused', 0, 'error'), { code });

/** Builds an inserter of a table that refuses a row with the id `refused`. */
function anInserter({ error = refusal('23505'), commitsEachStatement = true } = {}) {
  const statements: string[][] = [];
  const insertAll = async (rows: Row[]) => {
    statements.push(rows.map(({ id }) => id));
    if (rows.some(({ id }) => id === 'refused')) throw error;
    for (const row of rows) row.storedAs = row.id;
  };
  const insert = async (row: Row) => {
    await insertAll([row]);
    return row;
  };
  const inserter = new BatchInserter<Row>({ commitsEachStatement } as TransactionContext, { insert, insertAll });
  const insertTogether = (...ids: string[]) => Promise.allSettled(ids.map((id) => inserter.insert({ id })));
  return { statements, inserter, insertTogether };
}

const statusOf = (results: PromiseSettledResult<unknown>[]) => results.map(({ status }) => status);

test('rows of one turn are one statement', async () => {
  const { statements, insertTogether } = anInserter();
  const results = await insertTogether('a', 'b', 'c');
  expect(results.map((result) => result.status === 'fulfilled' && result.value)).toEqual(
    ['a', 'b', 'c'].map((id) => ({ id, storedAs: id })),
  );
  expect(statements).toEqual([['a', 'b', 'c']]);
});

test('a refused row fails alone', async () => {
  const { statements, insertTogether } = anInserter();
  expect(statusOf(await insertTogether('a', 'refused', 'c'))).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(statements).toEqual([['a', 'refused', 'c'], ['a'], ['refused'], ['c']]);
});

test('a single refused row is tried once', async () => {
  const { statements, insertTogether } = anInserter();
  expect(statusOf(await insertTogether('refused'))).toEqual(['rejected']);
  expect(statements).toEqual([['refused']]);
});

test.each([
  ['23503', true],
  ['40P01', true],
  ['55P03', true],
  ['53100', false],
  ['57P01', false],
  ['25006', false],
])('after SQLSTATE %s, rows are tried alone: %s', async (code, areTried) => {
  const { statements, insertTogether } = anInserter({ error: refusal(code) });
  const results = await insertTogether('a', 'refused');
  expect(statusOf(results)).toEqual([areTried ? 'fulfilled' : 'rejected', 'rejected']);
  expect(statements).toHaveLength(areTried ? 3 : 1);
});

test('rows with different checks are different statements', async () => {
  const { statements, inserter } = anInserter();
  const check = (limit: number) => ({ function: 'reserve', values: [limit] });
  await Promise.all([
    inserter.insert({ id: 'a' }, check(1)),
    inserter.insert({ id: 'b' }, check(2)),
    inserter.insert({ id: 'c' }, check(1)),
    inserter.insert({ id: 'd' }),
  ]);
  expect(statements).toEqual([['a', 'c'], ['b'], ['d']]);
});

test('a row in a transaction, or of a request with little time left, is a separate statement', async () => {
  const { statements, insertTogether } = anInserter({ commitsEachStatement: false });
  await insertTogether('a', 'b');
  expect(statements).toEqual([['a'], ['b']]);
});
