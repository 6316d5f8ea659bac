import { DatabaseError } from 'pg';
import { DeadlineExceeded, QueryTooExpensive } from '../../../src/platform/postgres/database-error';
import { reportTooExpensive } from '../../../src/platform/postgres/too-expensive';
import type { TransactionContext } from '../../../src/platform/postgres/transaction-context';

const context = (probe: () => Promise<unknown>) => ({ read: probe }) as unknown as TransactionContext;
const answering = context(() => Promise.resolve([]));
const failing = context(() => Promise.reject(new Error('Connection terminated')));
const silent = context(() => new Promise(() => {}));

function databaseError(code: string): DatabaseError {
  const error = new DatabaseError('', 0, 'error');
  error.code = code;
  return error;
}

const clientTimeout = new Error('Query read timeout');

test.each([
  ['the statement timeout', databaseError('57014'), silent, true],
  ["the client's timeout, if the database answers", clientTimeout, answering, true],
  ["the client's timeout, if the database fails", clientTimeout, failing, false],
  ["the client's timeout, if the database is silent", clientTimeout, silent, false],
  ['the deadline of the request, if the database answers', new DeadlineExceeded(), answering, true],
  ['a lock timeout', databaseError('55P03'), answering, false],
  ['a lost connection', new Error('Connection terminated unexpectedly'), answering, false],
])('%s makes a read too expensive or not', async (_, thrown, on, isTooExpensive) => {
  const error: unknown = await reportTooExpensive(on, () => Promise.reject(thrown)).catch((caught: unknown) => caught);
  expect(error instanceof QueryTooExpensive).toBe(isTooExpensive);
  if (!isTooExpensive) expect(error).toBe(thrown);
});

test('a read that succeeds is returned', async () => {
  expect(await reportTooExpensive(failing, () => Promise.resolve(7))).toBe(7);
});
