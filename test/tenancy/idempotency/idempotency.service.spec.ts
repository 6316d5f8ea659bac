import { IdempotencyService } from '../../../src/tenancy/idempotency/idempotency.service';
import { idempotencyOf, storedBytes } from '../../../src/tenancy/idempotency/idempotent-answer';
import type { Log } from '../../../src/platform/observability/log';
import { BackgroundJobs } from '../../../src/shared/background-jobs';
import type { UnitOfWork } from '../../../src/shared/unit-of-work';
import { FakeIdempotentAnswers } from './fake-idempotent-answers';

const day = 24 * 60 * 60_000;

const unitOfWork = { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork;
interface Fields {
  body?: unknown;
  route?: string;
  params?: Record<string, string>;
  method?: string;
  account?: string;
  key?: string;
}
const request = (fields: Fields = {}) => {
  const { account = 'acc', method = 'POST', route = '/projects/:projectId/links', key = 'k' } = fields;
  const { params = { projectId: 'p1' } } = fields;
  const body = 'body' in fields ? fields.body : { name: 'N' };
  return idempotencyOf(account, { method, route, params, body }, key);
};

let answers: FakeIdempotentAnswers;
let warnings: unknown[];
let service: IdempotencyService;
afterEach(() => jest.restoreAllMocks());
beforeEach(() => {
  answers = new FakeIdempotentAnswers();
  warnings = [];
  const log = { warn: (message: unknown) => warnings.push(message) } as unknown as Log;
  service = new IdempotencyService(answers, unitOfWork, log, new BackgroundJobs());
});
afterEach(() => service.beforeApplicationShutdown());

const made = { body: '{"data":1}' };
const never = () => Promise.reject(new Error('the work ran again'));

test('once runs the work for the first request and replays its response for 24 hours', async () => {
  expect(await service.once(request(), async () => made)).toEqual({ ...made, replayed: false });
  answers.now += day - 1;
  expect(await service.once(request(), never)).toEqual({ ...made, replayed: true });
  answers.now += 1;
  const other = { body: '{}' };
  expect(await service.once(request(), async () => other)).toEqual({ ...other, replayed: false });
  expect(await service.once(request(), never)).toEqual({ ...other, replayed: true });
});

test('the large answers of an account have a limit, and small ones and other accounts have none', async () => {
  const large = { body: 'x'.repeat(storedBytes.large + 1) };
  jest.replaceProperty(storedBytes, 'ofAccount', 2 * large.body.length);
  for (const key of ['a', 'b']) await service.once(request({ key }), async () => large);
  await expect(service.once(request({ key: 'c' }), async () => large)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 3600,
    details: { reason: 'stored_answers' },
  });
  await service.once(request({ key: 'd' }), async () => ({ body: 'x'.repeat(storedBytes.large) }));
  await service.once(request({ account: 'other' }), async () => large);
  expect(await service.once(request({ key: 'a' }), never)).toEqual({ ...large, replayed: true });
});

test('a request that still runs is refused', async () => {
  answers.claimed.add(request().requestDigest.toString('hex'));
  await expect(service.once(request(), never)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
    message: 'A request with this Idempotency-Key is still running; try again shortly',
  });
});

test('once throws INVALID_INPUT for another body with the same key', async () => {
  await service.once(request(), async () => made);
  await expect(service.once(request({ body: { name: 'M' } }), never)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: 'This Idempotency-Key was used with another body; use a new key for a new request',
  });
});

test('once stores no response of failed work', async () => {
  await expect(service.once(request(), () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(answers.kept.size).toBe(0);
});

test.each([
  [0, 1],
  [4999, 1],
  [5000, 2],
  [14_999, 3],
])('%d old answers are purged in %d batches, and newer ones stay', async (old, purges) => {
  const put = (number: number) =>
    answers.put({ accountId: 'acc', requestDigest: Buffer.from(`${number}`), payloadDigest: Buffer.alloc(32) }, made);
  for (let number = 1; number <= old; number++) await put(number);
  answers.now += 1;
  await put(0);
  answers.now += day - 1;
  await service.purge();
  expect([...answers.kept.keys()]).toEqual([Buffer.from('0').toString('hex')]);
  expect(answers.purges).toBe(purges);
  expect(warnings).toEqual([]);
});

test('a purge that fails is reported and throws nothing', async () => {
  answers.failure = new Error('down');
  await service.purge();
  expect(warnings).toEqual(['old answers are purged later: down']);
});

describe('the digest of a request', () => {
  test('does not depend on the letter case of ids', () => {
    expect(request({ params: { projectId: 'ABC' } })).toEqual(request({ params: { projectId: 'abc' } }));
  });

  test.each([
    ['account', { account: 'other' }],
    ['method', { method: 'PUT' }],
    ['route', { route: '/projects/:projectId/short-links' }],
    ['parameters', { params: { projectId: 'p2' } }],
    ['key', { key: 'K' }],
  ])('depends on the %s', (_, fields) => {
    expect(request(fields).requestDigest).not.toEqual(request().requestDigest);
    expect(request(fields).payloadDigest).toEqual(request().payloadDigest);
  });

  test('does not depend on the body, which has a separate digest', () => {
    expect(request({ body: {} }).requestDigest).toEqual(request().requestDigest);
    expect(request({ body: {} }).payloadDigest).not.toEqual(request().payloadDigest);
    expect(request({ body: undefined }).payloadDigest).toEqual(request({ body: null }).payloadDigest);
  });
});

test.each(['', ' ', 'a b', 'a\n', '\u007f', 'é', 'k'.repeat(256)])('the Idempotency-Key %j is refused', (key) => {
  const message = 'Idempotency-Key must have 1 to 255 visible ASCII characters, such as a UUID';
  const details = [{ code: 'invalid_format', path: ['Idempotency-Key'], message }];
  expect(() => request({ key })).toThrow(expect.objectContaining({ message, details }));
});

test.each(['!', '~', 'k'.repeat(255)])('the Idempotency-Key %j is accepted', (key) => {
  expect(request({ key }).requestDigest).toHaveLength(32);
});
