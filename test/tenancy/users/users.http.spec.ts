import { MembersService } from '../../../src/tenancy/members/members.service';
import { PgAccountErasure } from '../../../src/tenancy/users/pg-account-erasure';
import { PgJournalRepository } from '../../../src/tenancy/journal/pg-journal.repository';
import { aDynamicLink, aProject, unknownId } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { IdentityProvider } from '../../support/identity-provider';
import { aService, type TestAccount, type TestService } from '../../support/service';

let provider: IdentityProvider;
let on: TestService;
let account: TestAccount;
let owner: string;
beforeAll(async () => {
  provider = await IdentityProvider.start();
  on = await aService({ ...provider.environment, DASHBOARD_ROLES_SOURCE: 'members', JOURNAL_ADDRESSES: 'whole' });
});
afterAll(async () => {
  await on.stop();
  await provider.stop();
});
beforeEach(async () => {
  account = await on.anAccount('enterprise');
  await invite('owner', 'owner');
  owner = tokenOf('owner');
});

const people = '/account/users';
const tokenOf = (sub: string) => provider.token(account.accountId, { sub, email: `${sub}@example.com` });
const invite = (subject: string, role: 'admin' | 'owner') =>
  on.service.app.get(MembersService, { strict: false }).setRole(account.accountId, { subject }, role);

interface Person {
  id: string;
  email: string | null;
}

const personOf = async (subject: string): Promise<Person> => {
  const { body } = await on.api('get', people, owner).expect(200);
  return (body as { data: Person[] }).data.find(({ email }) => email === `${subject}@example.com`)!;
};

/** Invites an admin who creates a project, and returns the person. */
async function aPersonWithData(subject: string): Promise<{ person: Person; projectId: string; memberId: string }> {
  const { id: memberId } = await invite(subject, 'admin');
  const { id: projectId } = await aProject(on, tokenOf(subject));
  return { person: await personOf(subject), projectId, memberId };
}

/** Lists the tables whose rows have the text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables: { name: string }[] = await on.database.query(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows: object[] = await on.database.query(`SELECT FROM ${name} AS t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [
        text,
      ]);
      return rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat().sort();
}

test('the export has all that the tables know of a person', async () => {
  const { person, projectId, memberId } = await aPersonWithData('ann');
  const { body } = await on.api('get', `${people}/${person.id}`, owner).expect(200);
  expect(body).toEqual({
    data: {
      id: person.id,
      email: 'ann@example.com',
      created_at: expect.any(String) as string,
      identities: [{ issuer: provider.issuer, subject: 'ann', created_at: expect.any(String) as string }],
      member: { id: memberId, email: null, subject: 'ann', role: 'admin' },
      api_keys: [],
      project_ids: [projectId],
      journal_entries: expect.any(Number) as number,
      addresses: ['127.0.0.1'],
    },
  });
});

test('an erased person is in no table, and entries keep the id in an intact chain', async () => {
  const { person, projectId } = await aPersonWithData('carl');
  await aDynamicLink(on, tokenOf('carl'), projectId);
  await on.api('delete', `${people}/${person.id}`, owner).expect(200);

  expect(await tablesWith('carl@example.com')).toEqual([]);
  const { body } = await on.api('get', `/account/audit-log?actor_id=${person.id}`, owner).expect(200);
  const entries = (body as { data: { type: string; actor: object }[] }).data;
  expect(entries.map(({ type }) => type)).toEqual(expect.arrayContaining(['link.created', 'project.created']));
  expect(entries.filter(({ actor }) => 'address' in actor)).toEqual([]);
  await on.api('get', `/projects/${projectId}`, owner).expect(200);
  expect(await on.service.app.get(PgJournalRepository, { strict: false }).verify(account.accountId)).toMatchObject({
    brokenAt: null,
  });
  expect(await on.api('get', `${people}/${person.id}`, owner)).toBeRefusedWith('NOT_FOUND');
  await eventually(async () => (await on.api('get', '/projects', tokenOf('carl'))).status, 403);
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
  const anonymous = provider.token(account.accountId, { sub: 'anonymous' });
  await aProject(on, anonymous);
  const { body } = await on.api('get', people, owner).expect(200);
  const named = (body as { data: (Person & { subject: string | null })[] }).data.map(({ email, subject }) => [
    email,
    subject,
  ]);
  expect(named).toContainEqual([null, 'anonymous']);
  expect(named).toContainEqual(['owner@example.com', 'owner']);
  const log = await on.api('get', '/account/audit-log?type=project.created', owner).expect(200);
  expect(log.body).toMatchObject({ data: [{ actor_name: 'anonymous' }] });
});

test('the last owner and people of other accounts cannot be erased, and editors can see nobody', async () => {
  await on.api('get', '/account', owner).expect(200);
  const { id } = await personOf('owner');
  expect(await on.api('delete', `${people}/${id}`, owner)).toBeRefusedWith('LAST_OWNER');
  const admin = await aPersonWithData('ann');
  expect(await on.api('delete', `${people}/${id}`, tokenOf('ann'))).toBeRefusedWith('ACCESS_DENIED', {
    required_role: 'owner',
  });
  const stranger = (await on.anAccount()).userId;
  for (const unknown of [stranger, unknownId, 'x']) {
    expect(await on.api('get', `${people}/${unknown}`, owner)).toBeRefusedWith('NOT_FOUND');
    expect(await on.api('delete', `${people}/${unknown}`, owner)).toBeRefusedWith('NOT_FOUND');
  }
  expect((await personOf('ann')).id).toBe(admin.person.id);
  expect(await on.api('get', people, account.key)).toBeRefusedWith('AUTH_REQUIRED');
});

test('an erased account is in no table, and its links lead nowhere', async () => {
  const { id: projectId, subdomain } = await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, projectId);
  await on.visit(subdomain, `/${link.custom_path}`).expect(302);
  await on.api('get', '/account/audit-log', owner).expect(200);
  await on.service.app.get(PgAccountErasure, { strict: false }).erase(account.accountId);
  expect(await tablesWith(account.accountId)).toEqual([]);
  await eventually(async () => (await on.visit(subdomain, `/${link.custom_path}`)).status, 404);
  await eventually(async () => (await on.api('get', '/projects', account.key)).status, 401);
});
