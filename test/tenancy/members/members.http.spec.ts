import { MembersService } from '../../../src/tenancy/members/members.service';
import { aProject, unique, unknownId } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { IdentityProvider } from '../../support/identity-provider';
import { rounds } from '../../support/scale';
import { aService, type TestAccount, type TestService } from '../../support/service';

interface Member {
  id: string;
  email: string | null;
  subject: string | null;
  role: string | null;
  project_roles: Record<string, string>;
  user_id: string | null;
}

let provider: IdentityProvider;
let on: TestService;
let account: TestAccount;
let owner: string;
beforeAll(async () => {
  provider = await IdentityProvider.start();
  on = await aService({ ...provider.environment, DASHBOARD_ROLES_SOURCE: 'members' });
});
afterAll(async () => {
  await on.stop();
  await provider.stop();
});
beforeEach(async () => {
  account = await on.anAccount('enterprise');
  owner = tokenOf('owner');
  await invite({ subject: 'owner', role: 'owner' });
});

const members = '/account/members';
const tokenOf = (sub: string, claims: object = {}) => provider.token(account.accountId, { sub, ...claims });

const invite = async (body: object, token = owner): Promise<Member> => {
  const { body: created } = await on.api('post', members, token).send(body).expect(201);
  return (created as { data: Member }).data;
};
const memberAt = async (id: string): Promise<Member> =>
  ((await on.api('get', `${members}/${id}`, owner).expect(200)).body as { data: Member }).data;

/** Returns the status of reading links, and of creating one. */
async function rightsOf(token: string, project: string): Promise<[read: number, write: number]> {
  const links = `/projects/${project}/links`;
  const write = await on.api('post', links, token).send({ name: 'L' });
  return [(await on.api('get', links, token)).status, write.status];
}

test('the first member must be an owner, and until then everyone who signs in is one', async () => {
  account = await on.anAccount('pro');
  const first = tokenOf('ann');
  await on
    .api('post', '/projects', first)
    .send({ name: 'P', subdomain: unique('p') })
    .expect(201);
  expect(await on.api('post', members, first).send({ subject: 'ann', role: 'admin' })).toBeRefusedWith('LAST_OWNER');
  await invite({ subject: 'ann', role: 'owner' }, first);
  await eventually(async () => (await on.api('get', '/account', tokenOf('bob'))).status, 403);
});

test('an invitation by address binds the first person who signs in with it, for good', async () => {
  const { id: project } = await aProject(on, account.key);
  const { id, email } = await invite({ email: 'Ann@Example.com', role: 'editor' });
  expect(email).toBe('ann@example.com');
  expect(await rightsOf(tokenOf('unverified', { email: 'ann@example.com', email_verified: false }), project)).toEqual([
    403, 403,
  ]);
  expect(await rightsOf(tokenOf('ann', { email: 'ANN@example.com' }), project)).toEqual([200, 201]);
  expect((await memberAt(id)).user_id).not.toBeNull();
  expect(await rightsOf(tokenOf('other', { email: 'ann@example.com' }), project)).toEqual([403, 403]);
  expect(await rightsOf(tokenOf('ann', { email: 'married@example.com' }), project)).toEqual([200, 201]);
});

test('a subject counts in place of the address', async () => {
  const { id: project } = await aProject(on, account.key);
  await invite({ email: 'ann@example.com', subject: 'ann', role: 'viewer' });
  expect(await rightsOf(tokenOf('eve', { email: 'ann@example.com' }), project)).toEqual([403, 403]);
  expect(await rightsOf(tokenOf('ann'), project)).toEqual([200, 403]);
});

test('roles in single projects open these projects only', async () => {
  const [own, other] = [await aProject(on, account.key), await aProject(on, account.key)];
  await invite({ subject: 'ann', project_roles: { [own.id.toUpperCase()]: 'editor' } });
  const ann = tokenOf('ann');
  expect(await rightsOf(ann, own.id)).toEqual([200, 201]);
  expect(await rightsOf(ann, other.id)).toEqual([403, 403]);
  const { body } = await on.api('get', '/projects', ann).expect(200);
  expect((body as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual([own.id]);
  expect((await on.api('get', '/account', ann).expect(200)).body).toMatchObject({
    data: { access: { role: null, project_roles: { [own.id]: 'editor' }, scopes: null, project_ids: [own.id] } },
  });
});

test('a change and a removal apply within a second', async () => {
  const { id: project } = await aProject(on, account.key);
  const { id } = await invite({ subject: 'ann', role: 'editor' });
  const ann = tokenOf('ann');
  expect(await rightsOf(ann, project)).toEqual([200, 201]);
  await on.api('put', `${members}/${id}`, owner).send({ role: 'viewer' }).expect(200);
  await eventually(async () => (await rightsOf(ann, project))[1], 403);
  await on.api('delete', `${members}/${id}`, owner).expect(200);
  await eventually(async () => (await rightsOf(ann, project))[0], 403);
});

test('only owners make, change and remove owners', async () => {
  const [{ data }] = [(await on.api('get', members, owner)).body as { data: Member[] }];
  await invite({ subject: 'adam', role: 'admin' });
  const adam = tokenOf('adam');
  const refused = { required_role: 'owner' };
  expect(await on.api('post', members, adam).send({ subject: 'x', role: 'owner' })).toBeRefusedWith(
    'ACCESS_DENIED',
    refused,
  );
  const ofOwner = `${members}/${data[0]!.id}`;
  expect(await on.api('put', ofOwner, adam).send({ role: 'viewer' })).toBeRefusedWith('ACCESS_DENIED', refused);
  expect(await on.api('delete', ofOwner, adam)).toBeRefusedWith('ACCESS_DENIED', refused);
  const { id } = await invite({ subject: 'x', role: 'viewer' }, adam);
  expect(await on.api('put', `${members}/${id}`, adam).send({ role: 'owner' })).toBeRefusedWith(
    'ACCESS_DENIED',
    refused,
  );
});

test('projects of roles belong to the account', async () => {
  const foreign = await aProject(on, (await on.anAccount()).key);
  const body = (project: string) => ({ subject: 'ann', project_roles: { [project]: 'viewer' } });
  expect(await on.api('post', members, owner).send(body(foreign.id))).toBeRefusedWith('FORBIDDEN_CROSS_SCOPE');
  expect(await on.api('post', members, owner).send(body(unknownId))).toBeRefusedWith('NOT_FOUND');
});

test('names are unique, and one is required', async () => {
  expect(await on.api('post', members, owner).send({ subject: 'owner' })).toBeRefusedWith('MEMBER_EXISTS');
  await invite({ email: 'ann@example.com' });
  expect(await on.api('post', members, owner).send({ email: 'ANN@example.com' })).toBeRefusedWith('MEMBER_EXISTS');
  expect(await on.api('post', members, owner).send({ role: 'viewer' })).toBeRefusedWith('INVALID_INPUT');
});

test.each(rounds(20))('two owners who demote and remove each other: one remains, round %i', async () => {
  const ids = [(await on.api('get', members, owner)).body as { data: Member[] }].flatMap(({ data }) =>
    data.map(({ id }) => id),
  );
  const second = await invite({ subject: 'second', role: 'owner' });
  const other = tokenOf('second');
  await on.api('get', '/account', other).expect(200);
  const answers = await Promise.all([
    on.api('put', `${members}/${second.id}`, owner).send({ role: 'viewer' }),
    on.api('delete', `${members}/${ids[0]!}`, other),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ error: { code: 'LAST_OWNER' } });
});

test('the shell gives roles to people whom it finds by name', async () => {
  const service = on.service.app.get(MembersService);
  account = await on.anAccount();
  await expect(service.setRole(account.accountId, { email: 'a@example.com' }, 'editor')).rejects.toThrow(
    'needs an owner',
  );
  const { id } = await service.setRole(account.accountId, { email: 'a@example.com' }, 'owner');
  await service.setRole(account.accountId, { subject: 'b' }, 'owner');
  expect(await service.setRole(account.accountId, { email: 'a@example.com' }, 'viewer')).toMatchObject({
    id,
    role: 'viewer',
  });
});
