import { createDatabase, type TestDatabase } from '../support/database';
import { aProject, unknownId } from '../support/builders';
import { describedOperations, nameOfOperation } from '../support/described-operations';
import { IdentityProvider } from '../support/identity-provider';
import { sample } from '../support/scale';
import { aService, type TestAccount, type TestService } from '../support/service';

/** The scope of keys and the least role of people by operations, beside the table of the service. The first row that matches counts. */
const policies: [operations: RegExp, keys: string, people: string][] = [
  [/\/revoke-leaked$/, 'public', 'public'],
  [/ \/account\/(?:api-keys|members|users)/, 'signed-in only', 'admin'],
  [/^GET .*\/protection$/, 'signed-in only', 'viewer'],
  [/\/protection$/, 'signed-in only', 'owner'],
  [/ \/account\/audit-log/, 'audit:read', 'admin'],
  [/ \/account$/, 'any key', 'viewer'],
  [/\/restore$/, 'links:write', 'editor'],
  [/\/(?:explain|simulate)$/, 'links:read', 'viewer'],
  [/\/(?:analytics|clicks)/, 'analytics:read', 'viewer'],
  [/^GET .*\/(?:links|short-links|tags)/, 'links:read', 'viewer'],
  [/^POST .*\/(?:links|short-links)$/, 'links:create', 'editor'],
  [/\/(?:links|short-links|tags)/, 'links:write', 'editor'],
  [/^GET .*-apps/, 'apps:read', 'viewer'],
  [/-apps/, 'apps:write', 'admin'],
  [/^GET .*\/custom-domains/, 'domains:read', 'viewer'],
  [/\/custom-domains/, 'domains:write', 'admin'],
  [/^GET .*\/imports/, 'imports:read', 'viewer'],
  [/\/imports/, 'imports:write', 'editor'],
  [/^GET \/projects/, 'projects:read', 'viewer'],
  [/ \/projects/, 'projects:write', 'admin'],
];

const roles = ['viewer', 'editor', 'admin', 'owner'];

const rows = describedOperations.map(nameOfOperation).map((operation) => {
  const [, keys, people] = policies.find(([operations]) => operations.test(operation))!;
  return [operation, keys, people] as const;
});

const scopes = [...new Set(rows.map(([, keys]) => keys).filter((keys) => keys.includes(':')))];

type Place = 'own' | 'other' | 'foreign';

/** A credential, and what it may do by the table: a key by its scopes, a person by the role. */
interface Subject {
  name: string;
  key?: { scopes: string[]; isLimited: boolean };
  /** The groups of a person, and the roles that they give. */
  person?: { groups: string[]; inAccount: string | null; inProject: string | null };
}

const people: Subject[] = [
  { name: 'nobody', person: { groups: ['strangers'], inAccount: null, inProject: null } },
  ...roles.map((role) => ({ name: role, person: { groups: [role], inAccount: role, inProject: null } })),
  ...roles.slice(0, 3).map((role) => ({
    name: `${role} of the own project`,
    person: { groups: [`own-${role}`], inAccount: null, inProject: role },
  })),
  { name: 'viewer who edits', person: { groups: ['viewer', 'own-editor'], inAccount: 'viewer', inProject: 'editor' } },
];
const keys: Subject[] = [
  { name: 'key with all scopes', key: { scopes, isLimited: false } },
  { name: 'key of the own project', key: { scopes, isLimited: true } },
  ...scopes.map((scope) => ({ name: `key with ${scope}`, key: { scopes: [scope], isLimited: false } })),
];
const subjects = [...people, ...keys];

const rankOf = (role: string | null): number => (role === null ? -1 : roles.indexOf(role));
const higher = (one: string | null, other: string | null) => (rankOf(one) > rankOf(other) ? one : other);

/** Returns the answer by the table: the code or the details of a refusal, or `allowed`. */
function expected([operation, scope, role]: (typeof rows)[number], { key, person }: Subject, place: Place): unknown {
  const inProject = operation.includes('{projectId}');
  if (scope === 'public') return 'allowed';
  if (key) {
    if (scope === 'signed-in only') return 'AUTH_REQUIRED';
    const includes = [scope, ...(scope === 'links:create' ? ['links:write'] : [])];
    if (scope.includes(':') && !includes.some((one) => key.scopes.includes(one))) return { required_scope: scope };
    if (key.isLimited && (inProject ? place !== 'own' : scope.endsWith(':write') || scope === 'audit:read'))
      return { reason: 'project' };
  } else {
    const { inAccount, inProject: inOwn } = person!;
    const anywhere = inAccount ?? (inOwn && 'viewer');
    const effective = inProject ? higher(inAccount, place === 'own' ? inOwn : null) : anywhere;
    if (rankOf(effective) < rankOf(role)) return { required_role: role };
  }
  return inProject && place === 'foreign' ? 'foreign' : 'allowed';
}

let provider: IdentityProvider;
let database: TestDatabase;
let on: TestService;
let account: TestAccount;
const projects = {} as Record<Place, string>;
const secrets = new Map<Subject, string>();

beforeAll(async () => {
  provider = await IdentityProvider.start();
  database = await createDatabase();
  const first = await aService(provider.environment, database);
  account = await first.anAccount('enterprise');
  const others = await first.anAccount('enterprise');
  projects.own = (await aProject(first, account.key)).id;
  projects.other = (await aProject(first, account.key)).id;
  projects.foreign = (await aProject(first, others.key)).id;
  for (const subject of keys) {
    const { scopes, isLimited } = subject.key!;
    const body = { name: 'Key', scopes, ...(isLimited && { project_ids: [projects.own] }) };
    const created = await first
      .api('post', '/account/api-keys', provider.token(account.accountId))
      .send(body)
      .expect(201);
    secrets.set(subject, (created.body as { data: { key: string } }).data.key);
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
afterAll(async () => {
  await on.stop();
  await provider.stop();
  await database.drop();
});

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
