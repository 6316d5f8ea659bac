import type { Test } from 'supertest';
import type { ErrorCode } from '../../../src/shared/domain-error';
import { aDynamicLink, aProject, type LinkBody, type ProjectBody, unique } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { sample } from '../../support/scale';
import { aService, type TestAccount, type TestService } from '../../support/service';

let on: TestService;
let owner: TestAccount;
let project: ProjectBody;
let link: LinkBody;
beforeAll(async () => {
  on = await aService();
  owner = await on.anAccount();
  project = await aProject(on, owner.key);
  link = await aDynamicLink(on, owner.key, project.id);
  await on.database.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'secret of table %', TG_TABLE_NAME USING DETAIL = 'secret detail', HINT = 'secret hint', ERRCODE = TG_ARGV[0];
    END $$`);
});
afterAll(() => on.stop());

/** Makes a trigger on the table raise the SQLSTATE while `work` runs. */
async function withFailingWrites(table: string, sqlState: string, work: () => Promise<void>): Promise<void> {
  await on.database.query(
    `CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse('${sqlState}')`,
  );
  try {
    await work();
  } finally {
    await on.database.query(`DROP TRIGGER refuse ON ${table}`);
  }
}

const writes: [string, string, 'CREATE_FAILED' | 'UPDATE_FAILED' | 'DELETE_FAILED', () => Test][] = [
  [
    'POST /projects',
    'projects',
    'CREATE_FAILED',
    () => on.api('post', '/projects', owner.key).send({ name: 'x', subdomain: unique('r') }),
  ],
  [
    'PUT /projects/{id}',
    'projects',
    'UPDATE_FAILED',
    () => on.api('put', `/projects/${project.id}`, owner.key).send({ name: 'Never' }),
  ],
  ['DELETE /projects/{id}', 'projects', 'DELETE_FAILED', () => on.api('delete', `/projects/${project.id}`, owner.key)],
  [
    'POST …/links',
    'dynamic_links',
    'CREATE_FAILED',
    () => on.api('post', `/projects/${project.id}/links`, owner.key).send({ name: 'x' }),
  ],
  [
    'POST …/links',
    'link_paths',
    'CREATE_FAILED',
    () => on.api('post', `/projects/${project.id}/links`, owner.key).send({ name: 'x', custom_path: 'x' }),
  ],
  [
    'POST …/links',
    'project_counts',
    'CREATE_FAILED',
    () => on.api('post', `/projects/${project.id}/links`, owner.key).send({ name: 'x' }),
  ],
  [
    'PUT …/links/{id}',
    'dynamic_links',
    'UPDATE_FAILED',
    () => on.api('put', `/projects/${project.id}/links/${link.id}`, owner.key).send({ name: 'Never' }),
  ],
  [
    'PUT …/links/{id}',
    'link_paths',
    'UPDATE_FAILED',
    () => on.api('put', `/projects/${project.id}/links/${link.id}`, owner.key).send({ custom_path: unique('never') }),
  ],
  [
    'DELETE …/links/{id}',
    'dynamic_links',
    'DELETE_FAILED',
    () => on.api('delete', `/projects/${project.id}/links/${link.id}`, owner.key),
  ],
  [
    'DELETE …/links/{id}',
    'link_paths',
    'DELETE_FAILED',
    () => on.api('delete', `/projects/${project.id}/links/${link.id}`, owner.key),
  ],
];

const internals = /secret|refuse|SQL|link_paths|dynamic_link|trigger|P0001|relation|column| {4}at |gone/;

/** raise_exception, check_violation, unique_violation, numeric_value_out_of_range */
const sqlStates = ['P0001', '23514', '23505', '22003'];

test.each(writes.map((write, at) => [...write, at] as const))(
  '%s with a failing write to %s returns %s without internal details',
  async (_, table, code, write, at) => {
    for (const sqlState of sample(sqlStates, at, 1))
      await withFailingWrites(table, sqlState, async () => {
        const response = await changingNothing(on, write);
        expect(response).toBeRefusedWith(code);
        expect(Object.keys(response.body.error)).toEqual(['code', 'message']);
        expect(response.text).not.toMatch(internals);
        const logged = on.logLines
          .filter((line) => line.includes(response.headers['x-request-id']!))
          .map((line) => JSON.parse(line))
          .find((line) => line.request_id === response.headers['x-request-id'] && line.level === 'error');
        expect(logged.error.message).toBe(`secret of table ${table}`);
      });
  },
);

/** A reference that the checks before the deletion missed, and states of PostgreSQL that the caller did not cause. */
test.each<[write: number, sqlState: string, ErrorCode]>([
  [2, '23503', 'DELETE_FAILED'],
  [0, '53100', 'DATABASE_ERROR'],
  [0, '25006', 'DATABASE_ERROR'],
  [1, '57014', 'DATABASE_ERROR'],
  [1, '40001', 'DATABASE_ERROR'],
  [2, '40P01', 'DATABASE_ERROR'],
  [2, '55P03', 'DATABASE_ERROR'],
])('write %i with SQLSTATE %s returns %s without internal details', async (at, sqlState, code) => {
  const [, table, , write] = writes[at]!;
  await withFailingWrites(table, sqlState, async () => {
    const answer = await write();
    expect(answer).toBeRefusedWith(code);
    expect(answer.text).not.toMatch(internals);
  });
});

test.each([
  ['a read', 'projects'],
  ['the look-up of a key', 'api_keys'],
])('%s from a table that is gone returns UNKNOWN_ERROR', async (_, table) => {
  const { key } = await on.anAccount();
  await on.database.query(`ALTER TABLE ${table} RENAME TO gone`);
  try {
    const answer = await on.api('get', '/projects', key);
    expect(answer).toBeRefusedWith('UNKNOWN_ERROR');
    expect(answer.text).not.toMatch(internals);
    expect(await on.api('get', '/projects')).toBeRefusedWith('UNAUTHORIZED');
  } finally {
    await on.database.query(`ALTER TABLE gone RENAME TO ${table}`);
  }
});

test('every write succeeds again once the database accepts writes', async () => {
  for (const [, , code, write] of writes.filter(([, table]) => table === 'dynamic_links'))
    expect((await write()).status).toBe(code === 'CREATE_FAILED' ? 201 : 200);
  await on.api('delete', `/projects/${project.id}`, owner.key).expect(200);
});
