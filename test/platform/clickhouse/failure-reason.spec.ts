import { ClickHouseUnavailable } from '../../../src/platform/clickhouse/clickhouse';
import { failureReason } from '../../../src/platform/clickhouse/failure-reason';
import { DatabaseUnavailable } from '../../../src/platform/postgres/database-error';

test.each<[string, unknown, string]>([
  ['ClickHouse', new ClickHouseUnavailable(new Error('wrong password')), 'ClickHouse: wrong password'],
  ['PostgreSQL', new DatabaseUnavailable(new Error('too many clients')), 'too many clients'],
  ['a usual error', new Error('no such project'), 'no such project'],
  ['a text', 'unknown', 'unknown'],
  [
    'a host with several addresses',
    new ClickHouseUnavailable(new AggregateError([new Error('connect ECONNREFUSED ::1'), new Error('and 127.0.0.1')])),
    'ClickHouse: connect ECONNREFUSED ::1; and 127.0.0.1',
  ],
])('the reason of an error of %s', (_, error, reason) => {
  expect(failureReason(error)).toBe(reason);
});
