import { aDynamicLink, anAndroidApp, anIosApp, aProject } from '../../support/builders';
import { changingNothing, rowsOf } from '../../support/content';
import { statementsOf } from '../../support/statements';
import { rounds } from '../../support/scale';
import { atEndOfTest } from '../../support/end-of-test';
import { serviceFixture, accountFixture, projectFixture } from '../../support/fixtures';
import type { TestAccount } from '../../support/service';
import type { NewDynamicLink } from '../../../src/links/dynamic-links/dynamic-link';
import { DynamicLinksService } from '../../../src/links/dynamic-links/dynamic-links.service';
import type { Plan } from '../../../src/tenancy/accounts/plan';
import type { LinkPath } from '../../../src/link-paths/paths/custom-path';
import { ProjectRepository } from '../../../src/links/projects/project.repository';
import { untilLocked } from '../../support/lock-waits';
import { withTransaction } from '../../support/other-session';
import { randomIntegers } from '../../support/random-integers';

const on = serviceFixture({ QUOTA_PRO_PROJECTS: 'unlimited' });
const owner = accountFixture(on, 'pro');
const project = projectFixture(on, owner);

const links = (projectId = project.id) => `/projects/${projectId}/links`;

test('a generated path that already exists is replaced by another one', async () => {
  await on.database.query(`
    CREATE SEQUENCE collisions;
    CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('collisions') < 4 THEN
        RAISE unique_violation USING CONSTRAINT = 'link_paths_one_namespace';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER collide BEFORE INSERT ON link_paths FOR EACH ROW EXECUTE FUNCTION collide()`);
  atEndOfTest(() =>
    on.database.query('DROP TRIGGER collide ON link_paths; DROP FUNCTION collide; DROP SEQUENCE collisions'),
  );
  const own = await aProject(on, owner.key);
  const link = await aDynamicLink(on, owner.key, own.id);
  expect(await rowsOf(on, own.id)).toMatchObject({ dynamic_links: 1, link_paths: 1 });
  await on.api('get', `${links(own.id)}/${link.id}`, owner.key).expect(200);
});

test('a list takes one SQL statement for any number of links', async () => {
  const large = (await aProject(on, owner.key)).id;
  for (let at = 0; at < 5; at++) {
    const app = await anIosApp(on, owner.key, large);
    const other = await anAndroidApp(on, owner.key, large);
    await on.database.query(
      `INSERT INTO dynamic_links (id, project_id, name, custom_path, ios_app_id, android_app_id)
       SELECT gen_random_uuid(), $1, 'Link', $2 || n, $3, $4 FROM generate_series(1, 20) n`,
      [large, `path-${at}-`, app.id, other.id],
    );
  }
  for (const limit of [1, 100]) {
    let listed: { ios_apps: unknown; android_apps: unknown }[] = [];
    const statements = await statementsOf(on, async () => {
      listed = (await on.api('get', `${links(large)}?limit=${limit}`, owner.key).expect(200)).body.data;
    });
    expect(listed.filter((link) => link.ios_apps && link.android_apps)).toHaveLength(limit);
    expect(statements).toHaveLength(1);
  }
});

describe('the URLs of a link', () => {
  let link: string;
  beforeAll(async () => (link = `${links()}/${(await aDynamicLink(on, owner.key, project.id)).id}`));

  const create = (fields: object) => on.api('post', links(), owner.key).send({ name: 'A link', ...fields });
  const update = (fields: object) => on.api('put', link, owner.key).send(fields);

  const fields = ['desktop_url', 'ios_fallback_url', 'android_fallback_url', 'social_image_url'];

  const inAllFields = (value: string) => Object.fromEntries(fields.map((field) => [field, value]));

  test('every URL field is normalised', async () => {
    const [given, normalised] = ['HTTPS://BÜCHER.example/a b', 'https://xn--bcher-kva.example/a%20b'].map(inAllFields);
    expect((await create(given!).expect(201)).body.data).toMatchObject(normalised!);
    expect((await update(given!).expect(200)).body.data).toMatchObject(normalised!);
    expect((await on.api('get', link, owner.key).expect(200)).body.data).toMatchObject(normalised!);
  });

  test('a URL that an earlier release stored keeps its spelling until it is given again', async () => {
    const earlier = 'https://example.com/{a}|b';
    const sql = 'UPDATE dynamic_links SET desktop_url = $1 WHERE id = $2';
    await on.database.query(sql, [earlier, link.split('/').at(-1)]);
    const { body: renamed } = await update({ name: 'Another name' }).expect(200);
    expect(renamed.data).toMatchObject({ name: 'Another name', desktop_url: earlier });
    const { body: given } = await update({ desktop_url: earlier }).expect(200);
    expect(given.data.desktop_url).toBe('https://example.com/%7Ba%7D%7Cb');
  });
});

test.each([
  ['post', () => links()],
  ['put', async () => `${links()}/${(await aDynamicLink(on, owner.key, project.id)).id}`],
] as const)('referrer_params sent by %s keep their order, and may have the name __proto__', async (method, path) => {
  const params = '{"z":"1","__proto__":"2","a":"3","constructor":"4","Z":"5","m":"6"}';
  const request = on.api(method, await path(), owner.key).type('json');
  const response = await request.send(`{"name":"x","referrer_params":${params}}`);
  expect(response.text).toContain(`"referrer_params":${params}`);
  const read = await on.api('get', `${links()}/${response.body.data.id}`, owner.key).expect(200);
  expect(read.text).toContain(`"referrer_params":${params}`);
});

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
  await withTransaction(on.database, async (other) => {
    const insert = (path: string) =>
      other.query(
        "INSERT INTO dynamic_links (id, project_id, name, custom_path) VALUES (gen_random_uuid(), $1, 'Other', $2)",
        [id, path],
      );
    await insert('a');
    const links = ['z', 'a'].map((path) => ({ name: path, customPath: path as LinkPath }));
    // PostgreSQL would refuse the statement after a deadlock, and each link would be tried alone.
    const statements = await statementsOf(
      on,
      async () => {
        const together = createTogether([id], 'enterprise', links);
        await untilLocked(on.database, '');
        await insert('z');
        await other.query('ROLLBACK');
        expect((await together).map(reasonOf)).toEqual(['created', 'created']);
      },
      () => true,
    );
    expect(statements.filter((sql) => sql.startsWith('INSERT INTO dynamic_links'))).toHaveLength(1);
  });
});

const remove = async (projectId: string, id: string): Promise<number> =>
  (await on.api('delete', `${links(projectId)}/${id}`, owner.key)).status;

async function expectExactCounts(projectId: string, expected: number): Promise<void> {
  const [stored] = await on.database.query<{ count: number }>(
    'SELECT coalesce(sum(dynamic_links), 0)::int AS count FROM project_counts WHERE project_id = $1',
    [projectId],
  );
  const rows = await rowsOf(on, projectId);
  expect([stored!.count, rows['dynamic_links'], rows['link_paths']]).toEqual([expected, expected, expected]);
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
        Promise.all(Array.from({ length: 1 + random(12) }, async () => (await aDynamicLink(on, owner.key, id)).id)),
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

const forbidden = { feature: 'deferred_deep_links', current_plan: 'free', required_plan: 'pro' };

/** Changes the plan and waits until the service no longer caches the old one. */
async function setPlan(account: TestAccount, plan: Plan): Promise<void> {
  await on.setPlan(account.accountId, plan);
  // A read waits for the notification of the change.
  await on.api('get', '/projects', account.key).expect(200);
}

test('ios_deferred_deep_link cannot be enabled on the free plan, by create or update', async () => {
  const { key } = await on.anAccount('free');
  const { id } = await aProject(on, key);
  const links = `/projects/${id}/links`;
  const create = () => on.api('post', links, key).send({ name: 'x', ios_deferred_deep_link: true });
  expect(await changingNothing(on, create)).toBeRefusedWith('FORBIDDEN_PLAN', forbidden);
  const link = await aDynamicLink(on, key, id, { ios_deferred_deep_link: false });
  const update = () => on.api('put', `${links}/${link.id}`, key).send({ name: 'Never', ios_deferred_deep_link: true });
  expect(await changingNothing(on, update)).toBeRefusedWith('FORBIDDEN_PLAN', forbidden);
  await on.api('put', `${links}/${link.id}`, key).send({ ios_deferred_deep_link: false }).expect(200);
});

test('a link keeps ios_deferred_deep_link after a downgrade, but cannot enable it again', async () => {
  const account = await on.anAccount('pro');
  const { key } = account;
  const project = await aProject(on, key);
  const link = await aDynamicLink(on, key, project.id, {
    ios_deferred_deep_link: true,
    custom_path: 'kept',
    desktop_url: 'https://example.com/kept',
  });
  await setPlan(account, 'free');

  const path = `/projects/${project.id}/links/${link.id}`;
  expect((await on.api('get', path, key).expect(200)).body.data.ios_deferred_deep_link).toBe(true);
  const kept = await on.api('put', path, key).send({ name: 'Renamed', ios_deferred_deep_link: true }).expect(200);
  expect(kept.body.data).toMatchObject({ name: 'Renamed', ios_deferred_deep_link: true });
  expect((await on.visit(project.subdomain, '/kept').expect(302)).headers['location']).toBe('https://example.com/kept');

  await on.api('put', path, key).send({ ios_deferred_deep_link: false }).expect(200);
  const refused = await on.api('put', path, key).send({ ios_deferred_deep_link: true });
  expect(refused).toBeRefusedWith('FORBIDDEN_PLAN', forbidden);

  await setPlan(account, 'pro');
  await on.api('put', path, key).send({ ios_deferred_deep_link: true }).expect(200);
  await setPlan(account, 'free');
  const changes = [true, false, true].map((ios_deferred_deep_link) => ({ ios_deferred_deep_link }));
  const operations = changes.map((change) => ({ op: 'update', id: link.id, link: change }));
  const bulk = await on.api('post', `/projects/${project.id}/links/bulk`, key).send({ operations }).expect(200);
  expect(bulk.body.data.results.map(({ status }: { status: number }) => status)).toEqual([200, 200, 403]);
});

test('a request that would keep ios_deferred_deep_link does not enable it after another one disabled it', async () => {
  const account = await on.anAccount('pro');
  const project = await aProject(on, account.key);
  const { id } = await aDynamicLink(on, account.key, project.id, { ios_deferred_deep_link: true });
  await setPlan(account, 'free');
  const path = `/projects/${project.id}/links/${id}`;
  await withTransaction(on.database, async (other) => {
    await other.query('UPDATE dynamic_links SET ios_deferred_deep_link = false WHERE id = $1', [id]);
    const answer = on.api('put', path, account.key).send({ ios_deferred_deep_link: true }).then();
    await untilLocked(on.database, 'dynamic_links');
    await other.query('COMMIT');
    expect(await answer).toBeRefusedWith('FORBIDDEN_PLAN', forbidden);
  });
  expect((await on.api('get', path, account.key)).body.data.ios_deferred_deep_link).toBe(false);
});
