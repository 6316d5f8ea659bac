import { DynamicLinksService } from '../../../src/links/dynamic-links/dynamic-links.service';
import { ConcurrencyLimited } from '../../../src/platform/rate-limit/rate-limit.errors';
import { linkDefaults, textExamples } from '../../contracts/fields';
import { aDynamicLink, aProject, unique } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { problem } from '../../support/problem';
import { accountFixture, serviceFixture } from '../../support/fixtures';

const on = serviceFixture({ QUOTA_FREE_DYNAMIC_LINKS: '3' });
const account = accountFixture(on);
let projectId: string;
beforeAll(async () => ({ id: projectId } = await aProject(on, account.key)));

const pathOf = (externalId: string, project = projectId) =>
  `/projects/${project}/links/by-external-id/${encodeURIComponent(externalId)}`;
const put = (externalId: string, body: object, { key } = account, project = projectId) =>
  on.api('put', pathOf(externalId, project), key).send(body);
const get = (externalId: string) => on.api('get', pathOf(externalId), account.key);

test('PUT creates a link, and answers its place', async () => {
  const externalId = unique('crm');
  const answer = await put(externalId, { name: 'Sale', desktop_url: 'https://example.com/' });
  expect([answer.status, answer.body.data.external_id, answer.body.data.name]).toEqual([201, externalId, 'Sale']);
  expect(answer.headers['location']).toBe(
    `http://localhost:3000/api/v1/projects/${projectId}/links/${answer.body.data.id}`,
  );
  const read = await get(externalId).expect(200);
  expect(read.body.data).toMatchObject(answer.body.data);
  expect(answer.headers['etag']).toBe(read.headers['etag']);
});

test('PUT that fails after the creation creates nothing', async () => {
  const externalId = unique('crm');
  jest.spyOn(on.service.app.get(DynamicLinksService), 'get').mockRejectedValueOnce(new ConcurrencyLimited());
  expect(await changingNothing(on, () => put(externalId, { name: 'Sale' }))).toBeRefusedWith('RATE_LIMITED');
  expect((await put(externalId, { name: 'Sale' })).status).toBe(201);
});

test('PUT replaces every field, but neither the path nor the origin', async () => {
  const externalId = unique('crm');
  const url = 'https://example.com/';
  const full = {
    ...textExamples,
    ...{ name: 'Sale', custom_path: unique('path'), referrer_params: { a: 'b' } },
    ...{ desktop_url: url, ios_fallback_url: url, android_fallback_url: url, social_image_url: url },
    ...{ ios_deferred_deep_link: true, archived: true, disabled: true },
  };
  const { body: created } = await put(externalId, full).expect(201);
  await on.database.query(
    `UPDATE dynamic_links SET imported_from = 'bitly', original_clicks = 9007199254740991,
       original_created_at = '2019-01-02T03:04:05.678Z' WHERE id = $1`,
    [created.data.id],
  );
  const { body, headers } = await put(externalId, { name: 'Other' }).expect(200);
  expect(body.data).toEqual({
    ...created.data,
    ...linkDefaults,
    name: 'Other',
    external_id: externalId,
    imported_from: 'bitly',
    original_created_at: '2019-01-02T03:04:05.678Z',
    original_clicks: 9007199254740991,
    updated_at: expect.any(String),
  });
  expect(headers['location']).toBeUndefined();
  const moved = await put(externalId, { name: 'Other', custom_path: unique('path') }).expect(200);
  expect(moved.body.data.id).toBe(created.data.id);
  expect(moved.body.data.custom_path).not.toBe(full.custom_path);
});

test('a repeated PUT changes nothing', async () => {
  const externalId = unique('crm');
  const first = await put(externalId, { name: 'Sale' }).expect(201);
  const again = await changingNothing(on, () => put(externalId, { name: 'Sale' }));
  expect([again.status, again.body]).toEqual([200, first.body]);
});

test.each(['explain', 'analytics', 'qr-code', 'a/b?c#d%20', 'ü 😀', '...', `${'x'.repeat(255)}`])(
  'the external id %j is found by its path, in this letter case only',
  async (externalId) => {
    const { body } = await put(externalId, { name: 'Sale' }).expect(201);
    expect((await get(externalId).expect(200)).body.data.id).toBe(body.data.id);
    if (externalId.toUpperCase() !== externalId)
      expect(await get(externalId.toUpperCase())).toBeRefusedWith('NOT_FOUND');
  },
);

test.each([' ', 'x'.repeat(256), 'a\nb', 'a\0b'])(
  'PUT refuses the external id %j, and GET finds nothing',
  async (id) => {
    const answer = await changingNothing(on, () => put(id, { name: 'Sale' }));
    expect(answer).toBeRefusedWith('INVALID_INPUT', [problem(expect.any(String), 'externalId')]);
    expect(await get(id)).toBeRefusedWith('NOT_FOUND');
    expect(await put(id, { name: 7 })).toBeRefusedWith('INVALID_INPUT', [problem('invalid_type', 'name')]);
  },
);

test('PUT takes no external id in its body', async () => {
  const refused = await put('crm-1', { name: 'Sale', external_id: 'crm-1' });
  expect(refused).toBeRefusedWith('FORBIDDEN_FIELD', [problem('unrecognized_key', 'external_id')]);
});

test('If-Match compares the state of the link, which must exist', async () => {
  const externalId = unique('crm');
  const send = (tag: string) => put(externalId, { name: 'Sale' }).set('If-Match', tag);
  expect(await send('"x"')).toBeRefusedWith('PRECONDITION_FAILED');
  expect(await send('*')).toBeRefusedWith('PRECONDITION_FAILED');
  const { headers } = await put(externalId, { name: 'First' }).expect(201);
  await send(headers['etag']!).expect(200);
  expect(await send(headers['etag']!)).toBeRefusedWith('PRECONDITION_FAILED');
});

test('a path that is taken is refused, for a new link and for an existing one', async () => {
  const taken = unique('taken');
  await aDynamicLink(on, account.key, projectId, { custom_path: taken });
  const externalId = unique('crm');
  const refused = () => changingNothing(on, () => put(externalId, { name: 'Sale', custom_path: taken }));
  expect(await refused()).toBeRefusedWith('CUSTOM_PATH_EXISTS');
  await put(externalId, { name: 'Sale' }).expect(201);
  expect(await refused()).toBeRefusedWith('CUSTOM_PATH_EXISTS');
});

test('of many concurrent requests one creates the link, and the others replace it', async () => {
  const externalId = unique('crm');
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => put(externalId, { name: `Sale ${at}` })));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
});

test('the quota holds for creations only', async () => {
  const owner = await on.anAccount('free');
  const project = (await aProject(on, owner.key)).id;
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, at) => put(`crm-${at % 5}`, { name: 'Sale' }, owner, project)),
  );
  const created = answers.filter(({ status }) => status === 201);
  expect(created).toHaveLength(3);
  for (const answer of answers.filter(({ status }) => status > 201)) expect(answer).toBeRefusedWith('ACCESS_DENIED');
  const [{ external_id: known }] = created.map(({ body }) => body.data) as [{ external_id: string }];
  await put(known, { name: 'Other' }, owner, project).expect(200);
});

test('a deleted link frees its external id, even before its short links are purged', async () => {
  const externalId = unique('crm');
  const { body } = await put(externalId, { name: 'Sale' }).expect(201);
  await on.database.query(
    `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source)
     SELECT gen_random_uuid(), $1, $2, 'purged-' || n, 'api' FROM generate_series(1, 1500) n`,
    [projectId, body.data.id],
  );
  await on.api('delete', `/projects/${projectId}/links/${body.data.id}`, account.key).expect(200);
  expect(await get(externalId)).toBeRefusedWith('NOT_FOUND');
  await put(externalId, { name: 'Sale' }).expect(201);
});
