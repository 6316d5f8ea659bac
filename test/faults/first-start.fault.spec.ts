import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { demoLinks } from '../../src/app/demo-content';
import { serverPid, temporaryDirectory } from '../support/cluster';
import { ask } from '../support/ask';
import { becomesTrue, until } from '../support/eventually';
import { freePort } from '../support/free-port';
import { endAllPrograms, Program, run, type ShellAccount } from '../support/process';
import { isAlive } from '../support/running-processes';

const execute = promisify(execFile);

let directory: string;
let dataDir: string;

beforeEach(() => {
  directory = temporaryDirectory();
  dataDir = join(directory, 'data');
});

/** Expects no database server after the programs have exited. */
afterEach(async () => {
  await endAllPrograms();
  const pid = serverPid(dataDir);
  const gone = pid === null || (await becomesTrue(() => !isAlive(pid)));
  rmSync(directory, { recursive: true, force: true });
  expect(gone).toBe(true);
});

const keyPattern = /svc_live_[0-9A-Za-z]{46}/g;

const createAccount = ['account', 'create', '--name', 'By shell', '--plan', 'free', '--json'];

const canUse = async (service: Program, key: string): Promise<boolean> =>
  (await service.ask('/api/v1/projects', { key })).status === 200;

it('the first start on an empty directory prints the commands for a first link once, and the next start keeps the link', async () => {
  const port = await freePort();
  const environment = { DATA_DIR: dataDir, PORT: String(port) };
  const first = await Program.serving(environment);
  await until(() => first.stdout.includes('API description:'));
  const keys = first.stdout.match(keyPattern)!;
  expect(new Set(keys).size).toBe(1);
  const curl = first.stdout.split('\n').filter((line) => line.startsWith('curl '));
  expect(curl).toHaveLength(1);
  expect(first.stdout.match(/http:\/\/demo\.localhost:\d+\/\S+/g)).toEqual([`http://demo.localhost:${port}/hello`]);

  const keyLine = first.stdout.split('\n').find((line) => line.startsWith('export '));
  const { stdout } = await execute('/bin/sh', ['-c', `${keyLine}\n${curl[0]!} -w '\\n%{http_code}'`]);
  const [body, status] = stdout.split('\n') as [string, string];
  expect(status).toBe('201');
  const link = (JSON.parse(body) as { data: { full_url: string } }).data;
  expect(link.full_url).toBe(`http://demo.localhost:${port}/hello`);
  const visit = (): ReturnType<typeof ask> =>
    ask(port, { path: '/hello', headers: { Host: new URL(link.full_url).host } });
  const visited = await visit();
  expect([visited.status, visited.headers.location]).toEqual([302, 'https://example.com/']);
  const account = await first.ask('/api/v1/projects', { key: keys[0] });
  expect(account.json.data).toMatchObject([{ subdomain: 'demo', _count: { dynamic_links: demoLinks.length + 1 } }]);
  expect(await first.stop()).toEqual({ code: 0, signal: null });
  expect(serverPid(dataDir)).toBeNull();

  const second = await Program.serving(environment);
  await until(() => second.stdout.includes('Ready'));
  expect(second.stdout).not.toMatch(keyPattern);
  expect((await visit()).status).toBe(302);
  const pid = serverPid(dataDir)!;
  await second.kill();

  const third = await Program.serving(environment);
  await until(() => third.stdout.includes('Ready'));
  expect(third.stdout).not.toMatch(keyPattern);
  expect((await visit()).status).toBe(302);
  expect(await canUse(third, keys[0])).toBe(true);
  expect(isAlive(pid)).toBe(false);
  await third.stop();
});

describe('beside a service with an embedded database', () => {
  it('admin commands run without disturbing the service', async () => {
    const service = await Program.serving({ DATA_DIR: dataDir });
    const made = await Promise.all([1, 2, 3].map(() => run('admin', { DATA_DIR: dataDir }, ...createAccount)));
    for (const text of made) expect(await canUse(service, (JSON.parse(text) as ShellAccount).api_key.key)).toBe(true);
    expect(await run('migrate', { DATA_DIR: dataDir })).toBe('nothing to migrate\n');
    expect((await service.ask('/health/ready')).status).toBe(200);
    await service.stop();
    expect(serverPid(dataDir)).toBeNull();
  });

  it('a database that crashes is restarted', async () => {
    const service = await Program.serving({ DATA_DIR: dataDir });
    const { pid } = service;
    const { key } = (JSON.parse(await run('admin', { DATA_DIR: dataDir }, ...createAccount)) as ShellAccount).api_key;
    const before = serverPid(dataDir)!;
    process.kill(before, 'SIGKILL');
    await until(() => !isAlive(before));
    const died = performance.now();
    await until(() => canUse(service, key));
    console.info(`embedded database killed: well again after ${Math.round(performance.now() - died)} ms`);
    expect([service.pid, service.running]).toEqual([pid, true]);
    expect(serverPid(dataDir)).not.toBe(before);
    await service.stop();
    expect(serverPid(dataDir)).toBeNull();
  });
});
