import { aClient } from '../support/client';
import { unique } from '../support/builders';
import { signInFixture } from '../support/sign-in-service';

const on = signInFixture();
beforeAll(() => void (on.provider.now = () => on.clock.now()));

test('the client refreshes expired tokens of a dashboard session', async () => {
  const { accountId } = await on.anAccount('pro');
  let issued = 0;
  const session = aClient(on, async () => {
    issued++;
    return on.provider.token(accountId, { sub: 'ann' });
  });

  const account = (await session.GET('/account')).data!.data;
  expect(account).toMatchObject({ id: accountId, plan: 'pro', quotas: { api_keys: { used: 1, limit: 100 } } });

  on.clock.ahead += 3_600_000; // the first token has expired
  const body = { name: 'Summer', subdomain: unique('session') };
  const project = (await session.POST('/projects', { body })).data!.data;
  expect(project.user_id).toBe(account.user_id);
  const path = { projectId: project.id };
  const link = await session.POST('/projects/{projectId}/links', { params: { path }, body: { name: 'Sale' } });
  const ofLink = { params: { path }, body: { dynamic_link_id: link.data!.data.id } };
  const short = await session.POST('/projects/{projectId}/short-links', ofLink);
  const origin = { source: 'dashboard', created_by: account.user_id, created_by_api_key_id: null };
  expect(short.data!.data).toMatchObject(origin);

  const made = (await session.POST('/account/api-keys', { body: { name: 'CI' } })).data!.data;
  const program = aClient(on, made.key!);
  expect((await program.GET('/projects/{projectId}', { params: { path } })).data!.data).toEqual(project);
  expect(await program.GET('/account/api-keys')).toBeRefusedWith('AUTH_REQUIRED');
  const ofKey = { params: { path: { apiKeyId: made.id } } };
  expect((await session.DELETE('/account/api-keys/{apiKeyId}', ofKey)).data!.data.message).toBe('API key revoked');
  expect(await session.GET('/account/api-keys/{apiKeyId}', ofKey)).toBeRefusedWith('NOT_FOUND');
  expect(issued).toBe(7);
});
