import type { Log } from '../../../src/platform/observability/log';
import { ProjectPurge } from '../../../src/links/projects/project-purge';
import type { SubdomainReservations } from '../../../src/links/projects/subdomain-reservations';
import { BackgroundJobs } from '../../../src/shared/background-jobs';

interface Batch {
  projectId: string;
  end: (isDone: boolean) => void;
}

/** Batches that run. They end when the test says so. */
let running: Batch[];
let deleted: string[];
let purge: ProjectPurge;
beforeEach(() => {
  jest.useFakeTimers();
  running = [];
  deleted = ['large', 'small'];
  const projects = {
    list: async () => deleted,
    purgeSome: (projectId: string) =>
      new Promise<boolean>((resolve) => {
        const batch = {
          projectId,
          end: (isDone: boolean) => {
            running.splice(running.indexOf(batch), 1);
            if (isDone) deleted = deleted.filter((id) => id !== projectId);
            resolve(isDone);
          },
        };
        running.push(batch);
      }),
  };
  const reservations = { releaseExpired: async () => {} } as unknown as SubdomainReservations;
  const log = {
    warn: (message: string) => {
      throw new Error(message);
    },
  } as unknown as Log;
  purge = new ProjectPurge(projects, reservations, log, new BackgroundJobs());
});
afterEach(async () => {
  const stopped = purge.stop();
  for (const batch of [...running]) batch.end(true);
  await stopped;
  jest.useRealTimers();
});

const ofRunning = (): string[] => running.map(({ projectId }) => projectId);

test('a long purge is done once, however many sweeps begin meanwhile', async () => {
  void purge.purgeSoon('large');
  void purge.purgeSoon('large');
  void purge.sweep();
  await jest.advanceTimersByTimeAsync(10 * 60_000);
  expect(ofRunning()).toEqual(['large']);
  running[0]!.end(false);
  await jest.advanceTimersByTimeAsync(10 * 60_000);
  expect(ofRunning()).toEqual(['large']);
});

test('another project does not wait for a long purge that its own deletion began', async () => {
  void purge.purgeSoon('large');
  void purge.purgeSoon('small');
  await jest.advanceTimersByTimeAsync(1);
  expect(ofRunning().sort()).toEqual(['large', 'small']);
});

test('a pause follows each batch that is not the last one', async () => {
  void purge.purgeSoon('small');
  await jest.advanceTimersByTimeAsync(400);
  running[0]!.end(false);
  await jest.advanceTimersByTimeAsync(399);
  expect(ofRunning()).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(ofRunning()).toEqual(['small']);
});

test('a deletion waits for its purge, for a second at most', async () => {
  let ended = 0;
  for (const id of ['large', 'small']) void purge.purgeSoon(id).then(() => ended++);
  await jest.advanceTimersByTimeAsync(999);
  running.find(({ projectId }) => projectId === 'small')!.end(true);
  await jest.advanceTimersByTimeAsync(0);
  expect(ended).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(ended).toBe(2);
});
