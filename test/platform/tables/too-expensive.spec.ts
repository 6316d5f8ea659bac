import { DatabaseError } from 'pg';
import {
  DatabaseUnavailable,
  DeadlineExceeded,
  isOutOfTime,
  QueryTooExpensive,
} from '../../../src/platform/postgres/database-error';
import { reportTooExpensive } from '../../../src/platform/tables/too-expensive';
import type { AdaptivePool } from '../../../src/platform/postgres/adaptive-pool';
import { TransactionContext } from '../../../src/platform/postgres/transaction-context';
import type { DataSource } from 'typeorm';

const context = (probe: () => Promise<unknown>) =>
  new TransactionContext({} as DataSource, { query: probe } as unknown as AdaptivePool);
const answering = context(() => Promise.resolve([]));
const failing = context(() => Promise.reject(new Error('Connection terminated')));
const silent = context(() => new Promise(() => {}));

const databaseError = (code: string) => Object.assign(new DatabaseError('', 0, 'error'), { code });
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

test.each([
  ['the statement timeout', databaseError('57014'), true],
  ["the client's timeout", clientTimeout, true],
  ['the deadline of the request', new DeadlineExceeded(), true],
  ['the deadline of a read of ClickHouse', new DatabaseUnavailable(new DeadlineExceeded()), true],
  ['the wait for a connection', new Error('timeout exceeded when trying to connect'), true],
  ['a lock timeout', databaseError('55P03'), false],
  ['a lost connection', new Error('Connection terminated unexpectedly'), false],
  ['a refusal of ClickHouse', new DatabaseUnavailable(new Error('no space')), false],
  ['a fault of this program', new TypeError('x is undefined'), false],
])('%s is a limit of time or not', (_, error, expected) => {
  expect(isOutOfTime(error)).toBe(expected);
});
