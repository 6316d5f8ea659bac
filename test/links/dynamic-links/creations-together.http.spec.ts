import { Client } from 'pg';
import type { NewDynamicLink } from '../../../src/links/dynamic-links/dynamic-link';
import { DynamicLinksService } from '../../../src/links/dynamic-links/dynamic-links.service';
import type { Plan } from '../../../src/tenancy/accounts/plan';
import type { LinkPath } from '../../../src/link-paths/paths/custom-path';
import { ProjectRepository } from '../../../src/links/projects/project.repository';
import { aDynamicLink, aProject } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { aService, type TestService } from '../../support/service';
import { statementsOf } from '../../support/statements';

let on: TestService;
beforeAll(async () => {
  on = await aService({ QUOTA_PRO_DYNAMIC_LINKS: '7' });
});
afterAll(() => on.stop());

/** Creates links in one turn of the event loop, as requests that arrive together do. */
async function createTogether(projectIds: string[], plan: Plan, links: NewDynamicLink[]) {
  const { app } = on.service;
  const projects = await Promise.all(projectIds.map((id) => app.get(ProjectRepository).find(id)));
  return Promise.allSettled(
    links.map((link, at) => app.get(DynamicLinksService).create(projects[at % projects.length]!, plan, link)),
  );
}

const reasonOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'fulfilled' ? 'created' : (result.reason as { code?: string }).code;

test('a link that is refused does not keep those beside it from being created', async () => {
  const owner = await on.anAccount('enterprise');
  const { id } = await aProject(on, owner.key);
  await aDynamicLink(on, owner.key, id, { custom_path: 'taken' });
  const paths = ['free', 'taken', 'twice', 'twice'] as LinkPath[];
  const results = await createTogether(
    [id],
    'enterprise',
    paths.map((customPath) => ({ name: customPath, customPath })),
  );
  const [free, taken, ...twice] = results.map(reasonOf);
  expect([free, taken, ...twice.sort()]).toEqual(['created', 'CUSTOM_PATH_EXISTS', 'CUSTOM_PATH_EXISTS', 'created']);
  const list = await on.api('get', `/projects/${id}/links`, owner.key).expect(200);
  expect((list.body as { pagination: { total: number } }).pagination.total).toBe(3);
});

test('links that are created together get their paths in one order, so that none waits for a deadlock', async () => {
  const owner = await on.anAccount('enterprise');
  const { id } = await aProject(on, owner.key);
  const other = new Client({ connectionString: on.database.url });
  await other.connect();
  const insert = (path: string) =>
    other.query(
      "INSERT INTO dynamic_links (id, project_id, name, custom_path) VALUES (gen_random_uuid(), $1, 'Other', $2)",
      [id, path],
    );
  try {
    await other.query('BEGIN');
    await insert('a');
    const links = ['z', 'a'].map((path) => ({ name: path, customPath: path as LinkPath }));
    // PostgreSQL would refuse the statement after a deadlock, and each link would be tried alone.
    const statements = await statementsOf(
      on,
      async () => {
        const together = createTogether([id], 'enterprise', links);
        await eventually(async () => {
          const waiting = await on.database.query(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          );
          return waiting.length === 1;
        });
        await insert('z');
        await other.query('ROLLBACK');
        expect((await together).map(reasonOf)).toEqual(['created', 'created']);
      },
      () => true,
    );
    expect(statements.filter((sql) => sql.startsWith('INSERT INTO dynamic_links'))).toHaveLength(1);
  } finally {
    await other.end();
  }
});
