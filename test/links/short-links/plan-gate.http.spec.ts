import { aDynamicLink, aProject, aShortLink, unknownId } from '../../support/builders';
import { aClient } from '../../support/client';
import { changingNothing } from '../../support/content';
import { eventually } from '../../support/eventually';
import { aService, type TestService } from '../../support/service';

let on: TestService;
beforeAll(async () => {
  on = await aService();
});
afterAll(() => on.stop());

const details = { feature: 'short_links', current_plan: 'free', required_plan: 'pro' };

test('a short link cannot be created on the free plan', async () => {
  const { key } = await on.anAccount('free');
  const projectId = (await aProject(on, key)).id;
  const link = await aDynamicLink(on, key, projectId);
  const refused = await aClient(on, key).POST('/projects/{projectId}/short-links', {
    params: { path: { projectId } },
    body: { dynamic_link_id: link.id, slug: 'sale' },
  });
  expect(refused).toBeRefusedWith('FORBIDDEN_PLAN', details);
});

test('the plan is checked after the key and before everything in the request', async () => {
  const { key } = await on.anAccount('free');
  const theirs = await aProject(on, (await on.anAccount()).key);
  const own = await aProject(on, key);
  for (const project of [unknownId, 'x', theirs.id, own.id])
    for (const body of [{}, { source: 'api' }, { dynamic_link_id: unknownId }]) {
      const request = () => on.api('post', `/projects/${project}/short-links`, key).send(body);
      expect(await changingNothing(on, request)).toBeRefusedWith('FORBIDDEN_PLAN', details);
    }
  const noJson = await on.api('post', `/projects/${own.id}/short-links`, key).type('text').send('x');
  expect(noJson).toBeRefusedWith('FORBIDDEN_PLAN', details);
  const noKey = await on.api('post', `/projects/${own.id}/short-links`).send({});
  expect(noKey).toBeRefusedWith('UNAUTHORIZED');
});

test('an existing short link can be listed, read, visited and deleted after a downgrade', async () => {
  const { accountId, key } = await on.anAccount('pro');
  const client = aClient(on, key);
  const project = await aProject(on, key);
  const link = await aDynamicLink(on, key, project.id, { desktop_url: 'https://example.com/kept' });
  const kept = await aShortLink(on, key, project.id, link.id);
  const path = { projectId: project.id };
  // The slug exists, so that no request creates a link before the new plan applies.
  const create = () =>
    client.POST('/projects/{projectId}/short-links', {
      params: { path },
      body: { dynamic_link_id: link.id, slug: kept.slug },
    });
  expect(await create()).toBeRefusedWith('SLUG_EXISTS');

  await on.setPlan(accountId, 'free');
  const refused = await eventually(async () => {
    const answer = await create();
    return answer.response.status === 403 && answer;
  });
  expect(refused).toBeRefusedWith('FORBIDDEN_PLAN', details);

  const params = { path: { ...path, shortLinkId: kept.id } };
  expect((await client.GET('/projects/{projectId}/short-links', { params: { path } })).data!.data).toEqual([kept]);
  expect((await client.GET('/projects/{projectId}/short-links/{shortLinkId}', { params })).data!.data).toEqual(kept);
  const qrCode = await client.GET('/projects/{projectId}/short-links/{shortLinkId}/qr-code', {
    params,
    parseAs: 'blob',
  });
  expect(qrCode.response.status).toBe(200);
  const visit = await on.visit(project.subdomain, `/${kept.slug}`);
  expect([visit.status, visit.headers['location']]).toEqual([302, 'https://example.com/kept']);
  const deleted = await client.DELETE('/projects/{projectId}/short-links/{shortLinkId}', { params });
  expect(deleted.response.status).toBe(200);
  expect((await on.visit(project.subdomain, `/${kept.slug}`)).status).toBe(404);
});

test('a short link can be created soon after an upgrade', async () => {
  const { accountId, key } = await on.anAccount('free');
  const projectId = (await aProject(on, key)).id;
  const { id } = await aDynamicLink(on, key, projectId);
  const create = () => on.api('post', `/projects/${projectId}/short-links`, key).send({ dynamic_link_id: id });
  expect(await create()).toBeRefusedWith('FORBIDDEN_PLAN', details);
  await on.setPlan(accountId, 'pro');
  await eventually(async () => (await create()).status === 201);
});
