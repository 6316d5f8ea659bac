import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import type { SignpostClient } from '../../../clients/typescript/src/index';
import { aDynamicLink, aProject, aShortLink, type ProjectBody } from '../../support/builders';
import { aClient } from '../../support/client';
import { untilPurged } from '../../support/content';
import { aService, type TestAccount, type TestService } from '../../support/service';

let on: TestService;
let account: TestAccount;
let client: SignpostClient;
let project: ProjectBody;
let linkId: string;
let path: { projectId: string };
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  client = aClient(on, account.key);
  project = await aProject(on, account.key);
  path = { projectId: project.id };
  linkId = (await aDynamicLink(on, account.key, project.id)).id;
});
afterAll(() => on.stop());

const create = (body: { dynamic_link_id: string; slug?: string }, projectId = project.id) =>
  client.POST('/projects/{projectId}/short-links', { params: { path: { projectId } }, body });

test('created_by_api_key_id names the creating key, even after its revocation', async () => {
  const keys = on.service.app.get(ApiKeysService);
  const second = await keys.create(account.accountId, 'Second', null);
  const made = await aShortLink(on, second.secret, project.id, linkId);
  expect(made).toMatchObject({
    source: 'api',
    created_by: account.userId,
    created_by_api_key_id: second.id,
  });
  await keys.revoke(second.id);
  const params = { path: { ...path, shortLinkId: made.id } };
  expect((await client.GET('/projects/{projectId}/short-links/{shortLinkId}', { params })).data!.data).toEqual(made);
});

test('created_by is null for a short link without a creator', async () => {
  const [row] = await on.database.query<{ id: string }>(
    `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source)
     VALUES (gen_random_uuid(), $1, $2, 'from-dashboard', 'dashboard') RETURNING id`,
    [project.id, linkId],
  );
  const params = { path: { ...path, shortLinkId: row!.id } };
  const read = await client.GET('/projects/{projectId}/short-links/{shortLinkId}', { params });
  expect(read.data!.data).toMatchObject({ source: 'dashboard', created_by: null, created_by_api_key_id: null });
});

describe('a deletion', () => {
  const rowCounts = async (projectId: string) => {
    const [row] = await on.database.query<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM short_links WHERE project_id = $1) AS short_links,
              (SELECT count(*)::int FROM link_paths WHERE project_id = $1) AS paths,
              (SELECT coalesce(sum(short_links), 0)::int FROM project_counts WHERE project_id = $1) AS counted`,
      [projectId],
    );
    return row;
  };

  test('of a dynamic link or project deletes its short links', async () => {
    const own = await aProject(on, account.key);
    const [one, two] = [
      await aDynamicLink(on, account.key, own.id),
      await aDynamicLink(on, account.key, own.id, { custom_path: 'stays' }),
    ];
    for (let at = 0; at < 3; at++) await aShortLink(on, account.key, own.id, one.id, { slug: `one-${at}` });
    const kept = await aShortLink(on, account.key, own.id, two.id);
    expect(await rowCounts(own.id)).toEqual({ short_links: 4, paths: 6, counted: 4 });

    await on.api('delete', `/projects/${own.id}/links/${one.id}`, account.key).expect(200);
    expect(await rowCounts(own.id)).toEqual({ short_links: 1, paths: 2, counted: 1 });
    const listed = await client.GET('/projects/{projectId}/short-links', { params: { path: { projectId: own.id } } });
    expect([listed.data!.data, listed.data!.pagination.total]).toEqual([[kept], 1]);
    const again = await create({ dynamic_link_id: two.id, slug: 'one-0' }, own.id);
    expect(again.response.status).toBe(201);

    await on.api('delete', `/projects/${own.id}/short-links/${kept.id}`, account.key).expect(200);
    expect(await rowCounts(own.id)).toEqual({ short_links: 1, paths: 2, counted: 1 });

    await on.api('delete', `/projects/${own.id}`, account.key).expect(200);
    await untilPurged(on, own.id);
    expect(await rowCounts(own.id)).toEqual({ short_links: 0, paths: 0, counted: 0 });
  });

  test('of a dynamic link concurrent with creations of its short links leaves no rows', async () => {
    const own = await aProject(on, account.key);
    for (let round = 0; round < 12; round++) {
      const link = await aDynamicLink(on, account.key, own.id);
      const [deletion, ...creates] = await Promise.all([
        on.api('delete', `/projects/${own.id}/links/${link.id}`, account.key),
        ...Array.from({ length: 6 }, () => create({ dynamic_link_id: link.id }, own.id)),
      ]);
      expect(deletion.status).toBe(200);
      for (const answer of creates) if (answer.response.status !== 201) expect(answer).toBeRefusedWith('NOT_FOUND');
    }
    expect(await rowCounts(own.id)).toEqual({ short_links: 0, paths: 0, counted: 0 });
  });
});
