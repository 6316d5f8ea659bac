import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { ChildServer } from './child-server';
import { temporaryDirectory } from './cluster';
import { until } from './eventually';
import { freePort } from './free-port';

/** The connection parameters that docs/operating/scale.md lists. */
const ignored = 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options';

/** PgBouncer before a server on TCP. A spec that uses it has the docblock `@needs pgbouncer`. */
export class PgBouncer extends ChildServer {
  private constructor(
    readonly url: string,
    private readonly directory: string,
  ) {
    super();
  }

  /**
   * Starts PgBouncer.
   * @param databaseUrl with the user for all connections to the server
   */
  static async before(databaseUrl: string, mode: 'session' | 'transaction'): Promise<PgBouncer> {
    const [server, directory, port] = [new URL(databaseUrl), temporaryDirectory(), await freePort()];
    const url = new URL(databaseUrl);
    url.port = String(port);
    const bouncer = new PgBouncer(url.href, directory);
    const settings = [
      '[databases]',
      `* = host=${server.hostname} port=${server.port} user=${server.username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      'default_pool_size = 20',
      `ignore_startup_parameters = ${ignored}`,
      ...(hasPreparedStatements() ? ['max_prepared_statements = 200'] : []),
    ];
    const file = join(directory, 'pgbouncer.ini');
    writeFileSync(file, settings.join('\n'));
    chmodSync(file, 0o644);
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ['--user=nobody'] : [];
    bouncer.process = spawn('pgbouncer', [...user, file], { stdio: 'ignore' });
    await until(() => answers(url.href));
    return bouncer;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Returns whether named statements work in transaction mode, as they do since 1.21. */
export function hasPreparedStatements(): boolean {
  const printed = execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/i.exec(printed)!;
  return Number(major) > 1 || Number(minor) >= 21;
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
