import { MembersService } from '../../../src/tenancy/members/members.service';
import { PgAccountErasure } from '../../../src/tenancy/users/pg-account-erasure';
import { PgJournalRepository } from '../../../src/tenancy/journal/pg-journal.repository';
import { aDynamicLink, aProject, dataAt, unknownId } from '../../support/builders';
import { until } from '../../support/eventually';
import type { TestAccount } from '../../support/service';
import { signInFixture } from '../../support/sign-in-service';

let account: TestAccount;
let owner: string;
const on = signInFixture({ DASHBOARD_ROLES_SOURCE: 'members', JOURNAL_ADDRESSES: 'whole' });
beforeEach(async () => {
  account = await on.anAccount('enterprise');
  await invite('owner', 'owner');
  owner = tokenOf('owner');
});

const people = '/account/users';
const tokenOf = (sub: string) => on.provider.token(account.accountId, { sub, email: `${sub}@example.com` });
const invite = (subject: string, role: 'admin' | 'owner') =>
  on.service.app.get(MembersService, { strict: false }).setRole(account.accountId, { subject }, role);

const listed = () => dataAt<{ id: string; email: string | null; subject: string | null }[]>(on, owner, people);
const idOf = async (subject: string): Promise<string> =>
  (await listed()).find(({ email }) => email === `${subject}@example.com`)!.id;

/** Invites an admin who creates a project, and returns the ids. */
async function aPersonWithData(subject: string): Promise<{ id: string; projectId: string; memberId: string }> {
  const { id: memberId } = await invite(subject, 'admin');
  const { id: projectId } = await aProject(on, tokenOf(subject));
  return { id: await idOf(subject), projectId, memberId };
}

/** Lists the tables whose rows have the text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables: { name: string }[] = await on.database.query(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const query = `SELECT FROM ${name} AS t WHERE strpos(t::text, $1) > 0 LIMIT 1`;
      return (await on.database.query(query, [text])).length > 0 ? [name] : [];
    }),
  );
  return found.flat().sort();
}

test('the export has all that the tables know of a person', async () => {
  const { id, projectId, memberId } = await aPersonWithData('ann');
  const created_at = expect.any(String) as string;
  expect(await dataAt(on, owner, `${people}/${id}`)).toEqual({
    id,
    email: 'ann@example.com',
    created_at,
    identities: [{ issuer: on.provider.issuer, subject: 'ann', created_at }],
    member: { id: memberId, email: null, subject: 'ann', role: 'admin' },
    api_keys: [],
    project_ids: [projectId],
    journal_entries: expect.any(Number) as number,
    addresses: ['127.0.0.1'],
  });
});

test('an erased person is in no table, and entries keep the id in an intact chain', async () => {
  const { id, projectId } = await aPersonWithData('carl');
  await aDynamicLink(on, tokenOf('carl'), projectId);
  await on.api('delete', `${people}/${id}`, owner).expect(200);

  expect(await tablesWith('carl@example.com')).toEqual([]);
  const log = `/account/audit-log?actor_id=${id}`;
  const entries = await dataAt<{ type: string; actor: object }[]>(on, owner, log);
  expect(entries.map(({ type }) => type)).toEqual(expect.arrayContaining(['link.created', 'project.created']));
  expect(entries.filter(({ actor }) => 'address' in actor)).toEqual([]);
  await on.api('get', `/projects/${projectId}`, owner).expect(200);
  const journal = on.service.app.get(PgJournalRepository, { strict: false });
  expect(await journal.verify(account.accountId)).toMatchObject({ brokenAt: null });
  expect(await on.api('get', `${people}/${id}`, owner)).toBeRefusedWith('NOT_FOUND');
  await until(async () => (await on.api('get', '/projects', tokenOf('carl'))).status === 403);
});

test('the address is the only part of an entry that can change', async () => {
  await aPersonWithData('ann');
  await on.api('get', '/account/audit-log', owner).expect(200);
  const change = (assignment: string) =>
    on.database.query(`UPDATE journal SET ${assignment} WHERE account_id = $1`, [account.accountId]);
  for (const assignment of [`actor = '{}'`, `actor = actor || '{"address": "::1"}'`, `type = 'x'`])
    await expect(change(assignment)).rejects.toThrow('entries of the journal cannot be changed');
});

test('people without an address have their name at the provider in lists', async () => {
  await invite('anonymous', 'admin');
  await aProject(on, on.provider.token(account.accountId, { sub: 'anonymous' }));
  const named = (await listed()).map(({ email, subject }) => [email, subject]);
  expect(named).toContainEqual([null, 'anonymous']);
  expect(named).toContainEqual(['owner@example.com', 'owner']);
  const log = await dataAt(on, owner, '/account/audit-log?type=project.created');
  expect(log).toMatchObject([{ actor_name: 'anonymous' }]);
});

test('the last owner and people of other accounts cannot be erased', async () => {
  await on.api('get', '/account', owner).expect(200);
  const id = await idOf('owner');
  expect(await on.api('delete', `${people}/${id}`, owner)).toBeRefusedWith('LAST_OWNER');
  const admin = await aPersonWithData('ann');
  expect(await on.api('delete', `${people}/${id}`, tokenOf('ann'))).toBeRefusedWith('ACCESS_DENIED', {
    required_role: 'owner',
  });
  for (const unknown of [(await on.anAccount()).userId, unknownId, 'x']) {
    expect(await on.api('get', `${people}/${unknown}`, owner)).toBeRefusedWith('NOT_FOUND');
    expect(await on.api('delete', `${people}/${unknown}`, owner)).toBeRefusedWith('NOT_FOUND');
  }
  expect(await idOf('ann')).toBe(admin.id);
});

test('an erased account is in no table, and its links lead nowhere', async () => {
  const { id: projectId, subdomain } = await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, projectId);
  await on.visit(subdomain, `/${link.custom_path}`).expect(302);
  await on.api('get', '/account/audit-log', owner).expect(200);
  await on.service.app.get(PgAccountErasure, { strict: false }).erase(account.accountId);
  expect(await tablesWith(account.accountId)).toEqual([]);
  await until(async () => (await on.visit(subdomain, `/${link.custom_path}`)).status === 404);
  await until(async () => (await on.api('get', '/projects', account.key)).status === 401);
});
