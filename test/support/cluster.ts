import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { childrenOf, isAlive, until } from './process';

/** A PostgreSQL of the test's own, for what cannot be done to one that others use. */
export class Cluster {
  #server: EmbeddedPostgres | null = null;

  private constructor(
    readonly dataDir: string,
    private readonly settings: Record<string, string>,
  ) {}

  static async create(settings: Record<string, string> = {}): Promise<Cluster> {
    const cluster = new Cluster(temporaryDirectory(), { fsync: 'off', ...settings });
    await cluster.start();
    return cluster;
  }

  async start(): Promise<void> {
    this.#server = await startEmbeddedPostgres({ dataDir: this.dataDir, settings: this.settings });
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = null;
  }

  async remove(): Promise<void> {
    if (this.#server && isAlive(this.pid)) this.thaw();
    await this.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Stays the same from start to start. */
  get url(): string {
    if (!this.#server) throw new Error('the cluster has not been started');
    return this.#server.url;
  }

  urlOf(database: string, user?: { name: string; password: string }): string {
    const url = new URL(this.url);
    url.pathname = `/${database}`;
    if (user) Object.assign(url, { username: user.name, password: user.password });
    return url.href;
  }

  get pid(): number {
    return serverPid(this.dataDir)!;
  }

  /** Every process of the server stands still: connections are accepted by the kernel, and nothing answers. */
  freeze(): void {
    // The children of a postmaster that runs may be joined by new ones: it goes first.
    process.kill(this.pid, 'SIGSTOP');
    for (const pid of childrenOf(this.pid)) process.kill(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of [this.pid, ...childrenOf(this.pid)]) resume(pid);
  }

  /** As the kernel does it when memory is short. */
  async kill(): Promise<void> {
    const { pid } = this;
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid), 5000);
    await this.#server!.stop();
  }

  /** All of its processes at once, as when its machine goes: no backend ends what it was doing. */
  async crash(): Promise<void> {
    this.freeze();
    const pids = [this.pid, ...childrenOf(this.pid)];
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await until(() => !pids.some(isAlive), 5000);
    await this.#server!.stop();
  }

  /** An immediate shutdown, as of an administrator in a hurry: connections are cut, and the log is replayed at the next start. */
  async stopAtOnce(): Promise<void> {
    const { pid } = this;
    process.kill(pid, 'SIGQUIT');
    await until(() => !isAlive(pid), 10_000);
    await this.#server!.stop();
  }

  /** A user who, unlike all others, has to name a password. */
  async requirePassword(user: string, password: string): Promise<void> {
    await this.query(`CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD '${password}'`);
    const rules = join(this.dataDir, 'cluster/pg_hba.conf');
    writeFileSync(rules, `local all ${user} scram-sha-256\n${readFileSync(rules, 'utf8')}`);
    await this.query('SELECT pg_reload_conf()');
    // The postmaster reads its rules anew a moment later.
    await until(async () => {
      const client = new Client({ connectionString: this.urlOf('postgres', { name: user, password: 'no' }) });
      client.on('error', () => {});
      return client.connect().then(
        () => client.end().then(() => false),
        () => true,
      );
    }, 5000);
  }

  async connect(database = 'postgres'): Promise<Client> {
    const client = new Client({ connectionString: this.urlOf(database) });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async query<Row = Record<string, unknown>>(sql: string, database = 'postgres'): Promise<Row[]> {
    const client = await this.connect(database);
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  }
}

/** One that PostgreSQL's user can pass through, so that root's data stay in it too. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'signpost-faults-'));
  chmodSync(directory, 0o711);
  return directory;
}

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It ended meanwhile: the postmaster is awake.
  }
}

/** The server that has the data directory open, by its own lock file. */
export function serverPid(dataDir: string): number | null {
  try {
    return Number(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return null;
  }
}
