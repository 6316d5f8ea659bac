import type { ErrorCode } from '../../../src/shared/domain-error';
import { aDynamicLink, type LinkBody, unique } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { sample } from '../../support/scale';
import { atEndOfTest } from '../../support/end-of-test';
import { accountFixture, projectFixture, serviceFixture } from '../../support/fixtures';

const on = serviceFixture();
const owner = accountFixture(on, 'pro');
const project = projectFixture(on, owner);
let link: LinkBody;
beforeAll(async () => {
  link = await aDynamicLink(on, owner.key, project.id);
  await on.database.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'secret of table %', TG_TABLE_NAME USING DETAIL = 'secret detail', HINT = 'secret hint', ERRCODE = TG_ARGV[0];
    END $$`);
});

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

type Code = 'CREATE_FAILED' | 'UPDATE_FAILED' | 'DELETE_FAILED';
const send = (method: 'post' | 'put' | 'delete', path: string, body?: object) =>
  on.api(method, path.replace('{id}', project.id).replace('{link}', link.id), owner.key).send(body);

const nothing = () => undefined;
const writes: [method: 'post' | 'put' | 'delete', path: string, table: string, Code, body: () => object | undefined][] =
  [
    ['post', '/projects', 'projects', 'CREATE_FAILED', () => ({ name: 'x', subdomain: unique('r') })],
    ['put', '/projects/{id}', 'projects', 'UPDATE_FAILED', () => ({ name: 'Never' })],
    ['delete', '/projects/{id}', 'projects', 'DELETE_FAILED', nothing],
    ['post', '/projects/{id}/links', 'dynamic_links', 'CREATE_FAILED', () => ({ name: 'x' })],
    ['post', '/projects/{id}/links', 'link_paths', 'CREATE_FAILED', () => ({ name: 'x', custom_path: 'x' })],
    ['post', '/projects/{id}/links', 'project_counts', 'CREATE_FAILED', () => ({ name: 'x' })],
    ['put', '/projects/{id}/links/{link}', 'dynamic_links', 'UPDATE_FAILED', () => ({ name: 'Never' })],
    ['put', '/projects/{id}/links/{link}', 'link_paths', 'UPDATE_FAILED', () => ({ custom_path: unique('never') })],
    ['delete', '/projects/{id}/links/{link}', 'dynamic_links', 'DELETE_FAILED', nothing],
    ['delete', '/projects/{id}/links/{link}', 'link_paths', 'DELETE_FAILED', nothing],
  ];

const internals = /secret|refuse|SQL|link_paths|dynamic_link|trigger|P0001|relation|column| {4}at |gone/;

/** raise_exception, check_violation, unique_violation, numeric_value_out_of_range */
const sqlStates = ['P0001', '23514', '23505', '22003'];

test.each(writes.map((write, at) => [at, ...write] as const))(
  'write %i, %s %s, with a failing write to %s returns %s without internal details',
  async (at, method, path, table, code, body) => {
    for (const sqlState of sample(sqlStates, at, 1))
      await withFailingWrites(table, sqlState, async () => {
        const response = await changingNothing(on, () => send(method, path, body()));
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
  const [method, path, table, , body] = writes[at]!;
  await withFailingWrites(table, sqlState, async () => {
    const answer = await send(method, path, body());
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
  atEndOfTest(() => on.database.query(`ALTER TABLE gone RENAME TO ${table}`));
  const answer = await on.api('get', '/projects', key);
  expect(answer).toBeRefusedWith('UNKNOWN_ERROR');
  expect(answer.text).not.toMatch(internals);
  expect(await on.api('get', '/projects')).toBeRefusedWith('UNAUTHORIZED');
});

test('every write succeeds again once the database accepts writes', async () => {
  for (const [method, path, , , body] of writes.filter(([, , table]) => table === 'dynamic_links'))
    await send(method, path, body()).expect(method === 'post' ? 201 : 200);
  await on.api('delete', `/projects/${project.id}`, owner.key).expect(200);
});
