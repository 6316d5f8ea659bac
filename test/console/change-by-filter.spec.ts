import { load } from './load';

const { ApiError } = load('api/api-error');
const { withRetries } = load('api/retries');
const { changeByFilter } = load('pages/links/change-by-filter');

interface Body {
  after?: string;
  expected_count: number;
}
type Answer = ReturnType<typeof answer>;

const answer = (changed: number, remaining = 0) => ({
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

/** Changes links by requests that are answered in turn, and records their bodies and keys. */
function changing(fields: object, answers: (Answer | Error)[], maxRetries = 0, signal?: AbortSignal) {
  const sent: (Body & { key: string })[] = [];
  const post = async (body: Body, key: string): Promise<Answer> => {
    sent.push({ ...body, key });
    const next = answers.shift()!;
    if (next instanceof Error) throw next;
    return next;
  };
  const retried = (body: Body, key: string) => withRetries(() => post(body, key), maxRetries, signal);
  const { run, done } = changeByFilter({ action: 'archive', filter: {}, ...fields }, retried);
  return { sent, run, done };
}

test('a change of many links goes on where the service was busy', async () => {
  const answers = [answer(2000, 2500), busy(429), busy(503), busy(429), answer(2000, 500), answer(500)];
  const { sent, run, done } = changing({ expected_count: 4500 }, answers, 3);
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
  const answers = [answer(2000, 10), busy(503), busy(503), answer(10)];
  const { run, done } = changing({ expected_count: 2010 }, answers, 1);
  await expect(run()).rejects.toMatchObject({ status: 503 });
  expect(done()).toBe(2000);
  expect(await run()).toMatchObject({ done: 2010 });
});

test('a change sends no more requests after its page was left, not even after a wait', async () => {
  const left = new AbortController();
  const answers = [answer(2000, 10), busy(429, 60_000)];
  const { sent, run, done } = changing({ expected_count: 2010 }, answers, 3, left.signal);
  const stopped = expect(run()).rejects.toMatchObject({ name: 'AbortError' });
  setImmediate(() => left.abort());
  await stopped;
  expect(sent).toHaveLength(2);
  expect(done()).toBe(2000);
});

test('a change says how many links it has changed if others match the rest', async () => {
  const { run } = changing({ expected_count: 2010 }, [answer(2000, 10), mismatch(10, 11)]);
  await expect(run()).rejects.toMatchObject({ done: 2000, cause: { code: 'COUNT_MISMATCH' } });
});

test.each([
  ['some', [mismatch(3, 2), mismatch(2, 1), answer(1)], { done: 1, gone: 2 }, [3, 2, 1]],
  ['all', [mismatch(3, 0)], { done: 0, gone: 3 }, [3]],
])('selected links of which %s were deleted are changed without these', async (_, answers, outcome, counts) => {
  const { sent, run } = changing({ ids: ['a', 'b', 'c'], expected_count: 3 }, answers);
  expect(await run()).toMatchObject(outcome);
  expect(sent.map(({ expected_count }) => expected_count)).toEqual(counts);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
});
