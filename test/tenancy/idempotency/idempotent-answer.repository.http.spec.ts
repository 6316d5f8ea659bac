import { randomBytes } from 'node:crypto';
import { type IdempotentAnswer, storedBytes } from '../../../src/tenancy/idempotency/idempotent-answer';
import { IdempotentAnswerRepository } from '../../../src/tenancy/idempotency/idempotent-answer.repository';
import { outsideRequests } from '../../../src/platform/postgres/request-context';
import { newId } from '../../../src/shared/id';
import { UnitOfWork } from '../../../src/shared/unit-of-work';
import { FakeIdempotentAnswers } from './fake-idempotent-answers';
import { serviceFixture } from '../../support/fixtures';

/** The promises of the port, which PostgreSQL's adapter and the fake both keep. */
const on = serviceFixture();

interface Subject {
  port: IdempotentAnswerRepository;
  run: <T>(work: () => Promise<T>) => Promise<T>;
  /** Runs the work while another unit of work has claimed the request. */
  whileClaimed: (digest: Buffer, work: () => Promise<void>) => Promise<void>;
  age: (milliseconds: number) => Promise<void>;
}

function postgresql(): Subject {
  const port = on.service.app.get(IdempotentAnswerRepository, { strict: false });
  const unitOfWork = on.service.app.get(UnitOfWork, { strict: false });
  const run: Subject['run'] = (work) => unitOfWork.run(work);
  return {
    port,
    run,
    // Another unit of work runs on another connection, also within this one.
    whileClaimed: (digest, work) =>
      run(async () => {
        await port.claim(digest);
        await outsideRequests(work);
      }),
    age: async (milliseconds) => {
      await on.database.query(
        "UPDATE idempotent_answers SET answered_at = answered_at - $1 * interval '1 millisecond'",
        [milliseconds],
      );
    },
  };
}

function fake(): Subject {
  const port = new FakeIdempotentAnswers();
  return {
    port,
    run: (work) => work(),
    whileClaimed: async (digest, work) => {
      port.claimed.add(digest.toString('hex'));
      await work();
      port.claimed.delete(digest.toString('hex'));
    },
    age: async (milliseconds) => {
      port.now += milliseconds;
    },
  };
}

const day = 24 * 3600_000;
const minute = 60_000;
const aDigest = () => randomBytes(32);
const anAnswer = (fields: Partial<IdempotentAnswer> = {}): IdempotentAnswer => ({
  payloadDigest: aDigest(),
  body: '{"data":1}',
  ...fields,
});

describe.each([
  ['PostgreSQL', postgresql],
  ['the fake', fake],
])('%s', (_, make) => {
  let subject: Subject;
  beforeAll(() => (subject = make()));
  const put = (requestDigest: Buffer, { payloadDigest, ...answer }: IdempotentAnswer, accountId = newId()) =>
    subject.port.put({ accountId, requestDigest, payloadDigest }, answer);

  test('finds the answer of a request, and no other', async () => {
    const [digest, answer] = [aDigest(), anAnswer()];
    await put(digest, answer);
    expect(await subject.port.find(digest)).toEqual(answer);
    expect(await subject.port.find(aDigest())).toBeNull();
  });

  test('counts the bytes of the large answers of an account', async () => {
    const [account, large] = [newId(), 'ä'.repeat(storedBytes.large / 2 + 1)];
    await put(aDigest(), anAnswer({ body: 'x'.repeat(storedBytes.large) }), account);
    expect(await subject.port.largeBytesOf(account)).toBe(0);
    for (let stored = 0; stored < 2; stored++) await put(aDigest(), anAnswer({ body: large }), account);
    await put(aDigest(), anAnswer({ body: large }));
    expect(await subject.port.largeBytesOf(account)).toBe(2 * (storedBytes.large + 2));
  });

  test('replaces an older answer', async () => {
    const digest = aDigest();
    await put(digest, anAnswer());
    const answer = anAnswer({ body: '{}' });
    await put(digest, answer);
    expect(await subject.port.find(digest)).toEqual(answer);
  });

  test('lets one unit of work claim a request until it ends', async () => {
    const [digest, other] = [aDigest(), aDigest()];
    const claim = (claimed: Buffer) => subject.run(() => subject.port.claim(claimed));
    expect(await claim(digest)).toBe(true);
    await subject.whileClaimed(digest, async () => {
      expect(await claim(digest)).toBe(false);
      expect(await claim(other)).toBe(true);
    });
    expect(await claim(digest)).toBe(true);
  });

  test('finds no answer after 24 hours, and takes a new one then', async () => {
    const [digest, answer] = [aDigest(), anAnswer()];
    await put(digest, answer);
    await subject.age(day - minute);
    expect(await subject.port.find(digest)).toEqual(answer);
    await subject.age(minute);
    expect(await subject.port.find(digest)).toBeNull();
    await put(digest, answer);
    expect(await subject.port.find(digest)).toEqual(answer);
  });

  test('purges expired answers by the batch, and keeps the others', async () => {
    await subject.age(day);
    await subject.port.purge(1000);
    for (let stored = 0; stored < 3; stored++) await put(aDigest(), anAnswer());
    await subject.age(minute);
    const kept = aDigest();
    await put(kept, anAnswer());
    expect(await subject.port.purge(2)).toBe(0);
    await subject.age(day - minute);
    expect(await subject.port.purge(2)).toBe(2);
    expect(await subject.port.purge(2)).toBe(1);
    expect(await subject.port.purge(2)).toBe(0);
    expect(await subject.port.find(kept)).not.toBeNull();
  });
});
