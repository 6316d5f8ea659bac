import { createDatabase } from '../support/database';
import { anApiKey, aProject, unknownId } from '../support/builders';
import { sample } from '../support/scale';
import { aService, type TestAccount, type TestService } from '../support/service';
import { expected, keys, type Place, roles, rows, type Subject, subjects } from './policy-matrix';
import { fixture, providerFixture } from '../support/fixtures';

const provider = providerFixture();
const database = fixture(() => createDatabase());
let on: TestService;
let account: TestAccount;
const projects = {} as Record<Place, string>;
const secrets = new Map<Subject, string>();

beforeAll(async () => {
  const first = await aService(provider.environment, database);
  account = await first.anAccount('enterprise');
  const others = await first.anAccount('enterprise');
  projects.own = (await aProject(first, account.key)).id;
  projects.other = (await aProject(first, account.key)).id;
  projects.foreign = (await aProject(first, others.key)).id;
  for (const subject of keys) {
    const { scopes, isLimited } = subject.key!;
    const body = { name: 'Key', scopes, ...(isLimited && { project_ids: [projects.own] }) };
    secrets.set(subject, (await anApiKey(first, provider.token(account.accountId), body)).key);
  }
  await first.stop();
  const groups = [
    ...roles.map((role) => `${role}=${role}`),
    ...roles.slice(0, 3).map((role) => `own-${role}=${role}:${projects.own}`),
  ];
  on = await aService(
    { ...provider.environment, DASHBOARD_ROLES_SOURCE: 'provider', DASHBOARD_ROLES: groups.join(', ') },
    database,
  );
});
afterAll(() => on.stop());

/** All people have one subject, so that a role of an earlier token shows. */
const credentialOf = (subject: Subject): string =>
  secrets.get(subject) ?? provider.token(account.accountId, { sub: 'ann', groups: subject.person!.groups });

/** Sends a request that passes no check after the policy and the project, so that it changes nothing. */
async function outcome(operation: string, place: Place, credential: string): Promise<unknown> {
  const [method, template] = operation.split(' ') as [string, string];
  const path = template.replace('{projectId}', projects[place]).replaceAll(/\{\w+\}/g, unknownId);
  const { status, body } = await on
    .api(method.toLowerCase() as 'get', `${path}?nonsense=1`, credential)
    .send({ nonsense: 1 });
  if (status === 400) return 'allowed';
  const { code, details } = (body as { error: { code: string; details?: unknown } }).error;
  return code === 'ACCESS_DENIED' ? (details ?? 'foreign') : code;
}

describe.each(rows.map((row, at) => [row[0], row, at] as const))('%s', (operation, row, at) => {
  const places: Place[] = operation.includes('{projectId}') ? ['own', 'other', 'foreign'] : ['own'];
  const cells = subjects.flatMap((subject) => places.map((place) => [subject.name, place, subject] as const));

  test.each(sample(cells, at, 8))('%s, %s project', async (_, place, subject) => {
    expect(await outcome(operation, place, credentialOf(subject))).toEqual(expected(row, subject, place));
  });
});
