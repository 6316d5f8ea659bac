import { DatabaseError } from 'pg';
import { errorAnswer } from '../../../src/management-api/kit/error-answer';
import { DatabaseUnavailable, DeadlineExceeded, isAboutRows } from '../../../src/platform/postgres/database-error';
import { fromSentError, toSentError } from '../../../src/platform/threads/sent-error';
import { ConcurrencyLimited } from '../../../src/platform/rate-limit/rate-limit.errors';
import { NotFound } from '../../../src/shared/domain-error';
import { InvalidInput } from '../../../src/shared/problem';

const databaseError = (code: string) => Object.assign(new DatabaseError('refused', 7, 'error'), { code });

test.each<[string, Error]>([
  ['a refused input', InvalidInput.asAWhole('too_small', 'The file has no rows')],
  ['a missing resource', new NotFound('Import')],
  ['a used share', new ConcurrencyLimited()],
  ['an unavailable database', new DatabaseUnavailable(new Error('gone'))],
  ['a time limit', new DeadlineExceeded('too late')],
  ['a lost connection', new Error('Connection terminated unexpectedly')],
  ['a server that refuses', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['a server that stops', databaseError('57P01')],
  ['a refused row', databaseError('23503')],
  ['a fault of the program', new TypeError('x is undefined')],
])('%s has the same answer from another thread', (_, error) => {
  const sent = fromSentError(structuredClone(toSentError(error)));
  expect(errorAnswer(sent, 'POST')).toEqual(errorAnswer(error, 'POST'));
  expect(isAboutRows(sent)).toBe(isAboutRows(error));
});

test('an error of the program keeps its stack, and one without a class its text', () => {
  const error = new TypeError('x is undefined');
  expect(fromSentError(structuredClone(toSentError(error))).stack).toBe(error.stack);
  expect(fromSentError(structuredClone(toSentError('odd'))).message).toBe('odd');
});
