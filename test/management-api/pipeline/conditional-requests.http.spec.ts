import type { Response } from 'supertest';
import {
  aCustomDomain,
  aDynamicLink,
  anAndroidApp,
  anIosApp,
  aProject,
  aShortLink,
  unique,
  unknownId,
} from '../../support/builders';
import { changingNothing } from '../../support/content';
import { sample } from '../../support/scale';
import { aService, type TestService } from '../../support/service';

let on: TestService;
let key: string;
beforeAll(async () => {
  on = await aService();
  key = (await on.anAccount('enterprise')).key;
});
afterAll(() => on.stop());

const kinds: Record<string, (project: string) => Promise<string>> = {
  project: async (project) => `/projects/${project}`,
  'dynamic link': async (project) => `/projects/${project}/links/${(await aDynamicLink(on, key, project)).id}`,
  'short link': async (project) => {
    const link = await aDynamicLink(on, key, project);
    return `/projects/${project}/short-links/${(await aShortLink(on, key, project, link.id)).id}`;
  },
  'iOS app': async (project) => `/projects/${project}/ios-apps/${(await anIosApp(on, key, project)).id}`,
  'custom domain': async (project) =>
    `/projects/${project}/custom-domains/${(await aCustomDomain(on, key, project)).id}`,
  'Android app': async (project) => `/projects/${project}/android-apps/${(await anAndroidApp(on, key, project)).id}`,
};

/** Creates one in a new project and returns its path. */
async function create(kind: string): Promise<string> {
  return kinds[kind]!((await aProject(on, key)).id);
}

const get = (path: string, tag?: string) => {
  const request = on.api('get', path, key);
  return tag === undefined ? request : request.set('If-None-Match', tag);
};
const put = (path: string, tag: string, body: object) => on.api('put', path, key).set('If-Match', tag).send(body);
const remove = (path: string, tag: string) => on.api('delete', path, key).set('If-Match', tag);
const tagOf = async (path: string) => (await get(path).expect(200)).headers['etag']!;
const codeOf = ({ status, body }: Response) => [status, (body as { error?: { code: string } }).error?.code];
const preconditionFailed = [412, 'PRECONDITION_FAILED'];

describe.each(Object.keys(kinds).map((kind, at) => [kind, at] as const))('a request for a %s', (kind, at) => {
  test('returns 304 without a body if If-None-Match contains its ETag', async () => {
    const path = await create(kind);
    const tag = await tagOf(path);
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    expect(await tagOf(path)).toBe(tag);
    for (const sent of sample([tag, `W/${tag}`, `"other", ${tag}`, '*'], at)) {
      const answer = await get(path, sent).expect(304);
      expect([answer.text, answer.headers['etag']]).toEqual(['', tag]);
      expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
      expect(answer.headers).not.toHaveProperty('content-length');
    }
    for (const sent of sample(['"other"', tag.slice(1, -1), ''], at, 1)) await get(path, sent).expect(200);
    const head = await on.api('head', path, key).expect(200);
    expect(head.headers['etag']).toBe(tag);
  });

  test('deletes it only if If-Match contains its ETag', async () => {
    const path = await create(kind);
    const tag = await tagOf(path);
    for (const other of sample(['"other"', `W/${tag}`, tag.slice(1, -1), ''], at, 1))
      expect(codeOf(await changingNothing(on, () => remove(path, other)))).toEqual(preconditionFailed);
    await remove(path, `"other", ${tag}`).expect(200);
    expect(codeOf(await remove(path, tag))).toEqual([404, 'NOT_FOUND']);
  });
});

/** Excludes short links, which have no PUT, and custom domains, which have no name. */
const renamable = Object.keys(kinds).filter((kind) => !['short link', 'custom domain'].includes(kind));

describe.each(renamable)('an update of a %s', (kind) => {
  test('returns 412 after another update', async () => {
    const path = await create(kind);
    const tag = await tagOf(path);
    await put(path, tag, { name: 'First' }).expect(200);
    expect(await tagOf(path)).not.toBe(tag);
    const second = await changingNothing(on, () => put(path, tag, { name: 'Second' }));
    expect(codeOf(second)).toEqual(preconditionFailed);
    await get(path, tag).expect(200, /"name":"First"/);
    await put(path, await tagOf(path), { name: 'Second' }).expect(200);
    await put(path, '*', { name: 'Third' }).expect(200);
    await on.api('put', path, key).send({ name: 'Fourth' }).expect(200);
  });

  test('succeeds for one of ten concurrent requests with the same If-Match', async () => {
    const path = await create(kind);
    const tag = await tagOf(path);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => put(path, tag, { name: `Change ${at}` }).then((answer) => answer)),
    );
    const made = answers.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expect(codeOf(answer)).toEqual(preconditionFailed);
    const { name } = (made[0]!.body as { data: { name: string } }).data;
    await get(path).expect(200, new RegExp(`"name":"${name}"`));
  });
});

test('an empty update returns 412 for a wrong If-Match', async () => {
  const path = await create('dynamic link');
  await put(path, await tagOf(path), {}).expect(200);
  expect(codeOf(await put(path, '"other"', {}))).toEqual(preconditionFailed);
});

test('the ETag of a link changes with the embedded fields of its project and app', async () => {
  const project = await aProject(on, key);
  const app = await anIosApp(on, key, project.id);
  const link = await aDynamicLink(on, key, project.id, { ios_app_id: app.id });
  const path = `/projects/${project.id}/links/${link.id}`;
  const tags = [await tagOf(path)];
  await on
    .api('put', `/projects/${project.id}`, key)
    .send({ subdomain: unique('moved') })
    .expect(200);
  tags.push(await tagOf(path));
  await on.api('put', `/projects/${project.id}/ios-apps/${app.id}`, key).send({ name: 'Renamed' }).expect(200);
  tags.push(await tagOf(path));
  expect(new Set(tags).size).toBe(3);
  await put(path, tags[2]!, { name: 'Changed' }).expect(200);
});

test('If-Match is checked after the body and the resource, and before the resources named in the body', async () => {
  const project = await aProject(on, key);
  const link = await aDynamicLink(on, key, project.id);
  const links = `/projects/${project.id}/links`;
  const cases: [path: string, body: object, expected: unknown[]][] = [
    [`${links}/${link.id}`, { name: '' }, [400, 'INVALID_INPUT']],
    [`${links}/${unknownId}`, { name: 'N' }, [404, 'NOT_FOUND']],
    [`${links}/${link.id}`, { ios_app_id: unknownId }, preconditionFailed],
  ];
  for (const [path, body, expected] of cases) expect(codeOf(await put(path, '"other"', body))).toEqual(expected);
});

test('the ETag of an update serves the next one, and that of a link covers its app', async () => {
  const project = await aProject(on, key);
  const app = await anIosApp(on, key, project.id);
  const link = await aDynamicLink(on, key, project.id, { ios_app_id: app.id });
  const path = `/projects/${project.id}/links/${link.id}`;
  let tag = await tagOf(path);
  for (const name of ['First', 'Second', 'Second', 'Third']) {
    const answer = await put(path, tag, { name }).expect(200);
    expect(answer.body.data).not.toHaveProperty('ios_apps');
    tag = answer.headers['etag']!;
    await get(path, tag).expect(304);
  }
});

test('a creation has no ETag', async () => {
  const answer = await on
    .api('post', '/projects', key)
    .send({ name: 'N', subdomain: unique('untagged') })
    .expect(201);
  expect(answer.headers).not.toHaveProperty('etag');
});

test('lists and errors have no ETag header', async () => {
  const list = await get('/projects', '*').expect(200);
  expect(list.headers).not.toHaveProperty('etag');
  const missing = await get(`/projects/${unknownId}`).expect(404);
  expect(missing.headers).not.toHaveProperty('etag');
});
