import { type ProjectRole, projectRoles, roles } from '../../api-kit/policy/policy';
import type { Field } from '../../shared/field-table';
import { uuid } from '../../shared/id';
import type { Problem } from '../../shared/problem';
import { oneOf, type ParseResult, refused, Rule, wrongType } from '../../shared/rule';
import { text } from '../../shared/text';
import { isObject } from '../../shared/is-object';

export type ProjectRoles = Readonly<Record<string, ProjectRole>>;

const maxProjects = 50;
const role = oneOf(projectRoles);

const projectRolesRule = new Rule<ProjectRoles>(
  { type: 'object', additionalProperties: role.schema, maxProperties: maxProjects, propertyNames: { format: 'uuid' } },
  (sent): ParseResult<ProjectRoles> => {
    if (!isObject(sent)) return wrongType('object');
    const pairs = Object.entries(sent);
    if (pairs.length > maxProjects) return refused('too_big', `must have at most ${maxProjects} projects`);
    const problems: Problem[] = [];
    const read: Record<string, ProjectRole> = {};
    for (const [name, value] of pairs) {
      const [id, reading] = [uuid.tryParse(name), role.safeParse(value)];
      if (id === null) problems.push({ code: 'invalid_format', path: [name], message: 'key must be a UUID' });
      else if ('problems' in reading) problems.push(...reading.problems.map((one) => ({ ...one, path: [name] })));
      else read[id] = reading.value;
    }
    return problems.length > 0 ? { problems } : { value: read };
  },
);

const address = text({
  min: 3,
  max: 320,
  pattern: /^[^\s@\u0000]+@[^\s@\u0000]+$/,
  patternSays: 'be an e-mail address',
});

const inLowerCase = new Rule<string>(address.schema, (sent) => {
  const reading = address.safeParse(sent);
  return 'problems' in reading ? reading : { value: reading.value.toLowerCase() };
});

export const roleFields = {
  role: {
    rule: oneOf(roles),
    default: null,
    description: 'Role in the account and in all its projects. Null: only roles in single projects.',
    example: 'editor',
  },
  project_roles: {
    rule: projectRolesRule,
    column: 'jsonb',
    default: {},
    description: 'Roles in single projects, by their ids. The higher of both roles counts. At most 50.',
    example: { '0198c0de-7e57-7000-8000-000000000001': 'admin' },
  },
} as const satisfies Record<string, Field>;

export const memberFields = {
  email: {
    rule: inLowerCase,
    default: null,
    description: 'E-mail address in the tokens of the person, in any letter case. Required without `subject`.',
    example: 'ann@example.com',
  },
  subject: {
    rule: text({ min: 1, max: 255, notBlank: true }),
    default: null,
    description:
      'Identifier of the person at the identity provider. It counts in place of the address. Required without `email`.',
    example: 'auth0|5f7c8ec7c33c6c004bbafe82',
  },
  ...roleFields,
} as const satisfies Record<string, Field>;

export type MemberFields = typeof memberFields;
export type RoleFields = typeof roleFields;
