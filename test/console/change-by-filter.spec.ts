import { createRequire } from 'node:module';

interface Body {
  ids?: string[];
  after?: string;
  expected_count: number;
}
interface Answer {
  changed: number;
  unchanged: number;
  failures: object[];
  remaining: number;
  next_after: string | null;
}
interface Outcome {
  done: number;
  gone: number;
}

/** The console has other TypeScript settings, which an import would not follow. */
const load = createRequire(__filename);
const { ApiError } = load('../../console/src/api/api-error') as {
  ApiError: new (code: string, message: string, status: number, details?: object, retryAfterMs?: number) => Error;
};
const { withRetries } = load('../../console/src/api/retries') as {
  withRetries<T>(send: () => Promise<T>, max: number, signal?: AbortSignal): Promise<T>;
};
const { changeByFilter } = load('../../console/src/pages/links/change-by-filter') as {
  changeByFilter(
    body: Body & object,
    post: (body: Body, key: string) => Promise<Answer>,
  ): { run: () => Promise<Outcome>; done: () => number };
};

const answer = (changed: number, remaining = 0): Answer => ({
  changed,
  unchanged: 0,
  failures: [],
  remaining,
  next_after: remaining === 0 ? null : `after-${remaining}`,
});
const mismatch = (expected: number, actual: number): Error =>
  new ApiError('COUNT_MISMATCH', 'Others', 409, { expected_count: expected, actual_count: actual });
const busy = (status: number, retryAfterMs = 1): Error =>
  new ApiError('RATE_LIMITED', 'Later', status, undefined, retryAfterMs);

/** Answers requests in turn, and records their bodies and keys. */
function answering(...answers: (Answer | Error)[]) {
  const sent: (Body & { key: string })[] = [];
  const post = async (body: Body, key: string): Promise<Answer> => {
    sent.push({ ...body, key });
    const next = answers.shift()!;
    if (next instanceof Error) throw next;
    return next;
  };
  return { sent, post };
}

const filter = { action: 'archive', filter: {} };

test('a change of many links goes on where the service was busy', async () => {
  const { sent, post } = answering(answer(2000, 2500), busy(429), busy(503), busy(429), answer(2000, 500), answer(500));
  const { run, done } = changeByFilter({ ...filter, expected_count: 4500 }, (body, key) =>
    withRetries(() => post(body, key), 3),
  );
  expect(await run()).toMatchObject({ done: 4500, gone: 0 });
  expect(done()).toBe(4500);
  expect(sent.map(({ after, expected_count }) => [after, expected_count])).toEqual([
    [undefined, 4500],
    ...Array.from({ length: 4 }, () => ['after-2500', 2500]),
    ['after-500', 500],
  ]);
  // A repeated request has the same key, and each other request another one.
  expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
});

test('a change stops after too many failures in a row, and goes on when it is called again', async () => {
  const { post } = answering(answer(2000, 10), busy(503), busy(503), answer(10));
  const { run, done } = changeByFilter({ ...filter, expected_count: 2010 }, (body, key) =>
    withRetries(() => post(body, key), 1),
  );
  await expect(run()).rejects.toMatchObject({ status: 503 });
  expect(done()).toBe(2000);
  expect(await run()).toMatchObject({ done: 2010 });
});

test('a change sends no more requests after its page was left, not even after a wait', async () => {
  const left = new AbortController();
  const { sent, post } = answering(answer(2000, 10), busy(429, 60_000));
  const { run, done } = changeByFilter({ ...filter, expected_count: 2010 }, (body, key) =>
    withRetries(() => post(body, key), 3, left.signal),
  );
  const stopped = expect(run()).rejects.toMatchObject({ name: 'AbortError' });
  setImmediate(() => left.abort());
  await stopped;
  expect(sent).toHaveLength(2);
  expect(done()).toBe(2000);
});

test('a change says how many links it has changed if others match the rest', async () => {
  const { post } = answering(answer(2000, 10), mismatch(10, 11));
  const { run } = changeByFilter({ ...filter, expected_count: 2010 }, post);
  await expect(run()).rejects.toMatchObject({ done: 2000, cause: { code: 'COUNT_MISMATCH' } });
});

describe('selected links of which some were deleted', () => {
  const ids = ['a', 'b', 'c'];

  test('are changed without these', async () => {
    const { sent, post } = answering(mismatch(3, 2), mismatch(2, 1), answer(1));
    expect(await changeByFilter({ ...filter, ids, expected_count: 3 }, post).run()).toMatchObject({ done: 1, gone: 2 });
    expect(sent.map(({ expected_count }) => expected_count)).toEqual([3, 2, 1]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
  });

  test('need no request if none exists', async () => {
    const { sent, post } = answering(mismatch(3, 0));
    expect(await changeByFilter({ ...filter, ids, expected_count: 3 }, post).run()).toMatchObject({ done: 0, gone: 3 });
    expect(sent).toHaveLength(1);
  });
});
