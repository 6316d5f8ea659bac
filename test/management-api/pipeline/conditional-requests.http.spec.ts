import type { Response } from 'supertest';
import { aDynamicLink, anIosApp, aProject, unique, unknownId, updated } from '../../support/builders';
import { serviceFixture, accountFixture } from '../../support/fixtures';

const on = serviceFixture();
const account = accountFixture(on);

const get = (path: string, tag?: string) => {
  const request = on.api('get', path, account.key);
  return tag === undefined ? request : request.set('If-None-Match', tag);
};
const put = (path: string, tag: string, body: object) =>
  on.api('put', path, account.key).set('If-Match', tag).send(body);
const tagOf = async (path: string) => (await get(path).expect(200)).headers['etag']!;
const codeOf = ({ status, body }: Response) => [status, (body as { error?: { code: string } }).error?.code];
const preconditionFailed = [412, 'PRECONDITION_FAILED'];

test('an empty update returns 412 for a wrong If-Match', async () => {
  const project = await aProject(on, account.key);
  const path = `/projects/${project.id}/links/${(await aDynamicLink(on, account.key, project.id)).id}`;
  await put(path, await tagOf(path), {}).expect(200);
  expect(codeOf(await put(path, '"other"', {}))).toEqual(preconditionFailed);
});

test('the ETag of a link changes with the embedded fields of its project and app', async () => {
  const project = await aProject(on, account.key);
  const app = await anIosApp(on, account.key, project.id);
  const link = await aDynamicLink(on, account.key, project.id, { ios_app_id: app.id });
  const path = `/projects/${project.id}/links/${link.id}`;
  const tags = [await tagOf(path)];
  await updated(on, account.key, `/projects/${project.id}`, { subdomain: unique('moved') });
  tags.push(await tagOf(path));
  await on.api('put', `/projects/${project.id}/ios-apps/${app.id}`, account.key).send({ name: 'Renamed' }).expect(200);
  tags.push(await tagOf(path));
  expect(new Set(tags).size).toBe(3);
  await put(path, tags[2]!, { name: 'Changed' }).expect(200);
});

test('If-Match is checked after the body and the resource, and before the resources named in the body', async () => {
  const project = await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, project.id);
  const links = `/projects/${project.id}/links`;
  const cases: [path: string, body: object, expected: unknown[]][] = [
    [`${links}/${link.id}`, { name: '' }, [400, 'INVALID_INPUT']],
    [`${links}/${unknownId}`, { name: 'N' }, [404, 'NOT_FOUND']],
    [`${links}/${link.id}`, { ios_app_id: unknownId }, preconditionFailed],
  ];
  for (const [path, body, expected] of cases) expect(codeOf(await put(path, '"other"', body))).toEqual(expected);
});

test('creations, lists and errors have no ETag', async () => {
  const body = { name: 'N', subdomain: unique('untagged') };
  const answer = await on.api('post', '/projects', account.key).send(body).expect(201);
  const list = await get('/projects', '*').expect(200);
  const missing = await get(`/projects/${unknownId}`).expect(404);
  for (const { headers } of [answer, list, missing]) expect(headers).not.toHaveProperty('etag');
});
