import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { permissionsOf } from '../../console/plugins/permissions';
import { type Access, refusalOf } from '../../console/src/session/refusal';
import { policies } from '../../src/api-kit/policy/policies';
import { type ProjectRole, projectRoles, type Role, roles, type Scope, scopes } from '../../src/api-kit/policy/policy';
import { assertPolicy, type Rights, rightsOfPerson, unlimitedRights } from '../../src/api-kit/policy/rights';
import { newId } from '../../src/shared/id';
import { root } from '../support/chart-tools';

const permissions = permissionsOf(readFileSync(join(root, 'openapi.json'), 'utf8'));
const [own, other] = [newId(), newId()];

const person = (role: Role | null, ofProjects: [string, ProjectRole][] = []): Rights =>
  rightsOfPerson(role, new Map(ofProjects));
const key = (limits: Partial<Rights>): Rights => ({ ...unlimitedRights, ...limits });

const callers: [name: string, kind: 'key' | 'person', rights: Rights][] = [
  ['nobody', 'person', person(null)],
  ...roles.map((role): [string, 'person', Rights] => [role, 'person', person(role)]),
  ...projectRoles.map((role): [string, 'person', Rights] => [
    `${role} of a project`,
    'person',
    person(null, [[own, role]]),
  ]),
  ['viewer who edits a project', 'person', person('viewer', [[own, 'editor']])],
  ['key', 'key', key({})],
  ['key of a project', 'key', key({ projectIds: new Set([own]) })],
  ...scopes.map((scope): [string, 'key', Rights] => [
    `key with ${scope}`,
    'key',
    key({ scopes: new Set<Scope>([scope]) }),
  ]),
];

/** Returns what the answer of `GET /account` says of the rights. */
const accessOf = ({ role, projectRoles: ofProjects, scopes: ofKey, projectIds }: Rights): Access => ({
  role,
  project_roles: Object.fromEntries(ofProjects),
  scopes: ofKey && [...ofKey],
  project_ids: projectIds && [...projectIds],
  frozen: false,
});

const isRefused = (check: () => void): boolean => {
  try {
    check();
    return false;
  } catch {
    return true;
  }
};

test('the table of the console has each operation that a policy limits', () => {
  const limited = Object.entries(policies).flatMap(([id, policy]) => (typeof policy === 'string' ? [] : [id]));
  expect(Object.keys(permissions).sort()).toEqual(limited.sort());
});

test.each(callers)('the console refuses a %s what the service refuses', (_, kind, rights) => {
  for (const [id, permission] of Object.entries(permissions)) {
    const policy = policies[id]!;
    for (const projectId of permission.inProject ? [own, other] : [null]) {
      const isForPeople = kind === 'key' && policy[0] === 'signed-in only';
      const byService = isForPeople || isRefused(() => assertPolicy(policy, rights, projectId));
      const byConsole = refusalOf(permission, accessOf(rights), kind, projectId) !== null;
      expect([id, projectId === own, byConsole]).toEqual([id, projectId === own, byService]);
    }
  }
});

test('a frozen account refuses all changes, and no reads', () => {
  const access = { ...accessOf(person('owner')), frozen: true };
  const reasonFor = (id: string) => refusalOf(permissions[id]!, access, 'person', own)?.because ?? null;
  expect(['updateProject', 'createMember', 'getProject', 'explainNewLink'].map(reasonFor)).toEqual([
    'frozen',
    'frozen',
    null,
    null,
  ]);
});
