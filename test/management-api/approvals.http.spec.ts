import { AccountsService } from '../../src/tenancy/accounts/accounts.service';
import type { ApprovalDto } from '../../src/management-api/approvals/approvals.dto';
import type { JournalEntryDto } from '../../src/tenancy/journal/journal.dto';
import { aCustomDomain, anIosApp, aProject, created, dataAt, unknownId } from '../support/builders';
import { until } from '../support/eventually';
import { rounds } from '../support/scale';
import type { TestAccount, TestService } from '../support/service';
import { signInFixture } from '../support/sign-in-service';

let account: TestAccount;
let projectId: string;
let memberId: string;
const on = signInFixture({ DASHBOARD_ROLES_SOURCE: 'members' });

const members = '/account/members';
const tokenOf = (sub: string) => on.provider.token(account.accountId, { sub });
const invite = async (subject: string, role: string): Promise<string> =>
  (await created<{ id: string }>(on, tokenOf('ann'), members, { subject, role })).id;
const signIn = (sub: string) => dataAt<{ user_id: string }>(on, tokenOf(sub), '/account');
const protect = (body: object) => on.api('put', '/account/protection', tokenOf('ann')).send(body);

/** Ann and Bob are owners, Cem is an admin. */
beforeEach(async () => {
  account = await on.anAccount('enterprise');
  await invite('ann', 'owner');
  await invite('bob', 'owner');
  await invite('cem', 'admin');
  memberId = await invite('dan', 'viewer');
  for (const sub of ['bob', 'cem', 'dan']) await signIn(sub);
  ({ id: projectId } = await aProject(on, account.key));
  // Ann becomes the member that she has added once her cached rights end.
  await until(async () => (await protect({ approval_required: true })).status === 200);
});

const decide = (decision: 'approve' | 'refuse', id: string, by: string) =>
  on.api('post', `/account/approvals/${id}/${decision}`, tokenOf(by));
const read = <T>(path: string) => dataAt<T>(on, tokenOf('ann'), path);
const approvals = () => read<ApprovalDto[]>('/account/approvals');
const entries = (type: string) =>
  dataAt<JournalEntryDto[]>(on, account.key, `/account/audit-log?limit=100${type && `&type=${type}`}`);

interface Request {
  send: (credential: string) => ReturnType<TestService['api']>;
  /** Returns whether the change was made. */
  isDone: () => Promise<boolean>;
}

const at = (path: string) => `/projects/${projectId}${path}`;
const change =
  (method: 'post' | 'put', path: string, body: object): Request['send'] =>
  (credential) =>
    on.api(method, path, credential).send(body);
const deletionOf = (path: string): Request => ({
  send: (credential) => on.api('delete', path, credential),
  isDone: async () => (await on.api('get', path, tokenOf('ann'))).status === 404,
});

const requests: Record<string, () => Promise<Request>> = {
  deleteProject: async () => deletionOf(at('')),
  deleteCustomDomain: async () =>
    deletionOf(at(`/custom-domains/${(await aCustomDomain(on, account.key, projectId)).id}`)),
  createMember: async () => ({
    send: change('post', members, { email: 'Eve@example.com', role: 'editor' }),
    isDone: async () =>
      (await read<{ email: string | null }[]>(`${members}?limit=100`)).some(({ email }) => email === 'eve@example.com'),
  }),
  updateMember: async () => ({
    send: change('put', `${members}/${memberId}`, { role: 'editor', project_roles: { [projectId]: 'admin' } }),
    isDone: async () => (await read<{ role: string }>(`${members}/${memberId}`)).role === 'editor',
  }),
  deleteMember: async () => deletionOf(`${members}/${memberId}`),
  deleteUser: async () => deletionOf(`/account/users/${(await signIn('dan')).user_id}`),
  updateAccountProtection: async () => ({
    send: change('put', '/account/protection', { approval_required: false }),
    isDone: async () => !(await read<{ approval_required: boolean }>('/account/protection')).approval_required,
  }),
};

async function requested({ send }: Pick<Request, 'send'>, credential = tokenOf('ann')): Promise<string> {
  const answer = await send(credential);
  const { details } = (answer.body as { error: { details: { approval_id: string } } }).error;
  expect(answer).toBeRefusedWith('ACCESS_DENIED', { reason: 'approval', approval_id: details.approval_id });
  return details.approval_id;
}

test('an approval of a change that breaks a released version acknowledges the version', async () => {
  const { subdomain } = await read<{ subdomain: string }>(at(''));
  const { id: appId } = await anIosApp(on, account.key, projectId);
  const release = { version: '1.2.3', hosts: [`${subdomain}.localhost`] };
  await created(on, account.key, at(`/ios-apps/${appId}/releases`), release);
  await on.api('put', at(''), account.key).send({ release_guard: 'refuse' }).expect(200);
  const request = await requests['deleteProject']!();
  const id = await requested(request);
  expect(await decide('approve', id, 'bob')).toBeRefusedWith('BREAKS_RELEASED_APP');
  expect(await request.isDone()).toBe(false);
  const answer = await decide('approve', id, 'bob').query({ acknowledge: '1.2.3' }).expect(200);
  expect(answer.headers['broken-app-versions']).toBe('1.2.3');
  expect(await request.isDone()).toBe(true);
});

test.each(Object.keys(requests))('%s waits for another person, and is done once', async (operation) => {
  const request = await requests[operation]!();
  const id = await requested(request);
  expect(await requested(request)).toBe(id);
  expect(await request.isDone()).toBe(false);
  expect(await decide('approve', id, 'ann')).toBeRefusedWith('ACCESS_DENIED', { reason: 'own_approval' });
  expect(await decide('approve', id, 'dan')).toBeRefusedWith('ACCESS_DENIED', { required_role: 'admin' });
  expect(await on.api('post', `/account/approvals/${id}/approve`, account.key)).toBeRefusedWith('AUTH_REQUIRED');
  expect(await request.isDone()).toBe(false);
  const { body } = await decide('approve', id, 'bob').expect(200);
  expect(body).toMatchObject({
    data: { id, operation, state: 'approved', requested_by_name: 'ann', decided_by_name: 'bob', body: null },
  });
  expect(await request.isDone()).toBe(true);
  expect(await decide('approve', id, 'bob')).toBeRefusedWith('APPROVAL_STATE');
  const [entry] = (await entries('')).filter(({ actor }) => actor.requested_by !== undefined);
  expect(entry).toMatchObject({ actor_name: 'bob', requester_name: 'ann' });
  expect((await entries('approval')).map(({ type }) => type)).toEqual(['approval.updated', 'approval.created']);
});

test('a change is not made after a refusal', async () => {
  const request = await requests['deleteMember']!();
  const id = await requested(request);
  await decide('refuse', id, 'ann').expect(200);
  expect(await decide('approve', id, 'bob')).toBeRefusedWith('APPROVAL_STATE');
  expect(await request.isDone()).toBe(false);
});

test.each(rounds(20))('two people who approve at once: the change is made once, round %i', async () => {
  await protect({ frozen: false }).expect(200);
  const id = await requested(await requests['createMember']!(), tokenOf('cem'));
  const answers = await Promise.all(['ann', 'bob'].map((by) => decide('approve', id, by)));
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
  expect(answers.find((answer) => answer.status === 409)).toBeRefusedWith('APPROVAL_STATE');
  expect(await entries('member.created')).toHaveLength(5);
});

test('an API key requests in the name of its user, and another person approves', async () => {
  const request = await requests['deleteProject']!();
  const id = await requested(request, account.key);
  expect(await approvals()).toMatchObject([{ id, api_key_id: account.apiKeyId, state: 'pending' }]);
  await decide('approve', id, 'cem').expect(200);
  expect(await request.isDone()).toBe(true);
});

test('an approval needs the role of the operation', async () => {
  const id = await requested(await requests['updateAccountProtection']!());
  expect(await decide('approve', id, 'cem')).toBeRefusedWith('ACCESS_DENIED', { required_role: 'owner' });
});

test('an admin cannot approve a new owner', async () => {
  const id = await requested({ send: change('post', members, { subject: 'x', role: 'owner' }) });
  expect(await decide('approve', id, 'cem')).toBeRefusedWith('ACCESS_DENIED', { required_role: 'owner' });
  expect((await approvals())[0]).toMatchObject({ state: 'pending', body: { subject: 'x', role: 'owner' } });
  await decide('approve', id, 'bob').expect(200);
});

test('a change that is not possible any more stays pending', async () => {
  const { id: domainId } = await aCustomDomain(on, account.key, projectId);
  const id = await requested(deletionOf(at(`/custom-domains/${domainId}`)));
  await on.database.query('DELETE FROM custom_domains WHERE id = $1', [domainId]);
  expect(await decide('approve', id, 'bob')).toBeRefusedWith('NOT_FOUND');
  expect((await approvals())[0]).toMatchObject({ id, state: 'pending' });
});

test('an approval expires', async () => {
  const request = await requests['deleteProject']!();
  const id = await requested(request);
  await on.database.query('UPDATE approvals SET expires_at = now() WHERE id = $1', [id]);
  expect((await approvals())[0]).toMatchObject({ id, state: 'expired' });
  expect(await decide('approve', id, 'bob')).toBeRefusedWith('APPROVAL_STATE');
  expect(await requested(request)).not.toBe(id);
});

test('approvals of other accounts are not found', async () => {
  const id = await requested(await requests['deleteProject']!());
  account = await on.anAccount('enterprise');
  await invite('ann', 'owner');
  for (const decision of ['approve', 'refuse'] as const) {
    expect(await decide(decision, id, 'ann')).toBeRefusedWith('NOT_FOUND');
    expect(await decide(decision, unknownId, 'ann')).toBeRefusedWith('NOT_FOUND');
  }
  expect(await approvals()).toEqual([]);
});

test('changes of unknown resources, and of those of other accounts, do not wait', async () => {
  const other = await on.anAccount('enterprise');
  const { id: otherDomain } = await aCustomDomain(on, other.key, (await aProject(on, other.key)).id);
  const asOther = on.provider.token(other.accountId, { sub: 'zoe' });
  const { id: otherMember } = await created<{ id: string }>(on, asOther, members, { subject: 'zoe', role: 'owner' });
  const changes = [unknownId, otherDomain].map((id) => deletionOf(at(`/custom-domains/${id}`)).send);
  for (const id of [unknownId, otherMember])
    changes.push(deletionOf(`${members}/${id}`).send, change('put', `${members}/${id}`, { role: 'editor' }));
  for (const id of [unknownId, other.userId]) changes.push(deletionOf(`/account/users/${id}`).send);
  for (const send of changes) expect(await send(tokenOf('ann'))).toBeRefusedWith('NOT_FOUND');
  expect(await approvals()).toEqual([]);
});

test('at most 100 changes wait', async () => {
  await on.database.query(
    `INSERT INTO approvals (id, account_id, operation, requested_by, expires_at)
     SELECT gen_random_uuid(), $1, 'deleteProject', gen_random_uuid(), now() + interval '1 day' FROM generate_series(1, 100)`,
    [account.accountId],
  );
  const { send } = await requests['deleteProject']!();
  expect((await send(tokenOf('ann')).expect(403)).body).toMatchObject({
    error: { details: { limit: 100, used: 100 } },
  });
});

describe('the setting', () => {
  test('needs two owners who have signed in', async () => {
    account = await on.anAccount('enterprise');
    await invite('ann', 'owner');
    expect(await protect({ approval_required: true })).toBeRefusedWith('LAST_OWNER');
    await invite('bob', 'owner');
    await signIn('ann');
    expect(await protect({ approval_required: true })).toBeRefusedWith('LAST_OWNER');
    await signIn('bob');
    await until(async () => (await protect({ approval_required: true })).status === 200);
  });

  test('keeps two owners', async () => {
    const all = await read<{ id: string; subject: string }[]>(`${members}?limit=100`);
    const bob = all.find(({ subject }) => subject === 'bob')!;
    const id = await requested({ send: change('put', `${members}/${bob.id}`, { role: 'viewer' }) });
    expect(await decide('approve', id, 'bob')).toBeRefusedWith('LAST_OWNER');
  });

  test('does not hinder other changes', async () => {
    await protect({ frozen: true }).expect(200);
    await protect({ frozen: false }).expect(200);
    await on.api('put', at(''), account.key).send({ name: 'Renamed' }).expect(200);
    await aProject(on, account.key);
  });

  test('is ended by the operator', async () => {
    await on.service.app.get(AccountsService, { strict: false }).update(account.accountId, { approvalRequired: false });
    await on.api('delete', at(''), account.key).expect(200);
  });
});
