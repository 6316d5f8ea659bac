import { operationIdOfHandler } from '../../src/api-kit/policy/operation-id';
import { requirePolicy } from '../../src/api-kit/policy/policies';
import type { Policy, ProjectRole, Role, Scope } from '../../src/api-kit/policy/policy';
import { assertPolicy, type Rights, rightsOfPerson, unlimitedRights } from '../../src/api-kit/policy/rights';
import { newId } from '../../src/shared/id';
import { apiDescription } from '../support/api-description';
import { expected, type Place, rows, type Subject, subjects } from './policy-matrix';

const projects: Record<Place, string> = { own: newId(), other: newId(), foreign: newId() };

const operationIds = new Map(
  Object.entries(apiDescription.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [`${method.toUpperCase()} ${template}`, operationId]),
  ),
);

function rightsOf({ key, person }: Subject): Rights {
  if (key) {
    const projectIds = key.isLimited ? new Set([projects.own]) : null;
    return { ...unlimitedRights, scopes: new Set(key.scopes as Scope[]), projectIds };
  }
  const ofProject = person!.inProject as ProjectRole | null;
  return rightsOfPerson(person!.inAccount as Role | null, new Map(ofProject ? [[projects.own, ofProject]] : []));
}

/** The parts of a decision. A planted fault replaces one of the functions. */
interface Decision {
  policyOf: (operationId: string) => Policy;
  rightsOf: (subject: Subject) => Rights;
}

function decide({ policyOf, rightsOf: read }: Decision, operation: string, subject: Subject, place: Place): unknown {
  const inProject = operation.includes('{projectId}');
  try {
    const policy = policyOf(operationIds.get(operation)!);
    if (subject.key && policy[0] === 'signed-in only') return 'AUTH_REQUIRED';
    assertPolicy(policy, read(subject), inProject ? projects[place] : null);
  } catch (error) {
    return (error as { details?: unknown }).details ?? (error as Error).message;
  }
  return inProject && place === 'foreign' && policyOf(operationIds.get(operation)!) !== 'public'
    ? 'foreign'
    : 'allowed';
}

/** Returns the cells of the matrix whose decision differs from the table, as operation, subject and place. */
function redCells(faults: Partial<Decision>): string[] {
  const decision = { policyOf: requirePolicy, rightsOf, ...faults };
  return rows.flatMap((row) => {
    const places: Place[] = row[0].includes('{projectId}') ? ['own', 'other', 'foreign'] : ['own'];
    return subjects.flatMap((subject) =>
      places.flatMap((place) => {
        const decided = JSON.stringify(decide(decision, row[0], subject, place));
        return decided === JSON.stringify(expected(row, subject, place))
          ? []
          : [`${row[0]}, ${subject.name}, ${place}`];
      }),
    );
  });
}

const withPolicy = (changed: Record<string, Policy>) => (operationId: string) =>
  Object.hasOwn(changed, operationId) ? changed[operationId]! : requirePolicy(operationId);

test('the decisions of the service are those of the matrix', () => {
  expect(redCells({})).toEqual([]);
});

test('a missing row stops the service at its start', () => {
  expect(() => requirePolicy(operationIdOfHandler('WidgetsController', { name: 'list' }))).toThrow('has no policy');
});

let remembered: Rights | null;
beforeEach(() => (remembered = null));

test.each<[fault: string, faults: Partial<Decision>, red: string[]]>([
  [
    'a missing row',
    { policyOf: withPolicy({ deleteProject: 'authenticated' }) },
    ['DELETE /projects/{projectId}, editor, own', 'DELETE /projects/{projectId}, nobody, own'],
  ],
  [
    'a scope that is taken for another',
    { policyOf: withPolicy({ updateIosApp: ['links:write', 'admin'] }) },
    ['links:write', 'apps:write'].map((scope) => `PUT /projects/{projectId}/ios-apps/{appId}, key with ${scope}, own`),
  ],
  [
    'a role that is taken for another',
    { policyOf: withPolicy({ createMember: ['signed-in only', 'editor'] }) },
    ['POST /account/members, editor, own'],
  ],
  [
    'a role that is read late',
    // The rights of a person are those of the first request.
    { rightsOf: (subject) => (subject.key ? rightsOf(subject) : (remembered ??= rightsOf(subject))) },
    ['GET /projects, viewer, own'],
  ],
  [
    'roles of projects that count everywhere',
    {
      rightsOf: ({ person, ...subject }) =>
        person
          ? rightsOfPerson((person.inAccount ?? person.inProject) as Role | null, new Map())
          : rightsOf({ ...subject }),
    },
    ['POST /projects/{projectId}/links, editor of the own project, other'],
  ],
])('the matrix shows %s', (_, faults, red) => {
  expect(redCells(faults)).toEqual(expect.arrayContaining(red));
});
