import { MembersService } from '../../../src/tenancy/members/members.service';
import { aProject, created, dataAt, unknownId } from '../../support/builders';
import { until } from '../../support/eventually';
import { rounds } from '../../support/scale';
import type { TestAccount } from '../../support/service';
import { signInFixture } from '../../support/sign-in-service';

interface Member {
  id: string;
  email: string | null;
  user_id: string | null;
}

let account: TestAccount;
let owner: string;
const on = signInFixture({ DASHBOARD_ROLES_SOURCE: 'members' });
beforeEach(async () => {
  account = await on.anAccount('enterprise');
  owner = tokenOf('owner');
  await invite({ subject: 'owner', role: 'owner' });
});

const members = '/account/members';
const tokenOf = (sub: string, claims: object = {}) => on.provider.token(account.accountId, { sub, ...claims });
const invite = (body: object, token = owner) => created<Member>(on, token, members, body);
const send = (method: 'post' | 'put', path: string, body: object, token = owner) =>
  on.api(method, members + path, token).send(body);

/** Returns the status of reading links, and of creating one. */
async function rightsOf(token: string, project: string): Promise<[read: number, write: number]> {
  const links = `/projects/${project}/links`;
  const write = await on.api('post', links, token).send({ name: 'L' });
  return [(await on.api('get', links, token)).status, write.status];
}

test('the first member must be an owner, and until then everyone who signs in is one', async () => {
  account = await on.anAccount('pro');
  const first = tokenOf('ann');
  await aProject(on, first);
  expect(await send('post', '', { subject: 'ann', role: 'admin' }, first)).toBeRefusedWith('LAST_OWNER');
  await invite({ subject: 'ann', role: 'owner' }, first);
  await until(async () => (await on.api('get', '/account', tokenOf('bob'))).status === 403);
});

test('an invitation by address binds the first person who signs in with it, for good', async () => {
  const { id: project } = await aProject(on, account.key);
  const { id, email } = await invite({ email: 'Ann@Example.com', role: 'editor' });
  expect(email).toBe('ann@example.com');
  const unverified = tokenOf('unverified', { email: 'ann@example.com', email_verified: false });
  expect(await rightsOf(unverified, project)).toEqual([403, 403]);
  expect(await rightsOf(tokenOf('ann', { email: 'ANN@example.com' }), project)).toEqual([200, 201]);
  expect((await dataAt<Member>(on, owner, `${members}/${id}`)).user_id).not.toBeNull();
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
  expect(await dataAt(on, ann, '/projects')).toMatchObject([{ id: own.id }]);
  expect(await dataAt(on, ann, '/account')).toMatchObject({
    access: { role: null, project_roles: { [own.id]: 'editor' }, scopes: null, project_ids: [own.id] },
  });
});

test('a change and a removal apply within a second', async () => {
  const { id: project } = await aProject(on, account.key);
  const { id } = await invite({ subject: 'ann', role: 'editor' });
  const ann = tokenOf('ann');
  expect(await rightsOf(ann, project)).toEqual([200, 201]);
  await send('put', `/${id}`, { role: 'viewer' }).expect(200);
  await until(async () => (await rightsOf(ann, project))[1] === 403);
  await on.api('delete', `${members}/${id}`, owner).expect(200);
  await until(async () => (await rightsOf(ann, project))[0] === 403);
});

test('only owners make, change and remove owners', async () => {
  const [{ id: ownerId } = { id: '' }] = await dataAt<Member[]>(on, owner, members);
  await invite({ subject: 'adam', role: 'admin' });
  const adam = tokenOf('adam');
  const { id } = await invite({ subject: 'x', role: 'viewer' }, adam);
  for (const request of [
    send('post', '', { subject: 'y', role: 'owner' }, adam),
    send('put', `/${ownerId}`, { role: 'viewer' }, adam),
    on.api('delete', `${members}/${ownerId}`, adam),
    send('put', `/${id}`, { role: 'owner' }, adam),
  ])
    expect(await request).toBeRefusedWith('ACCESS_DENIED', { required_role: 'owner' });
});

test('projects of roles belong to the account', async () => {
  const foreign = await aProject(on, (await on.anAccount()).key);
  const body = (project: string) => ({ subject: 'ann', project_roles: { [project]: 'viewer' } });
  expect(await send('post', '', body(foreign.id))).toBeRefusedWith('FORBIDDEN_CROSS_SCOPE');
  expect(await send('post', '', body(unknownId))).toBeRefusedWith('NOT_FOUND');
});

test('names are unique, and one is required', async () => {
  expect(await send('post', '', { subject: 'owner' })).toBeRefusedWith('MEMBER_EXISTS');
  await invite({ email: 'ann@example.com' });
  expect(await send('post', '', { email: 'ANN@example.com' })).toBeRefusedWith('MEMBER_EXISTS');
  expect(await send('post', '', { role: 'viewer' })).toBeRefusedWith('INVALID_INPUT');
});

test.each(rounds(20))('two owners who demote and remove each other: one remains, round %i', async () => {
  const [first] = await dataAt<Member[]>(on, owner, members);
  const second = await invite({ subject: 'second', role: 'owner' });
  const other = tokenOf('second');
  await on.api('get', '/account', other).expect(200);
  const answers = await Promise.all([
    send('put', `/${second.id}`, { role: 'viewer' }),
    on.api('delete', `${members}/${first!.id}`, other),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)).toBeRefusedWith('LAST_OWNER');
});

test('the shell gives roles to people whom it finds by name', async () => {
  account = await on.anAccount();
  const setRole = (person: { email: string } | { subject: string }, role: 'editor' | 'owner' | 'viewer') =>
    on.service.app.get(MembersService).setRole(account.accountId, person, role);
  await expect(setRole({ email: 'a@example.com' }, 'editor')).rejects.toThrow('needs an owner');
  const { id } = await setRole({ email: 'a@example.com' }, 'owner');
  await setRole({ subject: 'b' }, 'owner');
  expect(await setRole({ email: 'a@example.com' }, 'viewer')).toMatchObject({ id, role: 'viewer' });
});
