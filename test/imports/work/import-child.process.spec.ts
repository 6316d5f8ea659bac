import { connect } from 'node:net';
import { Cluster } from '../../support/cluster';
import { becomesTrue, eventually, until } from '../../support/eventually';
import { anAccountByShell, endAllPrograms, Program } from '../../support/process';
import { childrenOf, isAlive } from '../../support/running-processes';
import { SteadyClock } from '../../support/steady-clock';
import { fixture } from '../../support/fixtures';

/** A visit must be served with a change within this time. */
const maxDelayMs = 1000;

afterAll(endAllPrograms);
const cluster = fixture(
  () => Cluster.create(),
  (created) => created.remove(),
);
let service: Program;
let key: string;
let projectId: string;

beforeAll(async () => {
  service = await Program.serving({ DATABASE_URL: cluster.url });
  key = (await anAccountByShell({ DATABASE_URL: cluster.url })).api_key.key;
  const body = { name: 'Imported', subdomain: 'imported' };
  const project = await service.ask('/api/v1/projects', { method: 'POST', key, body });
  projectId = String(project.json.data['id']);
});

const importsPath = (): string => `/api/v1/projects/${projectId}/imports`;

const upload = (file: Buffer): Promise<Response> =>
  fetch(`http://127.0.0.1:${service.port}${importsPath()}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: new Uint8Array(file),
  });

const imports = async (): Promise<{ id: string; state: string }[]> =>
  (await service.ask(importsPath(), { key })).json.data as unknown as { id: string; state: string }[];

test('a file whose sender disappears leaves nothing', async () => {
  const socket = connect(service.port, '127.0.0.1');
  const head = [
    `POST ${importsPath()} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: text/csv',
    'Content-Length: 1000000',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\nname\nOne\n`);
  expect(await becomesTrue(async () => (await imports())[0]?.state === 'uploading')).toBe(true);
  socket.destroy();
  expect(await becomesTrue(async () => (await imports()).length === 0)).toBe(true);
});

/** The process of imports. It exists while there are jobs, and a minute longer. */
const child = () => eventually(() => childrenOf(service.pid)[0] ?? false);

test('a process of imports that dies is started again, and the service answers meanwhile', async () => {
  const pids: number[] = [];
  for (const name of ['first', 'second']) {
    const answer = await upload(Buffer.from(`name,custom_path\nOne,${name}\n`));
    const { data } = (await answer.json()) as { data: { id: string } };
    const state = async () => (await imports()).find(({ id }) => id === data.id)?.state;
    expect(await becomesTrue(async () => (await state()) === 'ready')).toBe(true);
    pids.push(await child());
    process.kill(pids.at(-1)!, 'SIGKILL');
    expect((await service.ask('/health/ready')).status).toBe(200);
    await until(() => !isAlive(pids.at(-1)!));
  }
  expect(pids[0]).not.toBe(pids[1]);
  expect(service.stdout).toContain('the process of imports has failed, will be started again: it ended with SIGKILL');
});

test('visitors reach the links of an import within a second', async () => {
  const early = await service.visit('imported', '/one');
  const answer = await upload(Buffer.from('name,custom_path,desktop_fallback_url\nOne,one,https://example.com/one\n'));
  const { data } = (await answer.json()) as { data: { id: string } };
  const state = async () => (await imports()).find(({ id }) => id === data.id)?.state;
  expect(await becomesTrue(async () => (await state()) === 'ready')).toBe(true);
  await service.ask(`${importsPath()}/${data.id}/run`, { method: 'POST', key });
  expect(await becomesTrue(async () => (await state()) === 'completed')).toBe(true);
  expect(early.status).toBe(404);
  const clock = new SteadyClock(() => cluster.query('SELECT'));
  const isServed = async () => (await service.visit('imported', '/one')).status === 200;
  expect(await becomesTrue(isServed, maxDelayMs, clock.now)).toBe(true);
  await clock.stop();
});

test('the process of imports ends with the service, also if that is killed', async () => {
  const others = [await Program.serving({ DATABASE_URL: cluster.url }), service];
  const pids: number[] = [];
  for (const program of others) {
    service = program;
    await upload(Buffer.from('name,custom_path\nOne,third\n'));
    // The first one that is free takes the job, so that each may have a process.
    pids.push(await child());
  }
  await others[0]!.kill();
  expect(await others[1]!.stop()).toEqual({ code: 0, signal: null });
  for (const pid of pids) await until(() => !isAlive(pid));
});
