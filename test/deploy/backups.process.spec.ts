/**
 * @needs bash
 * @needs pg_basebackup
 */
import { execFile } from 'node:child_process';
import { chownSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { asUser, defaultServerUser, type ServerUser } from '../../src/platform/embedded-postgres/server-user';
import { root } from '../support/chart-tools';
import { temporaryDirectory } from '../support/cluster';
import type { TestDatabase } from '../support/database';
import { sectionOf, stepsOf } from '../support/documented-commands';
import { until } from '../support/eventually';
import { freePort } from '../support/free-port';
import { endAllPrograms, Program } from '../support/process';
import { aStoredKey, pepper } from '../support/stored-key';

const page = readFileSync(join(root, 'docs/operating/backup-and-restore.md'), 'utf8');
const documentedFolder = '/var/backups/signpost';
/** Returns the commands of a section, in their order. */
const commandsOf = (heading: string): string[] => stepsOf(sectionOf(page, heading)).map(({ commands }) => commands);

let folder: string;
let user: ServerUser;
let variables: Record<string, string>;
let service: Program;
let key: string;
let project: string;

/** Starts a server with the page's settings, and with the setting that names its folder, as on Debian. */
beforeEach(async () => {
  folder = temporaryDirectory();
  user = await defaultServerUser();
  chownSync(folder, user.uid, user.gid);
  const port = await freePort();
  variables = {
    DATA: join(folder, 'data'),
    NEW_DATA: join(folder, 'restored'),
    DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/signpost`,
    NEW_DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/restored`,
  };
  const [, settings] = /```conf\n([^]*?)```/.exec(sectionOf(page, '## Continuous archiving'))!;
  const [createArchive] = commandsOf('## Continuous archiving');
  await execute(`
    initdb --pgdata="$DATA" --encoding=UTF8 --username=postgres --auth=trust --no-sync
    cat >> "$DATA/postgresql.conf" <<EOF
    ${settings}
    data_directory = '$DATA'
    port = ${port}
    listen_addresses = '127.0.0.1'
    unix_socket_directories = ''
    fsync = off
EOF
    ${createArchive}
    pg_ctl --pgdata="$DATA" --log="$DATA.log" --wait start
    createdb --maintenance-db="postgres://postgres@127.0.0.1:${port}/postgres" signpost`);
  await startService();
  ({ key } = await aStoredKey({ query } as TestDatabase));
  const body = { name: 'Kept', subdomain: 'kept' };
  const { json } = await service.ask('/api/v1/projects', { method: 'POST', key, body });
  project = `/api/v1/projects/${String(json.data['id'])}`;
  await createLink('before');
});

afterEach(async () => {
  await endAllPrograms();
  for (const data of ['$DATA', '$NEW_DATA'])
    await execute(
      `if [ -f "${data}/postmaster.pid" ]; then pg_ctl --pgdata="${data}" --mode=immediate --wait stop; fi`,
    );
  rmSync(folder, { recursive: true });
});

/** Runs commands of the page as the account of PostgreSQL, with the page's folder replaced. Returns the output. */
async function execute(commands: string): Promise<string> {
  const options = asUser(user);
  const programs = readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`);
  const env = { ...options.env, PATH: [...programs, options.env['PATH']].join(':'), ...variables };
  const text = commands.replaceAll(documentedFolder, join(folder, 'backups'));
  return (await promisify(execFile)('bash', ['-euc', text], { ...options, cwd: folder, env })).stdout;
}

async function query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: variables['DATABASE_URL'] });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function startService(): Promise<void> {
  service = await Program.serving({ DATABASE_URL: variables['DATABASE_URL']!, API_KEY_PEPPER: pepper });
}

async function createLink(path: string): Promise<void> {
  const body = { name: path, custom_path: path, desktop_url: `https://example.com/${path}` };
  expect((await service.ask(`${project}/links`, { method: 'POST', key, body })).status).toBe(201);
}

/** Returns the status codes of visits, and that of a request with the key. */
async function answers(...paths: string[]): Promise<number[]> {
  const { status } = await service.ask(`${project}/links`, { key });
  const visits = await Promise.all(paths.map((path) => service.visit('kept', `/${path}`)));
  return [...visits.map((visit) => visit.status), status];
}

test('a moment can be restored from a base backup and the archive', async () => {
  const [, takeBaseBackup] = commandsOf('## Continuous archiving');
  variables['BASE'] = (await execute(`{ ${takeBaseBackup!}\n} >&2; echo "$BASE"`)).trim();
  await createLink('after');
  const [row] = await query<{ now: string }>('SELECT clock_timestamp()::text AS now');
  variables['MOMENT'] = row!.now;
  await query('DELETE FROM dynamic_links');

  const [archiveLast, copy, start, serves, isInRecovery] = commandsOf('## Restore a moment');
  await execute(archiveLast!);
  await service.stop();
  await execute('pg_ctl --pgdata="$DATA" --wait stop');
  await execute(copy!);
  await execute(start!);
  expect(await execute(serves!)).toContain('server is running');
  await until(async () => (await execute(isInRecovery!)) === 'f\n');
  await startService();
  expect(await answers('before', 'after')).toEqual([302, 302, 200]);
  await createLink('new');
});

test('a dump can be restored into an empty database', async () => {
  const [dump] = commandsOf('## Back up');
  const [, restore] = commandsOf('## Restore');
  await execute(dump!);
  await createLink('after');
  await service.stop();
  await execute('createdb --maintenance-db="${DATABASE_URL%/*}/postgres" restored');
  await execute(restore!);
  variables['DATABASE_URL'] = variables['NEW_DATABASE_URL']!;
  await startService();
  expect(await answers('before', 'after')).toEqual([302, 404, 200]);
  await createLink('new');
});
