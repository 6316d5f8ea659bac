import { anAndroidApp, aProject } from '../../support/builders';
import { problem } from '../../support/problem';
import { aService, type TestAccount, type TestService } from '../../support/service';

let on: TestService;
let account: TestAccount;
let projectId: string;
let apps: string;
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount();
});
afterAll(() => on.stop());
beforeEach(async () => {
  projectId = (await aProject(on, account.key)).id;
  apps = `/projects/${projectId}/ios-apps`;
});

const valid = { name: 'Shop', bundle_id: 'com.acme.app', team_id: 'ABCDE12345' };
const create = (body: object) => on.api('post', apps, account.key).send({ ...valid, ...body });
const anApp = async (body: object): Promise<string> => `${apps}/${(await create(body)).body.data.id}`;

test.each([
  ['bundle_id', { bundle_id: 'ABCDE12345.com.acme.app' }, 'com.acme.app'],
  ['bundle_id', { bundle_id: 'abcde12345.com.acme.app' }, 'com.acme.app'],
  ['app_clip_bundle_id', { app_clip_bundle_id: 'ABCDE12345.com.acme.app.Clip' }, 'com.acme.app.Clip'],
])('%s must not start with the team_id: %j', async (field, sent, rest) => {
  const details = [
    { ...problem('invalid_format', field), message: `${field} must not start with the team_id; send ${rest}` },
  ];
  const created = await create(sent);
  expect(created).toBeRefusedWith('INVALID_INPUT', details);
  const app = await anApp({});
  expect(await on.api('put', app, account.key).send(sent)).toBeRefusedWith('INVALID_INPUT', details);
  const otherTeam = await anApp({ bundle_id: 'com.acme.other', ...sent, team_id: 'ZYXWV98765' });
  const moved = await on.api('put', otherTeam, account.key).send({ team_id: 'ABCDE12345' });
  expect(moved).toBeRefusedWith('INVALID_INPUT', details);
  expect((await on.api('put', otherTeam, account.key).send({ shared_credentials: true })).status).toBe(200);
});

test('a part of a bundle id may look like a team id', async () => {
  for (const bundleId of ['ABCDE12345', 'com.ABCDE12345.app', 'ABCDE123456.app', 'ZYXWV98765.com.acme.app'])
    expect((await create({ bundle_id: bundleId })).status).toBe(201);
});

test('sha_fingerprints can be empty on update, but not on create', async () => {
  const { id } = await anAndroidApp(on, account.key, projectId);
  const list = `/projects/${projectId}/android-apps`;
  const created = await on
    .api('post', list, account.key)
    .send({ name: 'Shop', package_name: 'com.example.shop', sha_fingerprints: [] });
  expect(created).toBeRefusedWith('INVALID_INPUT', [problem('too_small', 'sha_fingerprints')]);
  const changed = await on.api('put', `${list}/${id}`, account.key).send({ sha_fingerprints: [] }).expect(200);
  expect(changed.body.data.sha_fingerprints).toEqual([]);
});
