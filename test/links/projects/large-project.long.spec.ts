import { aProject } from '../../support/builders';
import { rowsOf } from '../../support/content';
import { eventually } from '../../support/eventually';
import { steadyMsOf } from '../../support/steady-clock';
import { serviceFixture } from '../../support/fixtures';

const on = serviceFixture();

test('a project with 100,000 links lists them all and is deleted with all of them', async () => {
  const { key } = await on.anAccount();
  const { id, subdomain } = await aProject(on, key);
  const links = `/projects/${id}/links`;
  await on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path)
     SELECT gen_random_uuid(), $1, 'Link ' || n, 'p' || n FROM generate_series(1, 100000) n`,
    [id],
  );
  const list = await on.api('get', `${links}?limit=100&page=1000&sortBy=name`, key).expect(200);
  expect(list.body.pagination).toMatchObject({ total: 100_000, totalPages: 1000, hasNextPage: false });
  expect(list.body.data).toHaveLength(100);
  const projects = await on.api('get', '/projects', key).expect(200);
  expect(projects.body.data[0]._count).toEqual({ dynamic_links: 100_000 });

  const deleted = async () => {
    const response = await on.api('delete', `/projects/${id}`, key).expect(200);
    expect(response.body).toEqual({ data: { message: 'Project deleted' } });
  };
  expect(await steadyMsOf(deleted, () => on.database.query('SELECT'))).toBeLessThan(20_000);

  expect(await on.api('get', links, key)).toBeRefusedWith('NOT_FOUND');
  await on.visit(subdomain, '/p1').expect(404);
  await aProject(on, key, { subdomain });
  // Counting the rows at each look would delay the purge. The project goes last.
  await eventually(async () => (await on.database.query('SELECT FROM projects WHERE id = $1', [id])).length === 0);
  expect(Object.values(await rowsOf(on, id)).filter((count) => count > 0)).toEqual([]);
});
