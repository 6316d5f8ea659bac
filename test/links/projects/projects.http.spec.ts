import { aProject, unique } from '../../support/builders';
import { changingNothing } from '../../support/content';
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
