import { ProjectPurge } from '../../../src/links/projects/project-purge';
import { aDynamicLink, aProject, unique } from '../../support/builders';
import { changingNothing, rowsOf } from '../../support/content';
import { aService, type TestAccount, type TestService } from '../../support/service';

let on: TestService;
let owner: TestAccount;
beforeAll(async () => {
  on = await aService({ QUOTA_PRO_PROJECTS: 'unlimited' });
  owner = await on.anAccount();
});
afterAll(() => on.stop());

test('the Location header uses API_BASE_URL, not the request', async () => {
  const configured = await aService({
    API_BASE_URL: 'https://api.example.com',
    LINK_BASE_URL: 'https://go.example.com',
  });
  try {
    const { key } = await configured.anAccount();
    const response = await configured
      .api('post', '/projects', key)
      .set({ 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' })
      .send({ name: 'x', subdomain: unique('origin') })
      .expect(201);
    expect(response.headers['location']).toBe(`https://api.example.com/api/v1/projects/${response.body.data.id}`);
  } finally {
    await configured.stop();
  }
});

test.each(['www', 'api', 'app', 'admin', 'mail'])(
  'the reserved subdomain %s returns SUBDOMAIN_TAKEN',
  async (subdomain) => {
    const { id } = await aProject(on, owner.key);
    const create = () => on.api('post', '/projects', owner.key).send({ name: 'Reserved', subdomain });
    expect(await changingNothing(on, create)).toBeRefusedWith('SUBDOMAIN_TAKEN');
    const { body } = await create();
    expect((body as { error: { message: string } }).error.message).toMatch(/ is reserved; choose another one$/);
    const update = () => on.api('put', `/projects/${id}`, owner.key).send({ subdomain });
    expect(await changingNothing(on, update)).toBeRefusedWith('SUBDOMAIN_TAKEN');
  },
);

test('the next sweep deletes the rows that a crash left of a deleted project, and no others', async () => {
  const { key } = await on.anAccount();
  const deleted = await aProject(on, key);
  const other = await aProject(on, key);
  await aDynamicLink(on, key, deleted.id);
  await aDynamicLink(on, key, other.id);
  const before = await rowsOf(on, other.id);
  // A process that crashes right after its commit leaves this state.
  await on.database.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [deleted.id]);
  expect((await rowsOf(on, deleted.id))['dynamic_links']).toBe(1);

  await on.service.app.get(ProjectPurge).sweep();

  expect(Object.values(await rowsOf(on, deleted.id)).every((count) => count === 0)).toBe(true);
  expect(await rowsOf(on, other.id)).toEqual(before);
});
