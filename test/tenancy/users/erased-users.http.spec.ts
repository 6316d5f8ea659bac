import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import { aDynamicLink, aProject, aShortLink } from '../../support/builders';
import { aService, type TestService } from '../../support/service';

let on: TestService;
beforeAll(async () => (on = await aService()));
afterAll(() => on.stop());

const erase = (userId: string) => on.database.query('DELETE FROM users WHERE id = $1', [userId]);

test('the resources of an erased user stay with the account, and its key still creates others', async () => {
  const account = await on.anAccount();
  const project = await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, project.id);
  const short = await aShortLink(on, account.key, project.id, link.id);
  await erase(account.userId);

  const list = await on.api('get', '/projects', account.key).expect(200);
  expect(list.body.data).toEqual([{ ...project, _count: { dynamic_links: 1 } }]);
  const { body } = await on.api('get', `/projects/${project.id}/short-links/${short.id}`, account.key).expect(200);
  expect(body.data).toEqual(short);
  await on.visit(project.subdomain, `/${link.custom_path}`).expect(302);

  const another = await aProject(on, account.key);
  const anotherLink = await aDynamicLink(on, account.key, another.id);
  await aShortLink(on, account.key, another.id, anotherLink.id);
});

test('the shell creates keys for an account whose users were all erased', async () => {
  const account = await on.anAccount();
  await erase(account.userId);
  const keys = on.service.app.get(ApiKeysService, { strict: false });
  const { secret } = await keys.create(account.accountId, 'Shell', null);
  await aProject(on, secret);
});
