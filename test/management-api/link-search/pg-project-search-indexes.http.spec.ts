import { Client } from 'pg';
import { LinkSearchUpkeep } from '../../../src/management-api/link-search/link-search-upkeep';
import {
  maxSearchIndexes,
  PgProjectSearchIndexes,
} from '../../../src/management-api/link-search/pg-project-search-indexes';
import { searchLimits } from '../../../src/management-api/link-search/search-limits';
import { newId } from '../../../src/shared/id';
import { aProject } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { endApiConnections } from '../../support/rows-read';
import { aService, type TestAccount, type TestService } from '../../support/service';

const usual = { ...searchLimits };
const links = 2000;

let on: TestService;
let account: TestAccount;
let projectId: string;
/** Has most of the links. */
let otherId: string;
let clients: Client[];
let indexes: PgProjectSearchIndexes;

async function connect(): Promise<PgProjectSearchIndexes> {
  const client = new Client({ connectionString: on.database.url });
  await client.connect();
  clients.push(client);
  return new PgProjectSearchIndexes(client);
}

const insert = (id: string, count: number) =>
  on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path)
     SELECT gen_random_uuid(), $1, 'Summer ' || md5(n::text), 'p-' || n || '-' || md5((n + 1000000)::text)
     FROM generate_series(1, $2::int) n`,
    [id, count],
  );

beforeAll(async () => {
  Object.assign(searchLimits, { minLinks: 500 });
  on = await aService();
  account = await on.anAccount('enterprise');
  projectId = (await aProject(on, account.key)).id;
  otherId = (await aProject(on, account.key)).id;
  await insert(projectId, links);
  await insert(otherId, links * 8);
  await on.database.query('VACUUM ANALYZE dynamic_links');
  const upkeep = on.service.app.get(LinkSearchUpkeep, { strict: false });
  await eventually(async () => {
    await upkeep.lookAndSweep();
    return (await on.database.query('SELECT FROM link_search_projects WHERE built_at IS NOT NULL')).length === 2;
  }, 600_000);
  await upkeep.sweep();
});
afterAll(async () => {
  Object.assign(searchLimits, usual);
  await on.stop();
});

beforeEach(async () => {
  clients = [];
  indexes = await connect();
});
afterEach(async () => {
  searchLimits.minLinksOfCandidates = usual.minLinksOfCandidates;
  await indexes.remove(projectId);
  for (const client of clients) await client.end();
});

const pathOf = async (number: number): Promise<string> => {
  const [row] = await on.database.query<{ path: string }>(
    `SELECT 'p-' || $1::int || '-' || md5(($1::int + 1000000)::text) AS path`,
    [number],
  );
  return row!.path;
};

interface Answer {
  data: { custom_path: string }[];
  pagination: { total: number };
}

async function search(text: string): Promise<{ paths: string[]; total: number }> {
  const path = `/projects/${projectId}/links?${new URLSearchParams({ search: text }).toString()}`;
  const { data, pagination } = (await on.api('get', path, account.key).expect(200)).body as Answer;
  return { paths: data.map((link) => link.custom_path), total: pagination.total };
}

/** Returns how often the index was scanned, once each connection has reported its scans. */
async function scans(): Promise<number> {
  await endApiConnections(on);
  const [index] = await indexes.list();
  return index!.scans;
}

test('a search of the project uses its index, and finds the same links', async () => {
  const path = await pathOf(1234);
  const before = await search(path);
  expect(before).toEqual({ paths: [path], total: 1 });
  const added = await indexes.add(projectId);
  expect(added).toEqual({
    project_id: projectId,
    project_name: expect.any(String) as string,
    state: 'ready',
    bytes: expect.any(Number) as number,
    scans: 0,
  });
  expect(await search(path)).toEqual(before);
  expect(await search('nosuchword')).toEqual({ paths: [], total: 0 });
  expect(await scans()).toBeGreaterThan(0);
});

test('links that are created, changed and deleted later are found as before', async () => {
  await indexes.add(projectId);
  const links = `/projects/${projectId}/links`;
  const made = await on
    .api('post', links, account.key)
    .send({ name: 'Zebra crossing', desktop_url: 'https://example.com/' })
    .expect(201);
  const { id, custom_path } = (made.body as { data: { id: string; custom_path: string } }).data;
  expect(await search('zebra')).toEqual({ paths: [custom_path], total: 1 });
  await on.api('put', `${links}/${id}`, account.key).send({ name: 'Okapi crossing' }).expect(200);
  expect(await search('zebra')).toEqual({ paths: [], total: 0 });
  expect(await search('okapi')).toEqual({ paths: [custom_path], total: 1 });
  await on.api('delete', `${links}/${id}`, account.key).expect(200);
  expect(await search('okapi')).toEqual({ paths: [], total: 0 });
});

test('a second addition changes nothing, and an unfinished index is built again', async () => {
  const added = await indexes.add(projectId);
  expect(await indexes.add(projectId)).toEqual(added);
  // As a command leaves it that ends while it builds.
  await on.database.query(`UPDATE pg_index SET indisvalid = false
    WHERE indexrelid = (SELECT oid FROM pg_class WHERE relname = 'dynamic_links_search_of_' || replace('${projectId}', '-', ''))`);
  expect(await indexes.list()).toEqual([{ ...added, state: 'unfinished' }]);
  expect(await indexes.add(projectId)).toEqual({ ...added, bytes: expect.any(Number) as number });
});

test('removes an index, and tells if it existed', async () => {
  await indexes.add(projectId);
  expect(await indexes.remove(projectId)).toBe(true);
  expect(await indexes.remove(projectId)).toBe(false);
  expect(await indexes.list()).toEqual([]);
  expect(await search(await pathOf(7))).toMatchObject({ total: 1 });
});

test('names the projects that would gain from an index until they have one', async () => {
  expect(await indexes.candidates()).toEqual([]);
  searchLimits.minLinksOfCandidates = links;
  expect(await indexes.candidates()).toEqual([
    { project_id: projectId, project_name: expect.any(String) as string, links: expect.any(Number) as number },
  ]);
  await indexes.add(projectId);
  expect(await indexes.candidates()).toEqual([]);
});

test('lists and removes the index of a deleted project', async () => {
  const deleted = await aProject(on, account.key);
  await insert(deleted.id, 600);
  await indexes.add(deleted.id);
  await on.api('delete', `/projects/${deleted.id}`, account.key).expect(200);
  expect(await indexes.list()).toMatchObject([{ project_id: deleted.id, project_name: null }]);
  await expect(indexes.add(newId())).rejects.toThrow('Project not found');
  expect(await indexes.remove(deleted.id)).toBe(true);
});

test('refuses an index that would not be used', async () => {
  const small = await aProject(on, account.key);
  await expect(indexes.add(newId())).rejects.toThrow('Project not found');
  await expect(indexes.add(small.id)).rejects.toThrow(
    'The project has 0 links. Only projects with 500 or more can have a search index.',
  );
  await expect(indexes.add(otherId)).rejects.toThrow(
    /^The project has 8\d % of all links\. From 20 % of all links on, searches use the index of all projects\.$/,
  );
});

test('refuses more indexes than planning should bear', async () => {
  for (let count = 0; count < maxSearchIndexes; count++)
    await on.database.query(
      `CREATE INDEX dynamic_links_search_of_${newId().replaceAll('-', '')} ON dynamic_links (id) WHERE archived`,
    );
  await expect(indexes.add(projectId)).rejects.toThrow(
    'There are 16 search indexes, which is the largest number. Remove one first.',
  );
  for (const { project_id } of await indexes.list()) await indexes.remove(project_id);
});

test('one command works at a time', async () => {
  const others = await connect();
  const results = await Promise.allSettled([indexes.add(projectId), others.add(projectId)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const refused = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  expect((refused.reason as Error).message).toBe('Another command adds or removes a search index. Wait until it ends.');
  for (const client of clients.splice(0)) await client.end();
  indexes = await connect();
});
