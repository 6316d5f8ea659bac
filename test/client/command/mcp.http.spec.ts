import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { McpServer } from '../../../clients/typescript/src/command/mcp-server';
import { Session, tools } from '../../../clients/typescript/src/command/mcp-tools';
import { linesOf } from '../../../clients/typescript/src/command/lines';
import { run } from '../../../clients/typescript/src/command/run';
import { anIosApp, aProject, unique } from '../../support/builders';
import { runCommand } from './command-run';
import { aFolder } from './folder';
import { serviceFixture } from '../../support/fixtures';

const on = serviceFixture();
let key: string;
const pages = aFolder().file('pages');
beforeAll(async () => {
  execFileSync(process.execPath, [join(__dirname, '../../../scripts/agent-pages.mjs'), pages]);
  ({ key } = await on.anAccount('pro'));
});

interface Answer {
  id: number | null;
  result?: Record<string, unknown> & { content: { text: string }[]; isError: boolean; tools: { name: string }[] };
  error?: { code: number; message: string; data?: object };
}
type Json = Record<string, unknown>;

const anIo = () => {
  const stream = new PassThrough();
  const { signal } = new AbortController();
  return { stdin: stream, stdout: stream, stderr: stream, env: {}, signal, version: '1', pages };
};

/** An agent that has nothing but the two streams of the command. */
class Agent {
  readonly #stdin = new PassThrough();
  readonly #stdout = new PassThrough();
  readonly #answers = linesOf(this.#stdout);
  readonly end: Promise<number>;
  #id = 0;

  constructor(...options: string[]) {
    const env = { SIGNPOST_URL: on.url, SIGNPOST_API_KEY: key };
    this.end = run(['mcp', ...options], { ...anIo(), stdin: this.#stdin, stdout: this.#stdout, env });
  }

  async send(method: string, params: object = {}): Promise<Answer> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    this.#stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++this.#id, method, params: { _meta, ...params } })}\n`);
    const { value } = (await this.#answers.next()) as { value: { text: string } };
    const answer = JSON.parse(value.text) as Answer;
    expect(answer.id).toBe(this.#id);
    return answer;
  }

  async call(name: string, input: object): Promise<string> {
    const { result } = await this.send('tools/call', { name, arguments: input });
    expect(result).toMatchObject({ resultType: 'complete', isError: false });
    return result!.content[0]!.text;
  }

  read(page: string): Promise<string> {
    return this.call('read_documentation', { page });
  }

  async change(name: string, input: object): Promise<Json> {
    const { confirm } = JSON.parse(await this.call(name, input)) as { confirm: string };
    return (JSON.parse(await this.call(name, { ...input, confirm })) as { data: Json }).data;
  }

  close(): Promise<number> {
    this.#stdin.end();
    return this.end;
  }
}

/** Returns the first example in the section of an operation. */
const exampleOf = (page: string, operation: string): Json =>
  JSON.parse(/```json\n([^]*?)```/.exec(page.slice(page.indexOf(`## ${operation}\n`)))![1]!) as Json;

test('an agent that has only the pages and tools sets up a host, apps and a link', async () => {
  const agent = new Agent('--write');
  const index = await agent.read('llms.txt');
  const pageAbout = (words: string) => agent.read(new RegExp(`\\[(api-\\S+)\\]\\(\\1\\): .*${words}`).exec(index)![1]!);

  const ofProjects = await pageAbout('hosts of its links');
  const subdomain = unique('agent');
  const fields = { ...exampleOf(ofProjects, 'createProject'), subdomain };
  const project = await agent.change('create_resource', { resource: 'project', fields });
  expect(project['subdomain']).toBe(subdomain);

  const [ofIos, ofAndroid] = [await pageAbout('Apple association file'), await pageAbout('asset-links file')];
  const create = (resource: string, ofResource: object) =>
    agent.change('create_resource', { resource, project: subdomain, fields: ofResource });
  const ios = await create('ios_app', exampleOf(ofIos, 'createIosApp'));
  const android = await create('android_app', exampleOf(ofAndroid, 'createAndroidApp'));

  const ofLinks = await pageAbout('destination for the device');
  const { name, custom_path, desktop_url } = exampleOf(ofLinks, 'createDynamicLink');
  const apps = { ios_app_id: ios['id'], android_app_id: android['id'] };
  const link = await create('link', { name, custom_path, desktop_url, ...apps });
  const visit = await on.visit(subdomain, `/${String(custom_path)}`);
  expect([visit.status, visit.headers['location']]).toEqual([302, desktop_url]);
  const association = await on.visit(subdomain, '/.well-known/apple-app-site-association');
  expect(association.text).toContain(String(ios['bundle_id']));

  const ofLink = { project: subdomain, id: link['id'] };
  const explained = JSON.parse(await agent.call('explain_visit', { ...ofLink, platform: 'desktop' })) as { data: Json };
  expect(explained.data).toMatchObject({ answer: { status: 302, location: desktop_url } });
  const update = { resource: 'link', ...ofLink, fields: { desktop_url: 'https://example.com/new', title: null } };
  expect(JSON.parse(await agent.call('update_resource', update))).toMatchObject({
    plan: { changes: { desktop_url: { before: desktop_url, after: 'https://example.com/new' } } },
  });
  const changed = await agent.change('update_resource', update);
  expect(changed).toMatchObject({ id: link['id'], desktop_url: 'https://example.com/new' });
  const ofShortLink = { dynamic_link_id: link['id'] };
  expect(await create('short_link', ofShortLink)).toMatchObject(ofShortLink);
  const statistics = await agent.call('get_statistics', { ...ofLink, filter: { group_by: 'platform' } });
  expect(JSON.parse(statistics)).toHaveProperty('data');
  const list = { resource: 'link', project: subdomain, filter: { search: 'sale' } };
  expect(JSON.parse(await agent.call('list_resources', list))).toMatchObject({ data: [{ id: link['id'] }] });
  expect(await agent.close()).toBe(0);
});

interface Result {
  isError: boolean;
  /** The answer of the tool, or its error. */
  json: Json & { confirm: string; error: { code: string; message: string } };
}

/** A server without streams, whose clock can be set. */
function aServer(canWrite = true) {
  const now = new Date(0);
  const io = anIo();
  const session = new Session(io, { baseUrl: `${on.url}/api/v1`, key, project: '' });
  const server = new McpServer(io, session, tools, { canWrite, now: () => now.getTime() });
  const call = async (name: string, input: object): Promise<Result> => {
    const params = { name, arguments: input };
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { isError, content } = ((await server.answer(message)) as Answer).result!;
    return { isError, json: JSON.parse(content[0]!.text) as Result['json'] };
  };
  const messageOf = async (name: string, input: object) => (await call(name, input)).json.error.message;
  /** Plans a change, and returns the token that confirms it. */
  const plan = async (name: string, input: object) => (await call(name, input)).json.confirm;
  return { server, call, messageOf, plan, now };
}

test('without --write, no tool changes anything', async () => {
  const agent = new Agent();
  const { result } = await agent.send('tools/list');
  expect(result!.tools.map(({ name }) => name)).toEqual(tools.filter((tool) => !tool.plan).map(({ name }) => name));
  const { error } = await agent.send('tools/call', { name: 'create_resource', arguments: {} });
  expect(error).toMatchObject({ code: -32602 });
  await agent.close();
});

test('a change that breaks a released version says so, or needs acknowledge', async () => {
  const { id: project, subdomain } = await aProject(on, key);
  const { id: appId } = await anIosApp(on, key, project);
  const release = { version: '1.2.3', hosts: [`${subdomain}.localhost`] };
  await on.api('post', `/projects/${project}/ios-apps/${appId}/releases`, key).send(release).expect(201);
  const { call, plan } = aServer();
  const change = async (input: object): Promise<[isError: boolean, Json]> => {
    const of = { resource: 'ios_app', project, id: appId, ...input };
    const { isError, json } = await call('update_resource', { ...of, confirm: await plan('update_resource', of) });
    return [isError, json];
  };
  expect(await change({ fields: { paths: ['/a'] } })).toMatchObject([false, { broken_app_versions: '1.2.3' }]);
  await on.api('put', `/projects/${project}`, key).send({ release_guard: 'refuse' }).expect(200);
  const fields = { paths: [] };
  expect(await change({ fields })).toMatchObject([true, { error: { code: 'BREAKS_RELEASED_APP' } }]);
  const made = await change({ fields, acknowledge: '1.2.3' });
  expect(made).toMatchObject([false, { broken_app_versions: '1.2.3' }]);
  const [, unsaid] = await change({ fields: { name: 'Shop' } });
  expect(unsaid).not.toHaveProperty('broken_app_versions');
});

describe('a token', () => {
  const input = () => ({ resource: 'project', fields: { name: 'Planned', subdomain: unique('planned') } });

  it('changes nothing before it is confirmed, and confirms once', async () => {
    const { call, messageOf, plan } = aServer();
    const of = input();
    const confirm = await plan('create_resource', of);
    const list = { resource: 'project', filter: { search: of.fields.subdomain } };
    expect(JSON.stringify((await call('list_resources', list)).json)).toContain('"total":0');
    // The order of names does not matter.
    const { resource, fields } = of;
    expect((await call('create_resource', { fields, confirm, resource })).isError).toBe(false);
    expect(await messageOf('create_resource', { ...of, confirm })).toMatch(/unknown, used or expired/);
  });

  it.each<[string, (of: ReturnType<typeof input>) => object]>([
    ['another value', (of) => ({ ...of, fields: { ...of.fields, name: 'Other' } })],
    ['another field', (of) => ({ ...of, fields: { ...of.fields, allowed_schemes: ['shop'] } })],
    ['another argument', (of) => ({ ...of, project: 'summer' })],
  ])('is refused and used up with %s', async (_, other) => {
    const { messageOf, plan } = aServer();
    const of = input();
    const confirm = await plan('create_resource', of);
    expect(await messageOf('create_resource', { ...other(of), confirm })).toMatch(/belongs to other arguments/);
    expect(await messageOf('create_resource', { ...of, confirm })).toMatch(/unknown, used or expired/);
  });

  it('expires after five minutes, and when 100 newer plans wait', async () => {
    const { messageOf, plan, now } = aServer();
    const of = input();
    const late = await plan('create_resource', of);
    now.setTime(300_001);
    expect(await messageOf('create_resource', { ...of, confirm: late })).toMatch(/expired/);
    const oldest = await plan('create_resource', of);
    for (let count = 0; count < 100; count++) await plan('create_resource', of);
    expect(await messageOf('create_resource', { ...of, confirm: oldest })).toMatch(/expired/);
  });

  it('does not overwrite a change in between', async () => {
    const { call, plan } = aServer();
    const { id: project } = await aProject(on, key);
    const update = (name: string) => ({ resource: 'project', project, fields: { name } });
    const [first, second] = [
      await plan('update_resource', update('First')),
      await plan('update_resource', update('Second')),
    ];
    expect((await call('update_resource', { ...update('First'), confirm: first })).isError).toBe(false);
    const refused = await call('update_resource', { ...update('Second'), confirm: second });
    expect(refused.json.error.code).toBe('PRECONDITION_FAILED');
  });
});

test.each<[string, RegExp, object]>([
  ['read_documentation', /There is no such page\. Pages: .*llms\.txt/, { page: '../package.json' }],
  ['list_resources', /`resource` is missing/, {}],
  ['list_resources', /`resource` must be one of project, link/, { resource: 'account' }],
  ['list_resources', /`limit` must be a whole number from 1 to 100/, { resource: 'project', limit: 101 }],
  ['list_resources', /There is no argument "all"/, { resource: 'project', all: true }],
  ['list_resources', /There is no argument "constructor"/, { resource: 'project', constructor: 1 }],
  ['list_resources', /`project` is missing/, { resource: 'link' }],
  ['list_resources', /`filter` must be an object/, { resource: 'project', filter: [] }],
  ['get_resource', /No project of the account has the subdomain/, { resource: 'project', project: unique('absent') }],
  ['get_resource', /must be the id/, { resource: 'link', project: '0198c0de-7e57-7000-8000-000000000001', id: '..' }],
  ['get_resource', /a text of 1 to 8192 characters/, { resource: 'project', project: 'a'.repeat(9000) }],
  ['update_resource', /`resource` must be one of/, { resource: 'short_link', fields: {} }],
  ['create_resource', /unknown, used or expired/, { resource: 'project', fields: {}, confirm: 'guessed' }],
])('%s refuses: %s', async (name, message, input) => {
  const { isError, json } = await aServer().call(name, input);
  expect([isError, json.error.message]).toEqual([true, expect.stringMatching(message)]);
});

const version = (name: string) => ({ _meta: { 'io.modelcontextprotocol/protocolVersion': name } });
const request = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
const error = (code: number, data?: object) => ({ id: 7, error: { code, ...(data && { data }) } });
const supportedVersions = ['2026-07-28', '2025-11-25', '2025-06-18'];

test.each<[string, string, object | null]>([
  ['no JSON', '{', { ...error(-32700), id: null }],
  ['no object', 'null', { ...error(-32600), id: null }],
  ['a batch', '[]', { ...error(-32600), id: null }],
  ['a long message', JSON.stringify('a'.repeat(500_000)), { ...error(-32600), id: null }],
  ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}', null],
  ['an unknown method', request('resources/list'), error(-32601)],
  ['an unknown tool', request('tools/call', { name: 'drop' }), error(-32602)],
  ['another version', request('tools/list', version('1900-01-01')), error(-32022, { requested: '1900-01-01' })],
  [
    'discovery',
    request('server/discover', version('2026-07-28')),
    { id: 7, jsonrpc: '2.0', result: { resultType: 'complete', supportedVersions } },
  ],
  [
    'a known handshake',
    request('initialize', { protocolVersion: '2025-06-18' }),
    { id: 7, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'signpost' } } },
  ],
  [
    'an unknown handshake',
    request('initialize', { protocolVersion: '2099-01-01' }),
    { id: 7, result: { protocolVersion: '2025-11-25' } },
  ],
  ['a ping', request('ping'), { id: 7, result: {} }],
])('the protocol answers %s', async (_, message, expected) => {
  const answer = await aServer().server.answer(message);
  if (expected) expect(answer).toMatchObject(expected);
  else expect(answer).toBeNull();
});

test('the key does not come from stdin, which has the messages', async () => {
  const { exitCode, stderr } = await runCommand(['mcp', '--key-file', '-', '--url', on.url]);
  expect([exitCode, stderr]).toEqual([2, 'signpost: stdin has the messages; use another --key-file.\n']);
});
