/** @needs tools */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aTemporaryFolder } from '../support/temporary-folder';

const root = join(__dirname, '../..');
const opening = `import { createClient } from 'signpost-client';
const client = createClient({ baseUrl: 'https://api.example.com/api/v1', token: 'svc_live_' });
const projectId = '0198c0de-7e57-7000-8000-000000000001';
const path = { projectId };
`;

const accepted = {
  'a token function': `createClient({ baseUrl: 'https://api.example.com/api/v1', token: async () => 'token' });`,
  'a list with options': `await client.GET('/projects', { params: { query: { search: 'sale', limit: 50, sortOrder: 'asc' } } });`,
  'a body': `const { data, error } = await client.POST('/projects', { body: { name: 'Summer', subdomain: 'summer' } });
    const id: string | undefined = data?.data.id;
    const code: import('signpost-client').ErrorCode | undefined = error?.error.code;`,
  'the details of an error': `const { error } = await client.GET('/projects');
    const details = error?.error.details;
    const fields = Array.isArray(details) ? details.map(({ path }) => path.join('.')) : [];
    const plan = details && 'required_plan' in details ? details.required_plan : null;`,
  'null in an update': `await client.PUT('/projects/{projectId}/links/{linkId}', {
      params: { path: { projectId, linkId: projectId } }, body: { desktop_url: null } });`,
};

const linkBody = (body: string) =>
  `await client.POST('/projects/{projectId}/links', { params: { path }, body: ${body} });`;

const refused = {
  'a misspelt field': linkBody(`{ name: 'Sale', desktop_ulr: 'https://example.com' }`),
  'a field with a value of the wrong type': linkBody(`{ name: 3 }`),
  'null where null clears nothing': linkBody(`{ name: 'Sale', ios_deferred_deep_link: null }`),
  'a missing required field': linkBody(`{ desktop_url: 'https://example.com' }`),
  'an unknown query parameter': `await client.GET('/projects', { params: { query: { serch: 'sale' } } });`,
  'a wrong response field': `const { data } = await client.GET('/projects'); data?.data[0]?.subdomian;`,
  'a wrong error code': `const { error } = await client.GET('/projects'); if (error?.error.code === 'GONE') throw error;`,
};

const folder = aTemporaryFolder();
const project = join(folder, 'project');
const fileOf = new Map<string, string>();

/** Packs the client, installs the package into an empty project without a network, and writes one program per call. */
beforeAll(() => {
  mkdirSync(project);
  npm(join(root, 'clients/typescript'), 'pack', '--pack-destination', folder);
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  const local = (name: string) => `file:${join(root, 'node_modules', name)}`;
  const libraries = ['openapi-fetch', 'openapi-typescript-helpers', 'yaml', 'yauzl', 'pend'];
  writeJson('package.json', {
    private: true,
    type: 'module',
    dependencies: {
      'signpost-client': `file:../${tarball}`,
      ...Object.fromEntries(libraries.map((name) => [name, local(name)])),
    },
    overrides: Object.fromEntries(libraries.map((name) => [name, `$${name}`])),
  });
  npm(project, 'install', '--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund');
  writeJson('tsconfig.json', {
    compilerOptions: {
      module: 'nodenext',
      target: 'ES2022',
      lib: ['ES2022', 'DOM', 'DOM.Iterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    },
  });
  Object.entries({ ...accepted, ...refused }).forEach(([name, call], at) => {
    fileOf.set(name, `call${at}.ts`);
    writeFileSync(join(project, `call${at}.ts`), `${opening}${call}\n`);
  });
});

function npm(cwd: string, ...args: string[]): void {
  const env = { ...process.env, npm_config_update_notifier: 'false' };
  execFileSync('npm', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
}

function writeJson(name: string, value: unknown): void {
  writeFileSync(join(project, name), JSON.stringify(value));
}

test('an empty strict project compiles right calls and refuses wrong ones', () => {
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project, '--pretty', 'false'], {
    cwd: project,
    encoding: 'utf8',
  });
  const faults = stdout.split('\n').filter((line) => line.includes('error TS'));
  const faultsOf = (name: string) => faults.filter((line) => line.startsWith(`${fileOf.get(name)}(`));
  const wrong = Object.keys(refused);
  expect(faults.filter((line) => !wrong.some((name) => line.startsWith(`${fileOf.get(name)}(`)))).toEqual([]);
  expect(wrong.filter((name) => faultsOf(name).length === 0)).toEqual([]);
  // A program that does not find the package fails too, but not in its last lines.
  expect(faults.filter((line) => Number(/\((\d+),/.exec(line)?.[1]) < opening.split('\n').length)).toEqual([]);
});

test('the package can be imported, and sends the token', () => {
  const program = `
    import { createClient } from 'signpost-client';
    const client = createClient({
      baseUrl: 'https://api.example.com/api/v1',
      token: async () => 'secret',
      fetch: async (request) => Response.json([request.url, request.headers.get('Authorization')]),
    });
    const { data } = await client.GET('/projects', { params: { query: { search: 'a b' } } });
    process.stdout.write(JSON.stringify(data));`;
  const args = ['--input-type=module', '--eval', program];
  const output = execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual(['https://api.example.com/api/v1/projects?search=a%20b', 'Bearer secret']);
});

test('the package has the signpost command, and the pages for agents', () => {
  const bin = join(project, 'node_modules/.bin/signpost');
  const signpost = (...args: string[]) => spawnSync(bin, args, { encoding: 'utf8' });
  expect(signpost('--version')).toMatchObject({ status: 0, stdout: 'signpost 1.0.0\n', stderr: '' });
  const params = { name: 'read_documentation', arguments: { page: 'llms.txt' } };
  const input = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const env = { ...process.env, SIGNPOST_URL: 'https://api.example.com', SIGNPOST_API_KEY: 'key' };
  const { stdout } = spawnSync(bin, ['mcp'], { encoding: 'utf8', input, env });
  expect(JSON.parse(stdout)).toMatchObject({ result: { content: [{ text: expect.stringContaining('# Signpost') }] } });
  expect(signpost('apply', '-f', 'absent.yaml', '--dry-run')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('absent.yaml cannot be read'),
  });
});
