import { IdempotencyService } from '../../../src/management-api/idempotency/idempotency.service';
import { idempotencyOf, type IdempotentAnswer } from '../../../src/management-api/idempotency/idempotent-answer';
import { IdempotentAnswerRepository } from '../../../src/management-api/idempotency/idempotent-answer.repository';
import { Clock } from '../../../src/shared/clock';
import type { UnitOfWork } from '../../../src/shared/unit-of-work';

const day = 24 * 60 * 60_000;

class ManualClock extends Clock {
  time = Date.UTC(2026, 5, 1);

  override now(): number {
    return this.time;
  }
}

/** An in-memory fake. Another process has claimed the digests in `claimedElsewhere`. */
class InMemoryIdempotentAnswerRepository extends IdempotentAnswerRepository {
  readonly stored = new Map<string, IdempotentAnswer>();
  readonly claimedElsewhere = new Set<string>();
  readonly purges: [Date, number][] = [];
  purgeResults: number[] = [0];

  async claim(requestDigest: Buffer): Promise<boolean> {
    return !this.claimedElsewhere.has(requestDigest.toString('hex'));
  }

  async find(requestDigest: Buffer): Promise<IdempotentAnswer | null> {
    return this.stored.get(requestDigest.toString('hex')) ?? null;
  }

  async put(requestDigest: Buffer, answer: IdempotentAnswer): Promise<void> {
    this.stored.set(requestDigest.toString('hex'), answer);
  }

  async purge(answeredBefore: Date, batch: number): Promise<number> {
    this.purges.push([answeredBefore, batch]);
    const removed = this.purgeResults.shift();
    if (removed === undefined) throw new Error('down');
    return removed;
  }
}

const unitOfWork = { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork;
const request = (fields: { body?: unknown; path?: string; method?: string; account?: string; key?: string } = {}) => {
  const { account = 'acc', method = 'POST', path = '/projects', key = 'k' } = fields;
  const body = 'body' in fields ? fields.body : { name: 'N' };
  return idempotencyOf(account, { method, path, body }, key);
};

let answers: InMemoryIdempotentAnswerRepository;
let clock: ManualClock;
let errors: unknown[];
let service: IdempotencyService;
beforeEach(() => {
  answers = new InMemoryIdempotentAnswerRepository();
  clock = new ManualClock();
  errors = [];
  service = new IdempotencyService(answers, unitOfWork, clock, (error) => errors.push(error));
});
afterEach(() => service.stop());

const made = { location: '/projects/1', body: '{"data":1}' };
const never = () => Promise.reject(new Error('the work ran again'));

test('once runs the work for the first request and replays its response for 24 hours', async () => {
  expect(await service.once(request(), async () => made)).toEqual({ ...made, replayed: false });
  clock.time += day - 1;
  expect(await service.once(request(), never)).toEqual({ ...made, replayed: true });
  clock.time += 1;
  const other = { location: null, body: '{}' };
  expect(await service.once(request(), async () => other)).toEqual({ ...other, replayed: false });
  expect(await service.once(request(), never)).toEqual({ ...other, replayed: true });
});

test('once throws IDEMPOTENCY_CONFLICT while the first request runs', async () => {
  answers.claimedElsewhere.add(request().requestDigest.toString('hex'));
  await expect(service.once(request(), never)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
    message: 'A request with this Idempotency-Key is still running; try again shortly',
  });
});

test('once throws INVALID_INPUT for another body with the same key', async () => {
  await service.once(request(), async () => made);
  await expect(service.once(request({ body: { name: 'M' } }), never)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: 'This Idempotency-Key was used with another body; take a new key for a new request',
  });
});

test('once stores no response of failed work', async () => {
  await expect(service.once(request(), () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(answers.stored.size).toBe(0);
});

test('purge deletes old responses in batches until a batch is not full', async () => {
  answers.purgeResults = [5000, 5000, 4999, 5000];
  await service.purge();
  const before = new Date(clock.time - day);
  expect(answers.purges).toEqual([
    [before, 5000],
    [before, 5000],
    [before, 5000],
  ]);
  expect(errors).toEqual([]);
});

test('purge reports an error without throwing it', async () => {
  answers.purgeResults = [];
  await service.purge();
  expect(errors).toEqual([new Error('down')]);
});

describe('the digest of a request', () => {
  test('does not depend on the letter case of ids', () => {
    expect(request({ path: '/projects/ABC' })).toEqual(request({ path: '/projects/abc' }));
  });

  test.each([
    ['account', { account: 'other' }],
    ['method', { method: 'PUT' }],
    ['path', { path: '/projects/2' }],
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
  expect(() => request({ key })).toThrow('Idempotency-Key must have 1 to 255 visible ASCII characters, such as a UUID');
});

test.each(['!', '~', 'k'.repeat(255)])('the Idempotency-Key %j is accepted', (key) => {
  expect(request({ key }).requestDigest).toHaveLength(32);
});
