import { randomBytes } from 'node:crypto';
import { defaultServerUser } from '../../src/platform/embedded-postgres/server-user';
import { Cluster } from '../support/cluster';
import type { Answer } from '../support/ask';
import { becomesTrue } from '../support/eventually';
import { anAccountByShell, endAllPrograms, Program } from '../support/process';
import { available, untilAvailable } from '../support/repeated-rounds';
import { SmallDisk } from '../support/small-disk';

/** docs/contract.md, “Errors and codes”: 503 within 5 s. */
const maxAnswerMs = 5000;

let disk: SmallDisk;
let cluster: Cluster;
let service: Program;
let key: string;
let links: string;
let link: string;

beforeAll(async () => {
  disk = await SmallDisk.mount();
  // Background processes must not free space.
  cluster = await Cluster.create({ autovacuum: 'off' });
  const location = disk.directoryFor('tablespace', await defaultServerUser());
  await cluster.query(`CREATE TABLESPACE small LOCATION '${location}'`, 'template1');
  await cluster.query('ALTER DATABASE postgres SET TABLESPACE small', 'template1');
  const environment = { DATABASE_URL: cluster.url };
  service = await Program.serving(environment);
  service.startSteadyClock();
  key = (await anAccountByShell(environment, 'enterprise')).api_key.key;
  const body = { name: 'Full', subdomain: 'full' };
  const project = await service.ask('/api/v1/projects', { method: 'POST', key, body });
  links = `/api/v1/projects/${String(project.json.data['id'])}/links`;
  link = String((await create('updated', large())).json.data['id']);
  for (const path of ['known', ...Array.from({ length: 20 }, (_, at) => `other-${at}`)])
    expect((await create(path)).status).toBe(201);
});
afterAll(async () => {
  await endAllPrograms();
  await cluster.remove();
  disk.remove();
});

/** About 24 kB of incompressible data, more than the free space of any page. */
const large = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`p${at}`, randomBytes(240).toString('hex')]));

const create = (path: string, params: Record<string, string> = {}): Promise<Answer> =>
  service.ask(links, {
    method: 'POST',
    key,
    body: { name: path, custom_path: path, desktop_url: 'https://example.com/', referrer_params: params },
  });
const update = (): Promise<Answer> =>
  service.ask(`${links}/${link}`, { method: 'PUT', key, body: { referrer_params: large() } });

let count = 0;
const writes = (): Promise<Answer[]> =>
  Promise.all([create(`made-${++count}`, large()), update(), create(`made-${++count}`, large())]);

const statuses = (answers: Answer[]): string => answers.map(({ status }) => status).join();

it('a full disk refuses writes, serves reads and redirects, and needs no restart', async () => {
  const { pid } = service;
  expect((await service.visit('full', '/known')).status).toBe(302);
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
          service.ask(`${links}/${link}`, { key }),
          service.ask(`${links}?search=o&limit=100`, { key }),
          service.ask('/api/v1/projects', { key }),
          service.visit('full', '/known'),
          // Not cached, so it needs a query.
          service.visit('full', `/other-${round}`),
          service.ask('/health/ready'),
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
  expect([service.pid, service.running]).toEqual([pid, true]);
  console.info(
    `disk full: ${refused.length} writes refused with 503, ${reads} reads and visits answered meanwhile, ` +
      `written again ${Math.round(performance.now() - emptiedAt)} ms after space was freed`,
  );
  const [rows] = await cluster.query<{ kept: number; real: number; paths: number }>(
    `SELECT (SELECT sum(dynamic_links)::int FROM project_counts) AS kept, (SELECT count(*)::int FROM dynamic_links) AS real,
            (SELECT count(*)::int FROM link_paths) AS paths`,
  );
  expect([rows!.kept, rows!.paths]).toEqual([rows!.real, rows!.real]);
});
