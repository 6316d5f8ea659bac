import { newToken } from '../../../src/link-traffic/deferred-links/deferred-link';
import { DeferredLinksService } from '../../../src/link-traffic/deferred-links/deferred-links.service';
import { FakeDeferredLinks, NoMovedLinks } from './fake-deferred-links';

const project = 'a project';
const link = 'a link';

let repository: FakeDeferredLinks;
let service: DeferredLinksService;
let errors: unknown[];
beforeEach(() => {
  jest.useFakeTimers();
  errors = [];
  repository = new FakeDeferredLinks(
    new Map([[link, { customPath: 'p', externalId: null, referrerParams: [], appData: null, clickId: null }]]),
    new Set([project]),
  );
  service = new DeferredLinksService(repository, new NoMovedLinks(), (error) => errors.push(error));
});
afterEach(async () => {
  repository.failure = null;
  await service.stop();
  jest.useRealTimers();
});

const issue = () => service.issue('ios', project, link, '', 'shown');
const issueMany = (count: number): (string | null)[] => Array.from({ length: count }, issue);
const pass = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);

const down = new Error('the database is away');

/** Blocks writes until the returned function is called. */
function hang(): () => void {
  let resume = () => {};
  repository.until = new Promise((resolve) => (resume = resolve));
  return resume;
}

test('tokens of the same interval share one write', async () => {
  issueMany(500);
  expect(repository.writes).toEqual([]);
  await pass(100);
  expect(repository.writes).toEqual([500]);
  await pass(10_000);
  expect(repository.writes).toEqual([500]);
});

test('at most 20,000 tokens wait; further visits get null until a write succeeds', async () => {
  repository.failure = down;
  const tokens = issueMany(20_000);
  expect(tokens).not.toContain(null);
  expect(issueMany(3)).toEqual([null, null, null]);
  await pass(5000);
  expect(issue()).toBeNull();

  repository.failure = null;
  await pass(1000);
  expect(repository.stored.size).toBe(20_000);
  expect(tokens.every((token) => repository.stored.has(token!))).toBe(true);
  expect(issueMany(20_001).filter((token) => token === null)).toHaveLength(1);
});

test('a failed write is retried every second, regardless of new tokens', async () => {
  repository.failure = down;
  issue();
  await pass(100);
  for (let tenth = 0; tenth < 100; tenth++) {
    issue();
    await pass(100);
  }
  expect(repository.writes.length).toBeGreaterThanOrEqual(10);
  expect(repository.writes.length).toBeLessThanOrEqual(12);
  expect(errors).toHaveLength(repository.writes.length);
  repository.failure = null;
  await pass(1000);
  expect(repository.stored.size).toBe(101);
});

test('a hanging write has no successor in a queue, and includes new tokens', async () => {
  const resume = hang();
  issue();
  await pass(100);
  for (let tenth = 0; tenth < 50; tenth++) {
    issue();
    await pass(100);
  }
  expect(repository.writes).toEqual([1]);
  resume();
  await pass(0);
  expect(repository.writes).toEqual([1, 50]);
  await pass(10_000);
  expect(repository.writes).toEqual([1, 50]);
});

test('a claim of a token that cannot be written throws, and succeeds later', async () => {
  repository.failure = down;
  const token = issue();
  await expect(service.claim(project, token)).rejects.toBe(down);
  expect(await service.claim(project, newToken())).toBeNull();
  repository.failure = null;
  await pass(1000);
  expect(await service.claim(project, token)).not.toBeNull();
  expect(await service.claim(project, token)).toBeNull();
});

test('stop writes the waiting tokens', async () => {
  issueMany(1500);
  await service.stop();
  expect(repository.stored.size).toBe(1500);
});

test('stop tries one write if the database is unavailable', async () => {
  repository.failure = down;
  issue();
  await service.stop();
  expect([repository.writes, errors]).toEqual([[1], [down]]);
  await pass(60 * 60_000);
  expect(repository.writes).toEqual([1]);
});

test('stop waits for a running write', async () => {
  const token = issue();
  const resume = hang();
  await pass(100);
  const stopped = service.stop();
  resume();
  await stopped;
  expect(repository.stored.has(token!)).toBe(true);
});

test('expired tokens are purged an hour and at most ten minutes later', async () => {
  issueMany(6000);
  const android = service.issue('android', project, link, '', 'store')!;
  await pass(7 * 24 * 60 * 60_000 - 60_000);
  expect(repository.stored.size).toBe(6001);
  await pass(71 * 60_000);
  expect([...repository.stored.keys()]).toEqual([android]);
  await pass(83 * 24 * 60 * 60_000);
  expect(repository.stored.size).toBe(0);
});
