import { Client } from 'pg';
import { aDynamicLink, aProject, type ProjectBody, unique } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { eventually } from '../../support/eventually';
import { sendRequest } from '../../support/raw-http';
import { rounds } from '../../support/scale';
import { aService, type TestAccount, type TestService } from '../../support/service';

const limit = 5;

let on: TestService;
/** Another process on the same database. */
let replica: TestService;
let owner: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  on = await aService({ FORMER_SUBDOMAINS_PER_PROJECT: String(limit) });
  replica = await aService({}, on.database);
  [owner, stranger] = [await on.anAccount('enterprise'), await on.anAccount('enterprise')];
});
afterAll(async () => {
  await replica.stop();
  await on.stop();
});

const rename = ({ id }: ProjectBody, subdomain: string, key = owner.key) =>
  on.api('put', `/projects/${id}`, key).send({ subdomain });
const list = ({ id }: ProjectBody, query = '') => on.api('get', `/projects/${id}/former-subdomains${query}`, owner.key);
const release = ({ id }: ProjectBody, subdomain: string, key = owner.key) =>
  on.api('delete', `/projects/${id}/former-subdomains/${subdomain}`, key);
const create = (subdomain: string, { key } = stranger) =>
  on.api('post', '/projects', key).send({ name: 'N', subdomain });

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
    expect(pages[1]!.body.pagination).toEqual({
      page: 2,
      limit: 2,
      total: 5,
      totalPages: 3,
      hasNextPage: true,
      hasPreviousPage: true,
    });
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
    const nothing = [
      names[1]!,
      other.names[0]!,
      foreign.subdomain,
      unique('unknown'),
      names[0]!.toUpperCase(),
      `${names[0]}.localhost`,
      `${names[0]}%00`,
      `${names[0]}%20`,
      `%2e%2e%2f${names[0]}`,
      'www',
      'x',
      'x'.repeat(300),
      '%F0%9F%98%80',
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
    const other = new Client({ connectionString: on.database.url });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT FROM projects WHERE id = $1 FOR UPDATE', [project.id]);
      const renamed = rename(project, current).then((answer) => answer);
      await eventually(async () => {
        const waiting = await on.database.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return waiting.length > 0;
      });
      // Meanwhile the project takes another name, and releases the one that it had.
      await other.query('DELETE FROM subdomains WHERE name = $1', [names[0]]);
      await other.query('UPDATE projects SET subdomain = $2 WHERE id = $1', [project.id, unique('meanwhile')]);
      await other.query('DELETE FROM subdomains WHERE name = $1', [current]);
      for (const name of [unique('former'), unique('former')])
        await other.query('INSERT INTO subdomains SELECT $2, account_id, id, now() FROM projects WHERE id = $1', [
          project.id,
          name,
        ]);
      await other.query('COMMIT');
      expect(await renamed).toBeRefusedWith('ACCESS_DENIED');
      expect(await listed(project)).toHaveLength(limit + 1);
    } finally {
      await other.end();
    }
  });
});
