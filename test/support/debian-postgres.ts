import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { EmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres';

const versions = '/usr/lib/postgresql';

/** Starts the PostgreSQL of Debian's package, which is older than the embedded one. Creates the data if they are missing. */
export async function startDebianPostgres({
  dataDir,
  settings = {},
}: {
  dataDir: string;
  settings?: Record<string, string>;
}): Promise<EmbeddedPostgres> {
  const bin = join(versions, readdirSync(versions)[0]!, 'bin');
  const data = join(dataDir, 'cluster');
  // The server refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (!readdirSync(dataDir).includes('cluster')) {
    mkdirSync(data);
    if (user.uid !== undefined) for (const path of [dataDir, data]) chownSync(path, user.uid, user.gid);
    const options = ['--username=app', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    execFileSync(join(bin, 'initdb'), ['-D', data, ...options], { ...user, stdio: 'ignore' });
  }
  const all = { ...settings, listen_addresses: '', unix_socket_directories: dataDir, port: '5432' };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...args], { ...user, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => server.on('exit', () => resolve()));
  const url = `postgres://app@localhost:5432/postgres?host=${encodeURIComponent(dataDir)}&sslmode=disable`;
  while (!(await accepts(url))) {
    const end = server.exitCode ?? server.signalCode;
    if (end !== null) throw new Error(`PostgreSQL of ${bin} ended with ${end}.`);
    await delay(50);
  }
  const stop = async (): Promise<void> => {
    // A fast shutdown.
    server.kill('SIGINT');
    await ended;
  };
  return { url, started: true, stop };
}

const idOf = (option: string): number => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));

async function accepts(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
