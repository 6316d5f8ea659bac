import { randomBytes } from 'node:crypto';
import { defaultServerUser } from '../../src/platform/embedded-postgres/server-user';
import type { Answer } from '../support/ask';
import { becomesTrue } from '../support/eventually';
import { available, untilAvailable } from '../support/repeated-rounds';
import { SmallDisk } from '../support/small-disk';
import { expectSoundCounts, useInstallation } from './installation';

/** docs/contract.md, “Errors and codes”: 503 within 5 s. */
const maxAnswerMs = 5000;

let disk: SmallDisk;
let link: string;
beforeAll(async () => {
  disk = await SmallDisk.mount();
});
const on = useInstallation('full', {
  // Background processes must not free space.
  postgres: { autovacuum: 'off' },
  prepare: async (cluster) => {
    const location = disk.directoryFor('tablespace', await defaultServerUser());
    await cluster.query(`CREATE TABLESPACE small LOCATION '${location}'`, 'template1');
    await cluster.query('ALTER DATABASE postgres SET TABLESPACE small', 'template1');
  },
});
beforeAll(async () => {
  on.service.startSteadyClock();
  link = await on.createLink('updated', { referrer_params: large() });
  for (const path of ['known', ...Array.from({ length: 20 }, (_, at) => `other-${at}`)]) await on.createLink(path);
});
afterAll(() => disk.remove());

/** About 24 kB of incompressible data, more than the free space of any page. */
const large = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`p${at}`, randomBytes(240).toString('hex')]));

const write = (method: string, path: string, fields: object): Promise<Answer> =>
  on.service.ask(path, { method, key: on.key, body: { ...fields, referrer_params: large() } });
const create = (): Promise<Answer> => write('POST', on.links, { name: 'Made', custom_path: `made-${++count}` });

let count = 0;
const writes = (): Promise<Answer[]> => Promise.all([create(), write('PUT', `${on.links}/${link}`, {}), create()]);

const statuses = (answers: Answer[]): string => answers.map(({ status }) => status).join();

it('a full disk refuses writes, serves reads and redirects, and needs no restart', async () => {
  const { pid } = on.service;
  expect((await on.service.visit('full', '/known')).status).toBe(302);
  expect(statuses(await writes())).toBe('201,200,201');
  disk.fill();
  expect(disk.free).toBe(0);
  // Fills the free space of existing pages first.
  expect(await becomesTrue(async () => statuses(await writes()) === '503,503,503')).toBe(true);

  const refused: Answer[] = [];
  let reads = 0;
  for (let round = 0; round < 20; round++) {
    refused.push(...(await writes()));
    const answers = await untilAvailable(async () =>
      available(
        await Promise.all([
          on.service.ask(`${on.links}/${link}`, { key: on.key }),
          on.service.ask(`${on.links}?search=o&limit=100`, { key: on.key }),
          on.service.ask('/api/v1/projects', { key: on.key }),
          on.service.visit('full', '/known'),
          // Not cached, so it needs a query.
          on.service.visit('full', `/other-${round}`),
          on.service.ask('/health/ready'),
        ]),
      ),
    );
    expect(answers.map(({ status, text }) => (status < 300 || status === 302 ? 'well' : text))).toEqual(
      answers.map(() => 'well'),
    );
    reads += answers.length;
  }
  for (const { status, json, tookSteady } of refused) {
    expect([status, json.error?.code]).toEqual([503, 'DATABASE_ERROR']);
    expect(tookSteady).toBeLessThan(maxAnswerMs);
  }

  disk.empty();
  const emptiedAt = performance.now();
  const after = await writes();
  expect(statuses(after)).toBe('201,200,201');
  expect([on.service.pid, on.service.running]).toEqual([pid, true]);
  console.info(
    `disk full: ${refused.length} writes refused with 503, ${reads} reads and visits answered meanwhile, ` +
      `written again ${Math.round(performance.now() - emptiedAt)} ms after space was freed`,
  );
  await expectSoundCounts(on.cluster);
});
