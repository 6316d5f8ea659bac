import { writeFile } from 'node:fs/promises';
import { listLimits } from '../../../src/platform/tables/list-sql';
import { aProject } from '../../support/builders';
import { freePort } from '../../support/free-port';
import { otherServers } from './another-server';
import { commandOn, jsonOf, runCommand, useCommands } from './command-run';
import { aFolder } from './folder';

const all = useCommands();
const signpost = (...args: Parameters<typeof all.signpost>) => all.signpost(...args);
const folder = aFolder();
const aServer = otherServers();

test('links are created, shown, listed, changed and deleted', async () => {
  const create = ['links', 'create', '--json', '--name', 'Sale', '--custom-path', 'sale', '--external-id', 'crm 1'];
  const created = jsonOf(
    await signpost([...create, '--tag', 'A', '--tag', 'B', '--referrer-param', 'utm=a=b', '--archived', 'true']),
  );
  const fields = {
    name: 'Sale',
    custom_path: 'sale',
    tags: ['A', 'B'],
    referrer_params: { utm: 'a=b' },
    archived: true,
  };
  expect(created).toMatchObject(fields);
  const id = String(created['id']);

  const shown = await signpost(['links', 'get', 'external:crm 1']);
  expect(shown.stdout).toMatch(new RegExp(`^id +${id}\n`));
  expect(jsonOf(await signpost(['links', 'get', id, '--json']))).toMatchObject({ id });

  expect(jsonOf<{ data: unknown[] }>(await signpost(['links', 'list', '--json'])).data).toEqual([]);
  const listed = await signpost(['links', 'list', '--archived', 'any', '--tag', 'a']);
  expect(listed.stdout).toMatch(/^ID +NAME +URL +EXTERNAL ID +TAGS\n/);
  expect(listed.stdout).toContain(`${id}  Sale`);
  expect(listed.stderr).toBe('1 link\n');

  const changes = ['--title', 'New', '--archived', 'false', '--clear', 'tags', '--clear', 'referrer_params'];
  const changed = await signpost(['links', 'update', 'external:crm 1', ...changes, '--json']);
  expect(jsonOf(changed)).toMatchObject({ id, title: 'New', archived: false, tags: [], referrer_params: null });

  const deleted = await signpost(['links', 'delete', 'external:crm 1', '--yes', '--json']);
  expect(jsonOf(deleted)).toEqual({ deleted: [id] });
  expect((await signpost(['links', 'get', id])).exitCode).toBe(1);
});

test('fields come from a file or stdin, and options take precedence', async () => {
  const file = folder.file('link.json');
  await writeFile(file, JSON.stringify({ name: 'From a file', title: 'File' }));
  const read = await signpost(['links', 'create', '--json', '--data', file, '--title', 'Option']);
  expect(jsonOf(read)).toMatchObject({ name: 'From a file', title: 'Option' });
  const piped = await signpost(['links', 'create', '--json', '--data', '-'], { stdin: '{"name":"Piped"}' });
  expect(jsonOf(piped)).toMatchObject({ name: 'Piped' });
});

afterEach(() => jest.restoreAllMocks());

test('all pages are one list', async () => {
  const { on, key } = all;
  const here = commandOn(on, key, (await aProject(on, key)).id);
  const lines = Array.from({ length: 103 }, (_, at) => JSON.stringify({ op: 'create', link: { name: `Link ${at}` } }));
  expect((await here(['bulk'], { stdin: lines.join('\n') })).exitCode).toBe(0);
  const list = jsonOf<{ data: { created_at: string }[]; pagination: object }>(
    await here(['links', 'list', '--all', '--json']),
  );
  expect(list.data).toHaveLength(103);
  expect(list.pagination).toMatchObject({ page: 1, totalPages: 1, total: 103, hasNextPage: false });
  const times = list.data.map((link) => link.created_at);
  expect(times).toEqual(times.toSorted());
  const newestFirst = jsonOf<typeof list>(await here(['links', 'list', '--all', '--json', '--sort-order', 'desc']));
  expect(newestFirst.data).toEqual(list.data.toReversed());
  jest.replaceProperty(listLimits, 'maxCounted', 20);
  const found = ['links', 'list', '--search', 'link'];
  expect((await here(found)).stderr).toBe('Page 1, 20+ links\n');
  expect(jsonOf<typeof list>(await here([...found, '--all', '--json'])).data).toHaveLength(103);
});

test('an error names the code, the fields and the request', async () => {
  const refused = await signpost(['links', 'create', '--name', 'Wrong', '--desktop-url', 'javascript:1']);
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^signpost: INVALID_INPUT: .* \(400\)\n {2}desktop_url: .*\n {2}Request id: [\w-]+\n$/,
  );
  const asJson = await signpost(['links', 'create', '--name', 'Wrong', '--desktop-url', 'javascript:1', '--json']);
  expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: 'INVALID_INPUT', status: 400 } });
});

test('the text of a link cannot control the terminal', async () => {
  const created = jsonOf(await signpost(['links', 'create', '--json', '--name', 'a\u001b[2Jb\u202ec']));
  for (const command of ['list', `get ${String(created['id'])}`]) {
    const { stdout } = await signpost(['links', ...command.split(' ')], { isTerminal: true });
    expect(stdout).toContain(String.raw`a\u{1b}[2Jb`);
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  }
  const asJson = await signpost(['links', 'get', String(created['id']), '--json'], { isTerminal: true });
  expect(asJson.stdout).not.toMatch(/[\u001b\u202e]/);
  expect(jsonOf(asJson)).toEqual(expect.objectContaining({ name: 'a\u001b[2Jb\u202ec' }));
});

test('a project may be named by its subdomain', async () => {
  const { on, key, project } = all;
  const named = commandOn(on, key, project.subdomain);
  expect((await named(['links', 'list'])).exitCode).toBe(0);
  const unknown = await commandOn(on, key, 'nowhere')(['links', 'list']);
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"nowhere"') });
});

test('the key may come from a file or stdin, and no message has it', async () => {
  const { on, key, project } = all;
  const env = { SIGNPOST_URL: `${on.url}/api/v1/`, SIGNPOST_PROJECT: project.id };
  const file = folder.file('key');
  await writeFile(file, `${key}\n`);
  expect((await runCommand(['--key-file', file, 'links', 'list'], { env })).exitCode).toBe(0);
  expect((await runCommand(['links', 'list', '--key-file', '-'], { env, stdin: key })).exitCode).toBe(0);
  const wrong = await runCommand(['links', 'list', '--key', `${key}é`], { env });
  expect(wrong.exitCode).toBe(2);
  const refused = await runCommand(['links', 'list', '--key', `${key}x`], { env });
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('UNAUTHORIZED') });
  expect(wrong.stderr + refused.stderr).not.toContain(key);
});

test('an address without a service, and one of another service, have different exit codes', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const away = { SIGNPOST_URL: url, SIGNPOST_API_KEY: 'k', SIGNPOST_PROJECT: all.project.id };
  const controller = new AbortController();
  const waiting = runCommand(['links', 'list'], { env: away, signal: controller.signal });
  controller.abort();
  expect((await waiting).exitCode).toBe(130);
  const deleted = await runCommand(['links', 'delete', all.project.id, '--yes'], { env: away });
  expect(deleted).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('ECONNREFUSED') });
  const wrong = { ...away, SIGNPOST_URL: `${all.on.url}/elsewhere` };
  expect((await runCommand(['links', 'list'], { env: wrong })).exitCode).toBe(1);
});

test('a deletion asks on a terminal, and needs --yes elsewhere', async () => {
  const { id } = jsonOf<{ id: string }>(await signpost(['links', 'create', '--json', '--name', 'Kept']));
  const remove = (stdin: string) => signpost(['links', 'delete', id], { isTerminal: true, stdin });
  expect((await signpost(['links', 'delete', id])).exitCode).toBe(2);
  const declined = await remove('n\n');
  expect(declined).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('Delete 1 link? [y/N]') });
  // Ctrl-D and Ctrl-C.
  expect([(await remove('')).exitCode, (await remove('\u0003')).exitCode]).toEqual([6, 130]);
  expect((await signpost(['links', 'get', id])).exitCode).toBe(0);
  expect((await remove('y\n')).exitCode).toBe(0);
  expect((await signpost(['links', 'get', id])).exitCode).toBe(1);
});

test('links that were deleted before a failure are printed', async () => {
  const create = async () => jsonOf<{ id: string }>(await signpost(['links', 'create', '--json', '--name', 'Gone'])).id;
  const [first, missing, last] = [await create(), await create(), await create()];
  expect((await signpost(['links', 'delete', missing, '--yes'])).exitCode).toBe(0);
  const failed = await signpost(['links', 'delete', first, missing, last, '--yes', '--json']);
  expect([failed.exitCode, jsonOf(failed)]).toEqual([1, { deleted: [first] }]);
  expect(JSON.parse(failed.stderr)).toMatchObject({ error: { code: 'NOT_FOUND' } });
  expect((await signpost(['links', 'get', last])).exitCode).toBe(0);
  expect(await signpost(['links', 'delete', missing, '--yes', '--json'])).toMatchObject({ exitCode: 1, stdout: '' });
});

test('a field cannot be set and cleared, but a field of a file can be cleared', async () => {
  const { id } = jsonOf<{ id: string }>(await signpost(['links', 'create', '--json', '--name', 'Both', '--tag', 'A']));
  for (const [option, value, field] of [
    ['--tag', 'Summer', 'tags'],
    ['--referrer-param', 'utm=a', 'referrer_params'],
    ['--notes', 'N', 'notes'],
  ] as const) {
    const refused = await signpost(['links', 'update', id, option, value, '--clear', field]);
    const stderr = `signpost: ${option} and --clear ${field} exclude each other; use one.\n`;
    expect(refused).toEqual({ exitCode: 2, stdout: '', stderr });
  }
  const stdin = '{"tags":["Summer"],"notes":"From a file"}';
  const changed = await signpost(['links', 'update', id, '--data', '-', '--clear', 'tags', '--json'], { stdin });
  expect(jsonOf(changed)).toMatchObject({ tags: [], notes: 'From a file' });
});

describe('an address of another server', () => {
  const away = { SIGNPOST_API_KEY: 'k', SIGNPOST_PROJECT: '0198c0de-7e57-7000-8000-000000000001' };
  const create = (url: string) =>
    runCommand(['links', 'create', '--name', 'A'], { env: { ...away, SIGNPOST_URL: url } });
  const notFound = { code: 'NOT_FOUND', message: 'None' };

  test('is wrong if it redirects, because the creation would become a read', async () => {
    const paths: string[] = [];
    const server = await aServer((request, response) => {
      paths.push(`${request.method} ${request.url}`);
      if (paths.length === 1) response.writeHead(301, { Location: '/elsewhere' }).end();
      else response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":{}}');
    });
    expect(await create(server)).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('--url') });
    expect(paths).toHaveLength(1);
  });

  test('is wrong at once if it answers with a page', async () => {
    const server = await aServer((_, response) => void response.end('<html>'));
    expect(await create(server)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--url') });
  });

  test('may find the subdomain on a later page', async () => {
    const id = away.SIGNPOST_PROJECT;
    const server = await aServer(({ url }, response) => {
      const { pathname, searchParams } = new URL(url!, 'http://x');
      response.setHeader('Content-Type', 'application/json');
      const page = Number(searchParams.get('page') ?? 1);
      const projects = page === 2 ? [{ id, subdomain: 'shop' }] : [{ id: 'other', subdomain: 'shopping' }];
      if (pathname.endsWith('/projects'))
        response.end(JSON.stringify({ data: projects, pagination: { hasNextPage: page < 2 } }));
      else response.writeHead(404).end(JSON.stringify({ error: { ...notFound, message: pathname } }));
    });
    const env = { ...away, SIGNPOST_URL: server, SIGNPOST_PROJECT: 'shop' };
    const { stderr } = await runCommand(['links', 'get', id], { env });
    expect(stderr).toContain(`NOT_FOUND: /api/v1/projects/${id}/links/${id}`);
  });
});
