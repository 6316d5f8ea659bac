import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { looksLikeApiKey } from '../../../src/tenancy/api-keys/api-key-secret';
import { root } from '../../support/chart-tools';
import { eventually } from '../../support/eventually';
import { inParallel } from '../../support/in-parallel';
import { limitsOfPrograms } from '../../support/time-limits';
import { serviceFixture } from '../../support/fixtures';

const program = join(root, 'dist', 'admin.js');
const unknownId = '0198c0de-7e57-7000-8000-000000000001';

const on = serviceFixture();

interface ProgramResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the program while the service uses the same database. */
function run(args: string[], environment: Record<string, string> = {}): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: on.database.url, ...environment };
    const child = spawn(process.execPath, [...limitsOfPrograms(), program, ...args], { env });
    const ended: ProgramResult = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (ended.stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (ended.stderr += String(chunk)));
    child.on('close', (code) => resolve({ ...ended, code }));
  });
}

/** Runs a command with `--json`; expects success, one line on standard output and nothing on standard error. */
async function answerTo<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run([...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout) as T;
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
/** The switches of a new account. */
const newState = { frozen: false, disabled: false, approval_required: false };

/** Returns an unused key as commands show it, without its name. */
const aKeyOf = (account_id: string, key: string) => ({
  ...{ id: uuid, account_id, prefix: key.slice(0, 13), created_at: time },
  ...{ last_used_at: null, expires_at: null, revoked_at: null },
});

interface Created {
  account: { id: string };
  user: { id: string };
  api_key: { id: string; key: string };
}

const createAccount = (plan: string, ...more: string[]) =>
  answerTo<Created>('account', 'create', '--name', 'Acme', '--plan', plan, ...more);

describe('account create', () => {
  test('leaves no account and no user without a key', async () => {
    await on.database.query(
      `CREATE FUNCTION refuse_key() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no key'; END $$;
       CREATE TRIGGER refuse_key BEFORE INSERT ON api_keys EXECUTE FUNCTION refuse_key()`,
    );
    const user = ['--email', 'half@example.com'];
    const { code } = await run(['account', 'create', '--name', 'Half made', '--plan', 'free', ...user]);
    await on.database.query('DROP TRIGGER refuse_key ON api_keys; DROP FUNCTION refuse_key()');
    expect(code).toBe(1);
    expect(await on.database.query("SELECT FROM accounts WHERE name = 'Half made'")).toEqual([]);
    expect(await on.database.query("SELECT FROM users WHERE email = 'half@example.com'")).toEqual([]);
  });

  test.each([
    ['free', [], null],
    ['pro', ['--email', 'ann@example.com'], 'ann@example.com'],
    ['enterprise', ['--email=a+b@例え.jp'], 'a+b@例え.jp'],
  ])('on %s creates an account, its user and a working key', async (plan, more, email) => {
    const answer = await createAccount(plan, ...more);
    expect(answer).toEqual({
      account: { id: uuid, name: 'Acme', plan, created_at: time, ...newState },
      user: { id: uuid, email, created_at: time },
      api_key: { ...aKeyOf(answer.account.id, answer.api_key.key), name: 'Default', key: expect.any(String) },
    });
    expect(looksLikeApiKey(answer.api_key.key)).toBe(true);
    const made = await on.api('post', '/projects', answer.api_key.key).send({ name: 'N', subdomain: `admin-${plan}` });
    expect(made.body).toMatchObject({ data: { user_id: answer.user.id } });
  });
});

describe('with an account', () => {
  let created: Created;
  beforeAll(async () => (created = await createAccount('free')));

  test('set-plan takes effect within a second', async () => {
    const create = () => on.api('post', '/projects', created.api_key.key).send({ name: 'N', subdomain: 'admin-plan' });
    await on.api('post', '/projects', created.api_key.key).send({ name: 'N', subdomain: 'admin-first' }).expect(201);
    expect(await create()).toBeRefusedWith('ACCESS_DENIED');
    const answer = await answerTo('account', 'set-plan', '--account', created.account.id, '--plan', 'pro');
    expect(answer).toMatchObject({ account: { id: created.account.id, name: 'Acme', plan: 'pro', created_at: time } });
    await eventually(async () => (await create()).status === 201);
  });

  test('account disable stops the API within a second, and enable permits it', async () => {
    const { account, api_key } = await createAccount('pro');
    const status = async () => (await on.api('get', '/account', api_key.key)).status;
    expect(await status()).toBe(200);
    const answer = await answerTo('account', 'disable', '--account', account.id);
    expect(answer).toMatchObject({ account: { id: account.id, disabled: true } });
    await eventually(async () => (await status()) === 403);
    await answerTo('account', 'enable', '--account', account.id);
    await eventually(async () => (await status()) === 200);
  });

  test('project set-hosts changes the allowed destinations that keys cannot change', async () => {
    const { account, api_key } = await createAccount('pro');
    const body = { name: 'N', subdomain: 'admin-hosts', destination_hosts: ['example.com'] };
    const { id } = (await on.api('post', '/projects', api_key.key).send(body).expect(201)).body.data as { id: string };
    const set = (hosts: string) =>
      answerTo('project', 'set-hosts', '--account', account.id, '--project', id, '--hosts', hosts);
    const destination_hosts = ['shop.example.com', '*.example.org'];
    expect(await set(destination_hosts.join(','))).toEqual({ project: { id, name: 'N', destination_hosts } });
    expect(await set('')).toEqual({ project: { id, name: 'N', destination_hosts: [] } });
  });

  test('key create, list and revoke manage keys', async () => {
    const { id } = created.account;
    const made = await answerTo<{ api_key: Created['api_key'] }>(
      ...['key', 'create', '--account', id.toUpperCase(), '--name', 'CI', '--expires', '2099-01-31T00:00:00Z'],
    );
    const { key, ...listed } = made.api_key;
    expect(listed).toEqual({ ...aKeyOf(id, key), name: 'CI', expires_at: '2099-01-31T00:00:00.000Z' });

    const list = await answerTo<{ api_keys: object[] }>('key', 'list', '--account', id);
    expect(list.api_keys).toEqual([expect.objectContaining({ id: created.api_key.id, name: 'Default' }), listed]);
    expect(JSON.stringify(list)).not.toContain(key);
    await on.api('get', '/projects', key).expect(200);

    const revoke = () => answerTo<{ api_key: { revoked_at: string } }>('key', 'revoke', '--key', listed.id);
    const { api_key: revoked } = await revoke();
    expect(revoked).toMatchObject({ id: listed.id, revoked_at: time });
    await eventually(async () => (await on.api('get', '/projects', key)).status === 401);
    await on.api('get', '/projects', created.api_key.key).expect(200);
    expect(await revoke()).toMatchObject({ api_key: { revoked_at: revoked.revoked_at } });
  });

  test('the output without --json has the same content', async () => {
    const { code, stdout, stderr } = await run(['key', 'list', '--account', created.account.id]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').length).toBeGreaterThan(5);
    expect(stdout).toContain(created.api_key.id);
  });
});

/** Runs programs with a concurrency of two. */
const runAll = (rows: [string[], Record<string, string>?][]): Promise<ProgramResult[]> =>
  inParallel(rows, ([args, environment]) => run([...args, '--json'], environment), 2);

test('wrong usage exits with 2, a message on standard error, and nothing on standard output', async () => {
  const create = ['account', 'create', '--name', 'N', '--plan', 'pro'];
  const key = ['key', 'create', '--account', unknownId, '--name', 'N'];
  const rows: [string[], RegExp][] = [
    [[], /^unknown command: \(none\)\n/],
    [['constructor'], /^unknown command: constructor\n/],
    [[...create, '--expires', '2099-01-01'], /^this command takes no --expires\n/],
    [[...create.slice(0, 3), '', '--plan', 'pro'], /^--name must not be empty\n/],
    [create.slice(0, 4), /^--plan is required\n/],
    [[...create.slice(0, 5), 'gold'], /^--plan must be one of free, pro, enterprise\n/],
    [[...create, '--email', 'nobody'], /^--email must be an e-mail address\n/],
    [[...key, '--expires', '2099-02-31T00:00:00Z'], /^--expires must be an ISO 8601 date-time/],
    [[...key, '--expires', '2099-01-31T00:00:00'], /^--expires must be an ISO 8601 date-time/],
    [[...key, '--expires', '2020-01-01T00:00:00Z'], /^--expires must be in the future\n/],
    [[...key, '--expires', '9999-12-31T23:59:59-12:00'], /^--expires must be before the year 10000 in UTC\n/],
    [['key', 'list'], /^--account is required\n/],
    [['key', 'revoke', '--key', `{${unknownId}}`], /^--key must be a UUID\n/],
  ];
  const ended = await runAll(rows.map(([args]) => [args]));
  expect(ended).toEqual(rows.map(([, message]) => ({ code: 2, stdout: '', stderr: expect.stringMatching(message) })));
  for (const { stderr } of ended) {
    expect(stderr).toContain('\n\nUsage: ');
    expect(stderr).not.toMatch(/^\s+at /m);
  }
});

test('the page about accounts has the answers of the commands of the usage, and no others', async () => {
  const { stdout } = await run(['--help']);
  const commandsOf = (text: string, line: RegExp): string[] =>
    [...new Set([...text.matchAll(line)].map(([, name]) => name!))].toSorted();
  const page = readFileSync(join(root, 'docs/operating/accounts.md'), 'utf8');
  const [, table] = page.split('| command | answer |');
  expect(commandsOf(table!, /^\| `([a-z-]+ [a-z-]+)/gm)).toEqual(commandsOf(stdout, /^ {2}([a-z-]+ [a-z-]+)/gm));
});

test.each([['--help'], ['-h'], ['help'], ['account', 'list', '--help']])('%s prints the usage', async (...args) => {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: npm run --silent admin -- COMMAND/);
});

test('account list prints all accounts, or those whose name contains a text', async () => {
  const listed = async (...args: string[]) =>
    (await answerTo<{ accounts: object[] }>('account', 'list', ...args)).accounts;
  const { account } = await answerTo<Created>('account', 'create', '--name', '100% Ärzte', '--plan', 'pro');
  const shown = { id: account.id, name: '100% Ärzte', plan: 'pro', created_at: time, ...newState };
  const all = await listed();
  expect(all).toContainEqual(shown);
  expect(all.length).toBeGreaterThan(1);
  expect(await listed('--name', '% äRZ')).toEqual([shown]);
  expect(await listed('--name', 'nobody')).toEqual([]);
});

test('a failure exits with 1, one line on standard error, and nothing on standard output', async () => {
  const gone = new URL(on.database.url);
  gone.pathname = '/no_such_database';
  const list = ['key', 'list', '--account', unknownId];
  const rows: [string[], RegExp, Record<string, string>?][] = [
    [['account', 'set-plan', '--account', unknownId, '--plan', 'pro'], /^Account not found\n$/],
    [['key', 'create', '--account', unknownId, '--name', 'N'], /^Account not found\n$/],
    [list, /^Account not found\n$/],
    [['key', 'revoke', '--key', unknownId], /^API key not found\n$/],
    [list, /^API_KEY_PEPPER: [^\n]+\n$/, { NODE_ENV: 'production' }],
    [list, /^DATABASE_URL: [^\n]+\n$/, { DATABASE_URL: gone.href }],
  ];
  const ended = await runAll(rows.map(([args, , environment]) => [args, environment]));
  expect(ended).toEqual(rows.map(([, message]) => ({ code: 1, stdout: '', stderr: expect.stringMatching(message) })));
});

describe('user and account erase', () => {
  test('a user is listed, exported and erased', async () => {
    const { account, user } = await createAccount('pro', '--email', 'ann@example.com');
    const inAccount = ['--account', account.id];
    expect(await answerTo('user', 'list', ...inAccount)).toEqual({
      users: [{ id: user.id, email: 'ann@example.com', created_at: time }],
    });
    const ofUser = [...inAccount, '--user', user.id];
    expect(await answerTo('user', 'export', ...ofUser)).toMatchObject({
      user: { id: user.id, email: 'ann@example.com', api_keys: [{ name: 'Default' }], member: null },
    });
    expect(await answerTo('user', 'erase', ...ofUser)).toEqual({ erased: user.id });
    expect(await answerTo('user', 'list', ...inAccount)).toEqual({ users: [] });
    expect(await run(['user', 'erase', ...ofUser])).toMatchObject({ code: 1, stderr: 'User not found\n' });
  });

  test('an account is erased only by its name', async () => {
    const { account } = await createAccount('pro');
    const { code, stderr } = await run(['account', 'erase', '--account', account.id, '--name', 'Other']);
    expect([code, stderr]).toEqual([1, `The name of account ${account.id} is Acme. Send it as --name.\n`]);
    expect(await answerTo('account', 'erase', '--account', account.id, '--name', 'Acme')).toMatchObject({ account });
    expect(await run(['key', 'create', '--account', account.id, '--name', 'K'])).toMatchObject({ code: 1 });
  });
});
