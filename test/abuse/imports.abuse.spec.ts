import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DnsServer } from '../support/dns-server';
import { eventually, until } from '../support/eventually';
import { childrenOf } from '../support/running-processes';
import { aCertificate } from '../support/tls-host';
import { AttackedService, written } from '../support/victim';
import { aTemporaryFolder } from '../support/temporary-folder';

/** The most that the process of imports may have, whatever it reads. */
const maxImportMb = 256;

interface Uploaded {
  status: number;
  error?: { code: string; details: object };
  data?: Job;
}

interface Job {
  id: string;
  state: string;
  rows: number;
  failure_code: string | null;
  counts: Record<string, number>;
}

const folder = aTemporaryFolder();
let dns: DnsServer;
let host: ChildProcess;
let hostPort: number;
let on: AttackedService;

beforeAll(async () => {
  dns = await DnsServer.start();
  const certificate = await aCertificate(['*.example.org']);
  const [key, authority] = [join(folder, 'key.pem'), join(folder, 'ca.pem')];
  writeFileSync(key, certificate.key);
  writeFileSync(authority, certificate.cert);
  host = spawn(process.execPath, [join(__dirname, '../support/list-host.mjs'), key, authority], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(host.stdout!.setEncoding('utf8'), 'data')) as [string];
  hostPort = (JSON.parse(line) as { port: number }).port;
  on = await AttackedService.start({
    DNS_RESOLVERS: dns.address,
    IMPORT_PRIVATE_ADDRESSES: 'true',
    NODE_EXTRA_CA_CERTS: authority,
  });
});
afterAll(async () => {
  await on.stop();
  host.kill('SIGKILL');
  await dns.stop();
});

/** Creates a free account, and returns how it uses imports. */
async function anAttacker() {
  const { key, accountId, project } = await on.anAttacker('free');
  const path = `/api/v1/projects/${project}/imports`;
  const ask = async (method: string, below: string, more: object = {}) =>
    on.program.ask(`${path}${below}`, { method, key, ...more });
  return {
    accountId,
    upload: async (kind: string, type = 'text/csv'): Promise<Uploaded> => {
      const script = join(__dirname, '../support/hostile-upload.mjs');
      const child = spawn(process.execPath, [script, String(on.program.port), key, path, type, kind], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
      await once(child, 'close');
      return JSON.parse(text) as Uploaded;
    },
    list: async (kind: string): Promise<Job> => {
      dns.setResponse(`${kind}.example.org`, { addresses: ['127.0.0.1'] });
      const list = { source: 'kutt', token: 'a-token-of-kutt', url: `https://${kind}.example.org:${hostPort}` };
      const { status, json } = await ask('POST', '/from-api', { body: list });
      expect(status).toBe(202);
      return json.data as unknown as Job;
    },
    get: async (id: string): Promise<Job> => (await ask('GET', `/${id}`)).json.data as unknown as Job,
    cancel: (id: string) => ask('POST', `/${id}/cancel`),
    ended: async function (id: string): Promise<Job> {
      return eventually(async () => {
        const job = await this.get(id);
        return !['uploading', 'checking', 'running'].includes(job.state) && job;
      });
    },
  };
}

const residentMb = (pid: number): number => {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** Runs work, and returns the highest memory of the process of imports meanwhile. */
async function watched(work: () => Promise<void>): Promise<number> {
  let max = 0;
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      max = Math.max(max, ...childrenOf(on.program.pid).map(residentMb));
      await delay(20);
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await watch;
  }
  return Math.round(max);
}

/** Expects that neither other accounts nor the process of imports are harmed. */
async function expectUnharmed(attack: () => Promise<void>): Promise<void> {
  const memory = await watched(async () => console.info(written(await on.victim.expectUnharmed(attack))));
  console.info(`the process of imports had ${memory} MB`);
  expect(memory).toBeLessThan(maxImportMb);
  expect(on.program.stdout + on.program.stderr).not.toContain('the process of imports has failed');
}

test.each([
  ['commas', ','],
  ['tabs', 'tab'],
  ['quoted cells', '"",'],
])('%s, in one row or in the header, harm nobody', (_, separator) =>
  expectUnharmed(async () => {
    const attacker = await anAttacker();
    expect(await attacker.upload(`header ${separator}`)).toMatchObject({ status: 400 });
    const { status, data } = await attacker.upload(`row ${separator}`);
    expect(status).toBe(202);
    const job = await attacker.ended(data!.id);
    expect(job).toMatchObject({ state: 'ready', rows: 2, counts: { refused: 1, created: 1 } });
    await attacker.cancel(job.id);
  }),
);

test.each([
  ['objects', 'application/x-ndjson', 2],
  ['brackets', 'application/x-ndjson', 2],
  ['elements', 'application/json', 50_001],
  ['cells', 'text/csv', 41],
  ['quotes', 'text/csv', undefined],
])('%s harm nobody', (kind, type, rows) =>
  expectUnharmed(async () => {
    const attacker = await anAttacker();
    const { status, data } = await attacker.upload(kind, type);
    expect(status).toBe(202);
    const job = await attacker.ended(data!.id);
    expect(job).toMatchObject({ state: 'ready', ...(rows !== undefined && { rows }), counts: { created: 1 } });
    await attacker.cancel(job.id);
  }),
);

const databaseBytes = async (): Promise<number> => {
  const [row] = await on.database.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
  return Number(row!.bytes);
};

test('imports of an account are bounded by its quota, and their space returns to the disk within a minute', async () => {
  const attacker = await anAttacker();
  const before = await databaseBytes();
  const ids: string[] = [];
  // 60 names of 1,000 characters, and 14,000 rows that repeat none of them.
  for (let at = 0; at < 2; at++) {
    const { status, data } = await attacker.upload('wide');
    expect(status).toBe(202);
    ids.push(data!.id);
    await attacker.ended(data!.id);
  }
  const [stored] = await on.database.query<{ bytes: string }>(
    `SELECT sum(stored_bytes) AS bytes FROM imports JOIN projects ON projects.id = project_id WHERE account_id = $1`,
    [attacker.accountId],
  );
  const grown = (await databaseBytes()) - before;
  console.info(`3.4 MB sent, ${Number(stored!.bytes) / 1e6} MB counted, ${grown / 1e6} MB grown`);
  expect(grown).toBeLessThan(1.5 * Number(stored!.bytes));
  const refused = await attacker.upload('large');
  expect(refused).toMatchObject({
    status: 403,
    error: { code: 'ACCESS_DENIED', details: { limit: 100_000_000, current_plan: 'free' } },
  });
  for (const id of ids) await attacker.cancel(id);
  await until(async () => (await databaseBytes()) - before < 5_000_000, 60_000);
});

test('lists with hostile answers harm nobody', () =>
  expectUnharmed(async () => {
    await Promise.all(
      ['control', 'newlines', 'objects', 'quotes'].map(async (kind) => {
        const attacker = await anAttacker();
        const jobs = [await attacker.list(kind), await attacker.list(`${kind}-two`)];
        for (const { id } of jobs)
          expect(await attacker.ended(id)).toMatchObject({ state: 'failed', failure_code: 'strange_answer' });
      }),
    );
  }));

test('lists that wait, or whose servers are silent, hold no place of others', async () => {
  for (let at = 0; at < 6; at++) {
    const attacker = await anAttacker();
    for (let list = 0; list < 3; list++) await attacker.list(`limited-${at}-${list}`);
  }
  const silent = await anAttacker();
  for (let list = 0; list < 5; list++) await silent.list(`silent-${list}`);
  const honest = await anAttacker();
  const { id } = await honest.list('good');
  expect(await honest.ended(id)).toMatchObject({ state: 'ready', rows: 1 });
});
