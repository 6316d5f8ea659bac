import { aProject } from '../../support/builders';
import { rowsOf } from '../../support/content';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { rounds } from '../../support/scale';
import { randomIntegers } from '../../support/random-integers';

let on: TestService;
let owner: TestAccount;
beforeAll(async () => {
  on = await aService({ QUOTA_PRO_DYNAMIC_LINKS: 'unlimited', QUOTA_PRO_PROJECTS: 'unlimited' });
  owner = await on.anAccount();
});
afterAll(() => on.stop());

const links = (projectId: string) => `/projects/${projectId}/links`;

async function create(projectId: string, fields: object = {}): Promise<string> {
  const response = await on
    .api('post', links(projectId), owner.key)
    .send({ name: 'x', ...fields })
    .expect(201);
  return response.body.data.id as string;
}

const remove = async (projectId: string, id: string): Promise<number> =>
  (await on.api('delete', `${links(projectId)}/${id}`, owner.key)).status;

async function expectExactCounts(projectId: string, expected: number): Promise<void> {
  const [stored] = await on.database.query<{ count: number }>(
    'SELECT coalesce(sum(dynamic_links), 0)::int AS count FROM project_counts WHERE project_id = $1',
    [projectId],
  );
  const rows = await rowsOf(on, projectId);
  expect({ stored: stored!.count, links: rows['dynamic_links'], paths: rows['link_paths'] }).toEqual({
    stored: expected,
    links: expected,
    paths: expected,
  });
  const list = await on.api('get', `${links(projectId)}?limit=1`, owner.key).expect(200);
  expect(list.body.pagination.total).toBe(expected);
}

test.each(rounds(3))(
  'project_counts equals the number of rows after concurrent creations and deletions (seed %d)',
  async (seed) => {
    const random = randomIntegers(seed);
    const { id } = await aProject(on, owner.key);
    let living: string[] = [];
    for (let round = 0; round < 6; round++) {
      const doomed = living.filter(() => random(3) === 0);
      const [made, ...deletions] = await Promise.all([
        Promise.all(Array.from({ length: 1 + random(12) }, () => create(id))),
        // Each link is deleted twice, and only one deletion finds it.
        ...doomed.map((link) => Promise.all([remove(id, link), remove(id, link)])),
      ]);
      for (const statuses of deletions) expect([...statuses].sort()).toEqual([200, 404]);
      living = [...living.filter((link) => !doomed.includes(link)), ...made];
      await expectExactCounts(id, living.length);
    }
    const list = await on.api('get', `${links(id)}?limit=100`, owner.key).expect(200);
    expect(list.body.data.map((link: { id: string }) => link.id).sort()).toEqual([...living].sort());
  },
);

test('a refused creation is not counted', async () => {
  const { id } = await aProject(on, owner.key);
  await create(id, { custom_path: 'taken' });
  const refused = await Promise.all(
    Array.from({ length: 10 }, () => on.api('post', links(id), owner.key).send({ name: 'x', custom_path: 'taken' })),
  );
  expect(refused.map(({ status }) => status)).toEqual(Array(10).fill(409));
  await expectExactCounts(id, 1);
});

test('a statement with rows of several projects counts each project', async () => {
  const [one, other] = [await aProject(on, owner.key), await aProject(on, owner.key)];
  await on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path)
     SELECT gen_random_uuid(), CASE WHEN n % 3 = 0 THEN $1::uuid ELSE $2::uuid END, 'x', 'p' || n FROM generate_series(1, 30) n`,
    [one.id, other.id],
  );
  await expectExactCounts(one.id, 10);
  await expectExactCounts(other.id, 20);
  await on.database.query(
    `DELETE FROM dynamic_links WHERE project_id IN ($1, $2) AND name = 'x' AND custom_path LIKE 'p1%'`,
    [one.id, other.id],
  );
  await expectExactCounts(one.id, 10 - 3);
  await expectExactCounts(other.id, 20 - 8);
});
