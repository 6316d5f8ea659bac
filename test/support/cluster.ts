import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';
import { dataFolder } from './data-folder';
import { until } from './eventually';
import { childrenOf, isAlive } from './running-processes';

/** A separate PostgreSQL server, for tests that would disturb the shared one. */
export class Cluster {
  #server: EmbeddedPostgres | null = null;

  private constructor(
    readonly dataDir: string,
    private readonly settings: Record<string, string>,
    private readonly launch = startEmbeddedPostgres,
  ) {}

  /** @param launch starts another PostgreSQL than the embedded one */
  static async create(settings: Record<string, string> = {}, launch = startEmbeddedPostgres): Promise<Cluster> {
    const cluster = new Cluster(temporaryDirectory(), { fsync: 'off', ...settings }, launch);
    await cluster.start();
    return cluster;
  }

  /**
   * Creates a streaming standby of a server, which restarts meanwhile.
   * @param settings besides those of streaming
   */
  static async standbyOf(primary: Cluster, slot: string, settings: Record<string, string> = {}): Promise<Cluster> {
    await primary.query(`SELECT pg_create_physical_replication_slot('${slot}', true)`);
    const { url } = primary;
    const standby = new Cluster(temporaryDirectory(), {
      ...primary.settings,
      primary_conninfo: url,
      primary_slot_name: slot,
      hot_standby_feedback: 'on',
      ...settings,
    });
    await primary.stop();
    execFileSync('cp', ['-a', join(primary.dataDir, 'cluster'), standby.dataDir]);
    await primary.start();
    const data = join(standby.dataDir, 'cluster');
    // Slots are not part of a backup.
    for (const name of readdirSync(join(data, 'pg_replslot')))
      rmSync(join(data, 'pg_replslot', name), { recursive: true });
    writeFileSync(join(data, 'standby.signal'), '');
    await standby.start();
    return standby;
  }

  async start(): Promise<void> {
    this.#server = await this.launch({ dataDir: this.dataDir, settings: this.settings });
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

  /** The URL of the server, which a restart does not change. */
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

  /** Stops every process of the server (SIGSTOP). The kernel still accepts connections. */
  freeze(): void {
    // The postmaster stops first, because it can start new children.
    process.kill(this.pid, 'SIGSTOP');
    for (const pid of childrenOf(this.pid)) process.kill(pid, 'SIGSTOP');
  }

  thaw(): void {
    for (const pid of [this.pid, ...childrenOf(this.pid)]) resume(pid);
  }

  /** Kills the postmaster, as the kernel does when memory is short. */
  async kill(): Promise<void> {
    const { pid } = this;
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
    await this.#server!.stop();
  }

  /** Kills all processes at the same time, as a crash of the machine does. */
  async crash(): Promise<void> {
    this.freeze();
    const pids = [this.pid, ...childrenOf(this.pid)];
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await until(() => !pids.some(isAlive));
    await this.#server!.stop();
  }

  /** Runs an immediate shutdown (SIGQUIT), which cuts connections and replays the WAL at the next start. */
  async stopAtOnce(): Promise<void> {
    const { pid } = this;
    process.kill(pid, 'SIGQUIT');
    await until(() => !isAlive(pid));
    await this.#server!.stop();
  }

  /** Creates the only user that needs a password. */
  async requirePassword(user: string, password: string): Promise<void> {
    await this.query(`CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD '${password}'`);
    const rules = join(this.dataDir, 'cluster/pg_hba.conf');
    writeFileSync(rules, `local all ${user} scram-sha-256\n${readFileSync(rules, 'utf8')}`);
    await this.query('SELECT pg_reload_conf()');
    // The postmaster reloads its rules asynchronously.
    await until(async () => {
      const client = new Client({ connectionString: this.urlOf('postgres', { name: user, password: 'no' }) });
      client.on('error', () => {});
      return client.connect().then(
        () => client.end().then(() => false),
        () => true,
      );
    });
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

/** Creates a directory that the PostgreSQL user can enter, even if root owns it. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(dataFolder(), 'signpost-faults-'));
  chmodSync(directory, 0o711);
  return directory;
}

function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // The process has ended.
  }
}

/** Returns the process id in the lock file of the data directory, or null without one. The server creates the file empty. */
export function serverPid(dataDir: string): number | null {
  try {
    return Number(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]) || null;
  } catch {
    return null;
  }
}
