import type { Tag } from '../../../clients/typescript/src/index';
import { TagPurge } from '../../../src/links/tags/tag-purge';
import { PgTagsOfLinksRepository } from '../../../src/links/tags/pg-tags-of-links.repository';
import { aDynamicLink, aProject, aTag, type LinkBody } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { untilLocked } from '../../support/lock-waits';
import { withTransaction } from '../../support/other-session';
import { problem } from '../../support/problem';
import { accountFixture, serviceFixture } from '../../support/fixtures';

const on = serviceFixture();
const account = accountFixture(on);
let projectId: string;
beforeAll(async () => {
  // Retired tags stay on their links until a test purges them.
  await on.service.app.get(TagPurge, { strict: false }).stop();
});
beforeEach(async () => (projectId = (await aProject(on, account.key)).id));

const api = (method: 'get' | 'post' | 'put' | 'delete', path: string) =>
  on.api(method, `/projects/${projectId}${path}`, account.key);
const aLink = (tags: string[], fields: object = {}) => aDynamicLink(on, account.key, projectId, { tags, ...fields });
const tagsOf = async ({ id }: LinkBody): Promise<string[]> =>
  (await api('get', `/links/${id}`).expect(200)).body.data.tags;
const setTags = async ({ id }: LinkBody, tags: string[]): Promise<string[]> =>
  (await api('put', `/links/${id}`).send({ tags }).expect(200)).body.data.tags;

async function counts(): Promise<Record<string, number>> {
  const { body } = await api('get', '/tags?limit=100&sortBy=name&sortOrder=asc').expect(200);
  return Object.fromEntries((body.data as Tag[]).map(({ name, _count }) => [name, _count.dynamic_links]));
}

async function idOf(name: string): Promise<string> {
  const { body } = await api('get', `/tags?search=${encodeURIComponent(name)}`).expect(200);
  return (body.data as Tag[]).find((tag) => tag.name === name)!.id;
}

async function listed(query: string): Promise<{ ids: string[]; total: number }> {
  const { body } = await api('get', `/links?limit=100&sortOrder=asc&${query}`).expect(200);
  return { ids: body.data.map((link: LinkBody) => link.id), total: body.pagination.total };
}

test('links create the tags that they name, which keep their first spelling', async () => {
  const first = await aLink(['Summer', 'b']);
  expect(first['tags']).toEqual(['Summer', 'b']);
  const second = await aLink(['B', 'new', 'SUMMER', 'New']);
  expect(second['tags']).toEqual(['b', 'new', 'Summer']);
  expect(await tagsOf(second)).toEqual(['b', 'new', 'Summer']);
  expect(await counts()).toEqual({ Summer: 2, b: 2, new: 1 });
});

test('a request that fails creates no tag', async () => {
  const { custom_path } = await aLink([]);
  const refused = await changingNothing(on, () =>
    api('post', '/links').send({ name: 'x', custom_path, tags: ['new'] }),
  );
  expect(refused).toBeRefusedWith('CUSTOM_PATH_EXISTS');
  const link = await aLink([]);
  const update = await changingNothing(on, () => api('put', `/links/${link.id}`).send({ custom_path, tags: ['new'] }));
  expect(update).toBeRefusedWith('CUSTOM_PATH_EXISTS');
});

test('counts follow links that are created, changed, archived and deleted', async () => {
  const [one, two] = [await aLink(['a', 'b']), await aLink(['a'], { archived: true })];
  expect(await counts()).toEqual({ a: 2, b: 1 });
  expect((await listed('tag=a')).ids).toEqual([one.id]);
  expect((await listed('tag=a&archived=true')).ids).toEqual([two.id]);
  await api('put', `/links/${two.id}`).send({ archived: false }).expect(200);
  expect(await listed('tag=A')).toEqual({ ids: [one.id, two.id], total: 2 });
  await api('delete', `/links/${one.id}`).expect(200);
  expect(await counts()).toEqual({ a: 1, b: 0 });
});

test('a renamed tag shows on all links at once, and in their ETag', async () => {
  const link = await aLink(['old', 'other']);
  const before = await api('get', `/links/${link.id}`).expect(200);
  const id = await idOf('old');
  const renamed = await api('put', `/tags/${id}`).send({ name: 'new' }).expect(200);
  expect(renamed.body.data).toMatchObject({ id, name: 'new', _count: { dynamic_links: 1 } });
  const after = await api('get', `/links/${link.id}`).expect(200);
  expect(after.body.data).toEqual({ ...before.body.data, tags: ['new', 'other'] });
  expect(after.headers['etag']).not.toBe(before.headers['etag']);
  expect((await listed('tag=old')).ids).toEqual([]);
  expect((await listed('tag=new')).ids).toEqual([link.id]);
  expect(await api('put', `/tags/${id}`).send({ name: 'OTHER' })).toBeRefusedWith('TAG_EXISTS');
  await api('put', `/tags/${id}`).send({ name: 'NEW' }).expect(200);
  expect(await tagsOf(link)).toEqual(['NEW', 'other']);
});

/** Links beyond the number that a request changes itself. */
const many = 450;

async function insertTagged(names: string[], count = many): Promise<void> {
  const ids = await Promise.all(names.map(idOf));
  await on.database.query(
    `INSERT INTO dynamic_links (id, project_id, name, custom_path, tag_ids)
     SELECT gen_random_uuid(), $1, 'Many', 'many-' || $3 || n, $2 FROM generate_series(1, $4::int) n`,
    [projectId, ids, names.join('-'), count],
  );
}

/** Removes retired tags from all links, as the service does in the background. */
async function purge(): Promise<void> {
  const tags = on.service.app.get(PgTagsOfLinksRepository, { strict: false });
  while (!(await tags.purgeSome(100)));
}

describe.each([
  ['few links', 0],
  ['many links', many],
])('with %s', (_, count) => {
  test('a deleted tag is gone from all links at once, and its name is free', async () => {
    const link = await aLink(['old', 'other']);
    await insertTagged(['old'], count);
    const id = await idOf('old');
    expect((await api('delete', `/tags/${id}`).expect(200)).body).toEqual({ data: { message: 'Tag deleted' } });
    for (const state of ['at once', 'purged']) {
      expect([state, await tagsOf(link), await counts()]).toEqual([state, ['other'], { other: 1 }]);
      expect((await listed('tag=old')).total).toBe(0);
      expect((await listed('exclude_tag=old')).total).toBe(count + 1);
      for (const method of ['get', 'put', 'delete'] as const)
        expect(await api(method, `/tags/${id}`).send(method === 'put' ? {} : undefined)).toBeRefusedWith('NOT_FOUND');
      await purge();
    }
    expect(await on.database.query('SELECT FROM tags WHERE id = $1', [id])).toEqual([]);
    expect(await on.database.query('SELECT FROM dynamic_links WHERE $1 = ANY (tag_ids)', [id])).toEqual([]);
    expect(await setTags(link, ['OLD'])).toEqual(['OLD']);
  });

  test('a merged tag is the other one at once', async () => {
    const [one, both] = [await aLink(['first', 'old']), await aLink(['old', 'last', 'new'])];
    await insertTagged(['old'], count);
    const [id, into] = [await idOf('old'), await idOf('new')];
    const merged = await api('post', `/tags/${id}/merge`).send({ into }).expect(200);
    expect(merged.body.data).toMatchObject({ id: into, name: 'new', _count: { dynamic_links: count + 2 } });
    for (const state of ['at once', 'purged']) {
      expect([state, await tagsOf(one)]).toEqual([state, ['first', 'new']]);
      expect([state, (await tagsOf(both)).sort()]).toEqual([state, ['last', 'new']]);
      expect([state, await counts()]).toEqual([state, { first: 1, last: 1, new: count + 2 }]);
      expect((await listed('tag=new')).total).toBe(count + 2);
      expect((await listed('exclude_tag=new')).total).toBe(0);
      expect((await listed('tag=old')).total).toBe(0);
      expect(await api('get', `/tags/${id}`)).toBeRefusedWith('NOT_FOUND');
      expect(await api('post', `/tags/${id}/merge`).send({ into })).toBeRefusedWith('NOT_FOUND');
      await purge();
    }
    expect(await on.database.query('SELECT FROM tags WHERE id = $1', [id])).toEqual([]);
  });

  test('a tag that was merged follows the other one', async () => {
    const link = await aLink(['a']);
    await insertTagged(['a'], count);
    const [b, c] = [await aTag(on, account.key, projectId), await aTag(on, account.key, projectId)];
    await api('post', `/tags/${await idOf('a')}/merge`)
      .send({ into: b.id })
      .expect(200);
    await api('post', `/tags/${b.id}/merge`).send({ into: c.id }).expect(200);
    expect(await tagsOf(link)).toEqual([c.name]);
    await api('delete', `/tags/${c.id}`).expect(200);
    expect(await tagsOf(link)).toEqual([]);
    await purge();
    for (const rows of ['tags WHERE project_id = $1', "dynamic_links WHERE project_id = $1 AND tag_ids <> '{}'"])
      expect(await on.database.query(`SELECT FROM ${rows}`, [projectId])).toEqual([]);
  });
});

test('a tag is not merged into itself', async () => {
  const { id } = await aTag(on, account.key, projectId);
  const merged = await changingNothing(on, () => api('post', `/tags/${id}/merge`).send({ into: id }));
  expect(merged).toBeRefusedWith('INVALID_INPUT', [problem('invalid_format', 'into')]);
});

test('concurrent links with one new tag share it', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, at) => aLink([at % 2 ? 'Shared' : 'SHARED', `own ${at}`])));
  const found = await counts();
  expect(Object.keys(found)).toHaveLength(21);
  expect(found['Shared'] ?? found['SHARED']).toBe(20);
});

test('counts are right after concurrent changes of links and tags', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const links = await Promise.all(Array.from({ length: 8 }, (_, at) => aLink([names[at % 4]!, names[(at + 1) % 4]!])));
  const subset = (at: number) => names.filter((_, number) => (at >> number) & 1);
  await Promise.all([
    ...links.slice(0, 6).flatMap((link, at) => [1, 2, 3].map((round) => setTags(link, subset(at * 3 + round)))),
    ...['a', 'b'].map(async (name, at) => {
      const [id, into] = [await idOf(name), await idOf(['c', 'd'][at]!)];
      return api('post', `/tags/${id}/merge`).send({ into });
    }),
    ...links.slice(6).map(({ id }) => api('delete', `/links/${id}`)),
  ]);
  await purge();
  const { body } = await api('get', '/links?limit=100').expect(200);
  const expected: Record<string, number> = {};
  for (const link of body.data as { tags: string[] }[])
    for (const name of link.tags) expected[name] = (expected[name] ?? 0) + 1;
  const found = Object.fromEntries(Object.entries(await counts()).filter(([, links]) => links > 0));
  expect(found).toEqual(expected);
});

test('a conditional update creates its tags before it locks the link', async () => {
  const { id } = await aLink([]);
  const { etag } = (await api('get', `/links/${id}`).expect(200)).headers;
  await withTransaction(on.database, async (other) => {
    // As another request does that creates the tag and then changes the link.
    await other.query("INSERT INTO tags (id, project_id, name, folded_name) VALUES (gen_random_uuid(), $1, 'x', 'x')", [
      projectId,
    ]);
    const update = api('put', `/links/${id}`)
      .set('If-Match', etag!)
      .send({ tags: ['x'] })
      .then(({ status }) => status);
    await untilLocked(on.database, 'INSERT INTO tags');
    await other.query('SELECT FROM dynamic_links WHERE id = $1 FOR UPDATE NOWAIT', [id]);
    await other.query('COMMIT');
    expect(await update).toBe(200);
  });
});
