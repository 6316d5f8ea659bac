import { aDynamicLink, anAndroidApp, anIosApp, aProject, type ProjectBody, unique } from '../../support/builders';
import { changingNothing, rowsOf } from '../../support/content';
import { eventually } from '../../support/eventually';
import { accountFixture, serviceFixture } from '../../support/fixtures';
import { untilLocked } from '../../support/lock-waits';
import { withTransaction } from '../../support/other-session';
import { sendRequest } from '../../support/raw-http';
import type { TestService } from '../../support/service';
import { rounds } from '../../support/scale';
import { ProjectPurge } from '../../../src/links/projects/project-purge';

const limit = 5;

const on = serviceFixture({ FORMER_SUBDOMAINS_PER_PROJECT: String(limit) });
/** Another process on the same database. */
const replica = serviceFixture({}, () => on.database);
const owner = accountFixture(on);
const stranger = accountFixture(on);

const rename = ({ id }: ProjectBody, subdomain: string, key = owner.key) =>
  on.api('put', `/projects/${id}`, key).send({ subdomain });
const list = ({ id }: ProjectBody, query = '') => on.api('get', `/projects/${id}/former-subdomains${query}`, owner.key);
const release = ({ id }: ProjectBody, subdomain: string, key = owner.key) =>
  on.api('delete', `/projects/${id}/former-subdomains/${subdomain}`, key);
const create = (subdomain: string, { key } = stranger) =>
  on.api('post', '/projects', key).send({ name: 'N', subdomain });

const messageOf = ({ body }: { body: unknown }) => (body as { error: { message: string } }).error.message;

/** Creates a project with a link and renames it. Returns its subdomains, the oldest first, the current one last. */
async function aRenamedProject(renames: number): Promise<{ project: ProjectBody; names: string[] }> {
  const project = await aProject(on, owner.key);
  await aDynamicLink(on, owner.key, project.id, { custom_path: 'sale', desktop_url: 'https://example.com/' });
  const names = [project.subdomain];
  for (let count = 0; count < renames; count++) {
    names.push(unique('renamed'));
    await rename(project, names.at(-1)!).expect(200);
  }
  return { project, names };
}

const listed = async (project: ProjectBody): Promise<string[]> =>
  ((await list(project, '?limit=100').expect(200)).body.data as { subdomain: string }[]).map(
    ({ subdomain }) => subdomain,
  );

const statusOn = async (service: TestService, subdomain: string): Promise<number> =>
  (await sendRequest(service.url, 'GET /sale', { Host: `${subdomain}.localhost` })).status;

test('a renamed project serves its links and association files on every subdomain that it had', async () => {
  const { project, names } = await aRenamedProject(3);
  await anIosApp(on, owner.key, project.id, { bundle_id: 'com.example.shop' });
  await anAndroidApp(on, owner.key, project.id, { package_name: 'com.example.shop' });
  await aDynamicLink(on, owner.key, project.id, { custom_path: 'social', social_title: 'Sale' });
  for (const name of names) {
    expect((await on.visit(name, '/sale').expect(302)).headers['location']).toBe('https://example.com/');
    const apple = await on.visit(name, '/.well-known/apple-app-site-association').expect(200);
    expect(JSON.stringify(apple.body)).toContain('ABCDE12345.com.example.shop');
    await on.visit(name, '/.well-known/assetlinks.json').expect(200, /com\.example\.shop/);
    const preview = await on.visit(name, '/social', { 'User-Agent': 'Slackbot-LinkExpanding 1.0' }).expect(200);
    expect(preview.text).toContain(`<meta property="og:url" content="http://${names.at(-1)}.localhost:3000/social">`);
  }
});

test.each([
  ['another project of the same account', async () => owner],
  ['a project of another account', async () => stranger],
])('%s gets SUBDOMAIN_TAKEN for a former subdomain', async (_, requester) => {
  const { names } = await aRenamedProject(2);
  const account = await requester();
  const other = await aProject(on, account.key);
  for (const name of names) {
    for (const send of [() => create(name, account), () => rename(other, name, account.key)]) {
      const answer = await changingNothing(on, send);
      expect(answer).toBeRefusedWith('SUBDOMAIN_TAKEN');
      expect(messageOf(answer)).toBe(`The subdomain ${name} is in use; choose another one`);
    }
  }
});

test('a rename beyond FORMER_SUBDOMAINS_PER_PROJECT returns ACCESS_DENIED, except to a former subdomain', async () => {
  const { project, names } = await aRenamedProject(limit);
  const taken = (await aProject(on, owner.key)).subdomain;
  for (const name of [unique('one-more'), taken, 'www'])
    expect(await changingNothing(on, () => rename(project, name))).toBeRefusedWith('ACCESS_DENIED', {
      limit,
      used: limit,
      current_plan: 'enterprise',
      required_plan: null,
      release: {
        operation_id: 'deleteFormerSubdomain',
        method: 'DELETE',
        path: `/projects/${project.id}/former-subdomains/{subdomain}`,
      },
    });
  await rename(project, names[0]!).expect(200);
  expect(await rename(project, unique('one-more'))).toBeRefusedWith('ACCESS_DENIED');
  await on.api('put', `/projects/${project.id}`, owner.key).send({ name: 'Still possible' }).expect(200);
});

test.each(rounds(5))(
  'a project keeps a subdomain that others try to create while the project renames back and forth (round %d)',
  async () => {
    const { project, names } = await aRenamedProject(1);
    const [first, second] = names as [string, string];
    const responses = await Promise.all([
      rename(project, first),
      ...Array.from({ length: 8 }, (_, at) => create(at % 2 ? second : first)),
      rename(project, second),
    ]);
    for (const response of responses.slice(1, -1)) expect(response).toBeRefusedWith('SUBDOMAIN_TAKEN');
    for (const { status } of [responses[0], responses.at(-1)!]) expect(status).toBe(200);
    const [row] = await on.database.query<{ subdomain: string }>(
      `SELECT p.subdomain, (SELECT array_agg(name ORDER BY name) FROM subdomains WHERE project_id = p.id AND left_at IS NULL) AS current,
            (SELECT count(*)::int FROM subdomains WHERE project_id = p.id) AS names
     FROM projects p WHERE id = $1`,
      [project.id],
    );
    expect(row).toEqual({ subdomain: row!.subdomain, current: [row!.subdomain], names: 2 });
  },
);

test.each(rounds(5))('two projects that swap subdomains concurrently both get SUBDOMAIN_TAKEN (round %d)', async () => {
  const [one, two] = [await aProject(on, owner.key), await aProject(on, owner.key)];
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, at) => (at % 2 ? rename(one, two.subdomain) : rename(two, one.subdomain))),
  );
  // PostgreSQL would abort one of two deadlocked transactions, and its request would return another code.
  for (const response of responses) expect(response).toBeRefusedWith('SUBDOMAIN_TAKEN');
});

test('the next sweep deletes the rows that a crash left of a deleted project, and no others', async () => {
  const { key } = await on.anAccount('enterprise');
  const deleted = await aProject(on, key);
  const other = await aProject(on, key);
  await aDynamicLink(on, key, deleted.id);
  await aDynamicLink(on, key, other.id);
  const before = await rowsOf(on, other.id);
  // A process that crashes right after its commit leaves this state.
  await on.database.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [deleted.id]);
  expect((await rowsOf(on, deleted.id))['dynamic_links']).toBe(1);

  await on.service.app.get(ProjectPurge).sweep();

  expect(Object.values(await rowsOf(on, deleted.id)).every((count) => count === 0)).toBe(true);
  expect(await rowsOf(on, other.id)).toEqual(before);
});

describe('the list of former subdomains', () => {
  test('has the last one first, and never the current one', async () => {
    const { project, names } = await aRenamedProject(3);
    const { body } = await list(project).expect(200);
    const former = names.slice(0, -1).reverse();
    expect(body.data).toEqual(former.map((subdomain) => ({ subdomain, left_at: expect.stringMatching(/^20.*Z$/) })));
    await rename(project, names[0]!).expect(200);
    expect(await listed(project)).toEqual([names[3], names[2], names[1]]);
  });

  test('has pages that partition it', async () => {
    const { project, names } = await aRenamedProject(5);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(project, `?limit=2&page=${page}`).expect(200)));
    const subdomains = pages.map(({ body }) => (body.data as { subdomain: string }[]).map((item) => item.subdomain));
    expect(subdomains.map(({ length }) => length)).toEqual([2, 2, 1, 0]);
    expect(subdomains.flat()).toEqual(names.slice(0, -1).reverse());
    expect(pages[1]!.body.pagination).toMatchObject({ page: 2, total: 5, totalPages: 3, hasNextPage: true });
    const far = await list(project, '?limit=100&page=9007199254740991').expect(200);
    expect(far.body.data).toEqual([]);
  });
});

describe('a released subdomain', () => {
  test('is free: the project does not answer there on any process, and another account can take it', async () => {
    const { project, names } = await aRenamedProject(2);
    const [first, second, current] = names as [string, string, string];
    for (const service of [on, replica]) for (const name of names) expect(await statusOn(service, name)).toBe(302);
    const { body } = await release(project, first).expect(200);
    expect(body).toEqual({ data: { message: 'Former subdomain released' } });
    for (const service of [on, replica]) {
      await eventually(async () => (await statusOn(service, first)) === 404);
      for (const name of [second, current]) expect(await statusOn(service, name)).toBe(302);
      const ask = await sendRequest(service.url, `GET /tls/ask?domain=${first}.localhost`);
      expect(ask.status).toBe(404);
    }
    expect(await listed(project)).toEqual([second]);

    const taken = (await create(first).expect(201)).body.data as ProjectBody;
    await aDynamicLink(on, stranger.key, taken.id, { custom_path: 'sale', desktop_url: 'https://stranger.example/' });
    for (const service of [on, replica])
      await eventually(async () => {
        const { headers } = await sendRequest(service.url, 'GET /sale', { Host: `${first}.localhost` });
        return headers['location'] === 'https://stranger.example/';
      });
    expect(await rename(project, first)).toBeRefusedWith('SUBDOMAIN_TAKEN');
    expect(await release(project, first)).toBeRefusedWith('NOT_FOUND');
  });

  test('can be taken again by its project, and allows another rename', async () => {
    const { project, names } = await aRenamedProject(limit);
    const next = unique('one-more');
    const refused = await rename(project, next);
    expect(refused).toBeRefusedWith('ACCESS_DENIED');
    const { details } = (refused.body as { error: { details: { release: { method: string; path: string } } } }).error;
    const path = details.release.path.replace('{subdomain}', names[2]!);
    await on.api(details.release.method.toLowerCase() as 'delete', path, owner.key).expect(200);
    await rename(project, next).expect(200);
    expect(await rename(project, names[2]!)).toBeRefusedWith('ACCESS_DENIED');
    await release(project, names[0]!).expect(200);
    await rename(project, names[2]!).expect(200);
    expect(await statusOn(on, names[2]!)).toBe(302);
  });

  test('must be a former subdomain of that project', async () => {
    const { project, names } = await aRenamedProject(1);
    const other = await aRenamedProject(1);
    const foreign = await aProject(on, stranger.key);
    const [first, current] = names as [string, string];
    const nothing = [
      ...[current, other.names[0]!, foreign.subdomain, unique('unknown'), 'www', 'x', 'x'.repeat(300), '%F0%9F%98%80'],
      ...[first.toUpperCase(), `${first}.localhost`, `${first}%00`, `${first}%20`, `%2e%2e%2f${first}`],
    ];
    for (const name of nothing)
      expect(await changingNothing(on, () => release(project, name))).toBeRefusedWith('NOT_FOUND');
    expect(await changingNothing(on, () => release(project, names[0]!, stranger.key))).toBeRefusedWith('ACCESS_DENIED');
    expect(await changingNothing(on, () => release(project, `${names[0]}?x=1`))).toBeRefusedWith('INVALID_INPUT');
    expect(await listed(project)).toEqual([names[0]]);
  });
});

async function holderOf(name: string): Promise<{ project_id: string; former: boolean } | null> {
  const [row] = await on.database.query<{ project_id: string; former: boolean }>(
    'SELECT project_id, left_at IS NOT NULL AS former FROM subdomains WHERE name = $1',
    [name],
  );
  return row ?? null;
}

describe('at the same time', () => {
  test.each(rounds(10))('one of ten releases succeeds (round %d)', async () => {
    const { project, names } = await aRenamedProject(1);
    const answers = await Promise.all(Array.from({ length: 10 }, () => release(project, names[0]!)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expect(answer).toBeRefusedWith('NOT_FOUND');
  });

  test.each(rounds(10))('a return to the name wins, or its release and a new claim do (round %d)', async () => {
    const { project, names } = await aRenamedProject(1);
    const name = names[0]!;
    const [returned, released, ...claims] = await Promise.all([
      rename(project, name),
      release(project, name),
      ...Array.from({ length: 4 }, () => create(name)),
    ]);
    const winners = claims.filter(({ status }) => status === 201);
    for (const claim of claims) if (claim.status !== 201) expect(claim).toBeRefusedWith('SUBDOMAIN_TAKEN');
    expect(winners.length).toBeLessThanOrEqual(1);
    if (released.status !== 200) {
      expect(released).toBeRefusedWith('NOT_FOUND');
      expect([returned.status, winners.length]).toEqual([200, 0]);
    }
    if (returned.status !== 200) expect(returned).toBeRefusedWith('SUBDOMAIN_TAKEN');
    // The name has exactly one owner, and it is the one whose request succeeded.
    expect((returned.status === 200 ? 1 : 0) + winners.length).toBe(1);
    const { id } = returned.status === 200 ? project : (winners[0]!.body as { data: ProjectBody }).data;
    expect(await holderOf(name)).toEqual({ project_id: id, former: false });
    const { body } = await on.api('get', `/projects/${project.id}`, owner.key).expect(200);
    expect((body.data as ProjectBody).subdomain).toBe(returned.status === 200 ? name : names[1]);
  });

  test.each(rounds(10))('releases and renames at the limit never exceed it (round %d)', async () => {
    const { project, names } = await aRenamedProject(limit);
    const answers = await Promise.all([
      ...names.slice(0, 2).map((name) => release(project, name)),
      ...Array.from({ length: 6 }, () => rename(project, unique('race'))),
    ]);
    for (const { status } of answers.slice(0, 2)) expect(status).toBe(200);
    const renames = answers.slice(2);
    for (const answer of renames) if (answer.status !== 200) expect(answer).toBeRefusedWith('ACCESS_DENIED');
    const succeeded = renames.filter(({ status }) => status === 200).length;
    expect(succeeded).toBeLessThanOrEqual(2);
    expect(await listed(project)).toHaveLength(limit - 2 + succeeded);
  });

  test('a rename observes the limit, although its name was current when the request began', async () => {
    const { project, names } = await aRenamedProject(limit);
    const current = names.at(-1)!;
    const insertFormer = 'INSERT INTO subdomains SELECT $2, account_id, id, now() FROM projects WHERE id = $1';
    await withTransaction(on.database, async (other) => {
      await other.query('SELECT FROM projects WHERE id = $1 FOR UPDATE', [project.id]);
      const renamed = rename(project, current).then((answer) => answer);
      await untilLocked(on.database, '');
      // Meanwhile the project takes another name, and releases the one that it had.
      await other.query('DELETE FROM subdomains WHERE name = $1', [names[0]]);
      await other.query('UPDATE projects SET subdomain = $2 WHERE id = $1', [project.id, unique('meanwhile')]);
      await other.query('DELETE FROM subdomains WHERE name = $1', [current]);
      for (const name of [unique('former'), unique('former')]) await other.query(insertFormer, [project.id, name]);
      await other.query('COMMIT');
      expect(await renamed).toBeRefusedWith('ACCESS_DENIED');
      expect(await listed(project)).toHaveLength(limit + 1);
    });
  });
});
