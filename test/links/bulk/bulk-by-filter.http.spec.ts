import type { Response } from 'supertest';
import type { components, DynamicLinkListItem, Tag } from '../../../clients/typescript/src/index';
import { maxFilteredLinks } from '../../../src/links/bulk/bulk-action';
import { TagPurge } from '../../../src/links/tags/tag-purge';
import type { ErrorCode } from '../../../src/shared/domain-error';
import { aDynamicLink, anIosApp, aProject, aShortLink, dataAt, unknownId } from '../../support/builders';
import { changingNothing, rowsOf } from '../../support/content';
import { untilLocked } from '../../support/lock-waits';
import { notificationsOf, withTransaction } from '../../support/other-session';
import { problem } from '../../support/problem';
import { manyLinks } from '../export/running-export';
import { accountFixture, serviceFixture } from '../../support/fixtures';

const on = serviceFixture({ QUOTA_FREE_DYNAMIC_LINKS: '30' });
const account = accountFixture(on);
let projectId: string;
let subdomain: string;
beforeEach(async () => ({ id: projectId, subdomain } = await aProject(on, account.key)));

const send = (body: object, { key } = account, project = projectId) =>
  on.api('post', `/projects/${project}/links/bulk/by-filter`, key).send(body);
type Result = components['schemas']['BulkByFilterResult'];
const run = async (filter: object, action: string, expected_count: number, others: object = {}): Promise<Result> =>
  (await send({ filter, action, expected_count, ...others }).expect(200)).body.data;

const link = (fields: Record<string, unknown> = {}, project = projectId) =>
  aDynamicLink(on, account.key, project, fields);
const list = (query = '') => {
  const path = `/projects/${projectId}/links?archived=any&limit=100&sortBy=name&sortOrder=asc${query}`;
  return dataAt<DynamicLinkListItem[]>(on, account.key, path);
};
const names = async (query?: string) => (await list(query)).map(({ name }) => name);
const tags = () => dataAt<Tag[]>(on, account.key, `/projects/${projectId}/tags`);
const tagCounts = async () =>
  Object.fromEntries((await tags()).map(({ name, _count }) => [name, _count.dynamic_links]));
const none = { failed: 0, failures: [], remaining: 0, next_after: null };
const counts = (changed: number, unchanged = 0) => ({ matched: changed + unchanged, changed, unchanged, ...none });
const mismatch = (expected: number, actual: number) => ({ expected_count: expected, actual_count: actual });

test('each filter of the list finds the links of the list', async () => {
  const app = await anIosApp(on, account.key, projectId);
  await link({ name: 'A', custom_path: 'sale/a', tags: ['x'] });
  await link({ name: 'B', custom_path: 'sale/b', tags: ['X', 'y'], archived: true });
  await link({ name: 'C', ios_app_id: app.id, external_id: 'crm-1', tags: ['y'] });
  await link({ name: 'D' });
  const filters: [Record<string, string>, string[]][] = [
    [{}, ['A', 'C', 'D']],
    [{ archived: 'true' }, ['B']],
    [{ archived: 'any', tag: 'x' }, ['A', 'B']],
    [{ archived: 'any', exclude_tag: 'X' }, ['C', 'D']],
    [{ tag: 'y', exclude_tag: 'x' }, ['C']],
    [{ archived: 'any', search: 'SALE' }, ['A', 'B']],
    [{ ios_app_id: app.id }, ['C']],
    [{ android_app_id: unknownId }, []],
    [{ external_id: 'crm-1' }, ['C']],
    [{ tag: 'unknown' }, []],
    [{ exclude_tag: 'unknown', search: '' }, ['A', 'C', 'D']],
  ];
  for (const [at, [filter, expected]] of filters.entries()) {
    const query = { sortBy: 'name', sortOrder: 'asc', ...filter };
    const listed = await on.api('get', `/projects/${projectId}/links`, account.key).query(query).expect(200);
    expect((listed.body.data as DynamicLinkListItem[]).map(({ name }) => name)).toEqual(expected);
    expect(await run(filter, 'add_tags', expected.length, { tags: [`found-${at}`] })).toEqual(counts(expected.length));
    expect(await names(`&tag=found-${at}`)).toEqual(expected);
  }
});

test('another number of links changes nothing, and the error has the real one', async () => {
  await link({ tags: ['x'] });
  await link({ tags: ['x'] });
  for (const action of ['archive', 'delete', 'add_tags'])
    for (const expected_count of [0, 1, 3]) {
      const body = { filter: { tag: 'x' }, action, expected_count, ...(action === 'add_tags' && { tags: ['new'] }) };
      const refused = await changingNothing(on, () => send(body));
      expect(refused).toBeRefusedWith('COUNT_MISMATCH', { expected_count, actual_count: 2 });
      expect(refused.body.error.message).toMatch(
        /^The filter matches 2 links but \d (?:was|were) expected\. Nothing changed\. .* expected_count: 2\.$/,
      );
    }
  expect(await run({ tag: 'nobody' }, 'delete', 0)).toEqual(counts(0));
});

test('ids narrow a filter, and each counts once', async () => {
  const [a, b, c] = await Promise.all(['A', 'B', 'C'].map((name) => link({ name, tags: [name] })));
  await link({ name: 'D' });
  const chosen = (ids: { id: string }[], filter: object = {}) => ({
    filter: { archived: 'any', ...filter },
    ids: ids.map(({ id }) => id),
  });
  const add = { action: 'add_tags', tags: ['new'] };
  const twice = { ...chosen([a!, b!, a!]), ...add };
  twice.ids[2] = twice.ids[2]!.toUpperCase();
  expect((await send({ ...twice, expected_count: 2 }).expect(200)).body.data).toEqual(counts(2));
  expect((await list()).map(({ tags }) => tags)).toEqual([['A', 'new'], ['B', 'new'], ['C'], []]);
  const one = { ...chosen([b!, c!], { tag: 'new' }), action: 'archive', expected_count: 1 };
  expect((await send(one).expect(200)).body.data).toEqual(counts(1));
  expect((await list()).map(({ archived }) => archived)).toEqual([false, true, false, false]);

  await on.api('delete', `/projects/${projectId}/links/${c!.id}`, account.key).expect(200);
  const gone = { ...chosen([a!, c!]), action: 'remove_tags', tags: ['new'], expected_count: 2 };
  expect(await changingNothing(on, () => send(gone))).toBeRefusedWith('COUNT_MISMATCH', mismatch(2, 1));
});

test('states and tags change where they differ only', async () => {
  await link({ name: 'An only one', tags: ['x'] });
  await link({ name: 'B', tags: ['x'], archived: true, disabled: true });
  const both = { archived: 'any', tag: 'X' };
  const before = await list();
  for (const [action, field, value] of [
    ['archive', 'archived', true],
    ['unarchive', 'archived', false],
    ['disable', 'disabled', true],
    ['enable', 'disabled', false],
  ] as const) {
    const differing = (await list()).filter((each) => each[field] !== value).length;
    expect(await run(both, action, 2)).toEqual(counts(differing, 2 - differing));
    expect((await list()).map((each) => each[field])).toEqual([value, value]);
  }
  await run({ search: 'An only one' }, 'add_tags', 1, { tags: ['b', 'X', 'a'] });
  expect((await list()).map(({ tags }) => tags)).toEqual([['x', 'b', 'a'], ['x']]);
  expect(await run(both, 'add_tags', 2, { tags: ['B'] })).toEqual(counts(1, 1));
  expect(await run(both, 'remove_tags', 2, { tags: ['a', 'never'] })).toEqual(counts(1, 1));
  expect((await list()).map(({ tags }) => tags)).toEqual([
    ['x', 'b'],
    ['x', 'b'],
  ]);
  expect(await tagCounts()).toEqual({ a: 0, b: 2, x: 2 });
  const after = await list();
  expect(after.every(({ updated_at }, at) => updated_at > before[at]!.updated_at)).toBe(true);
  expect(await run(both, 'enable', 2)).toEqual(counts(0, 2));
  expect(await list()).toEqual(after);
});

test('a link that would have more than 20 tags is named, and the others change', async () => {
  const full = Array.from({ length: 20 }, (_, at) => `t${at}`);
  const { id } = await link({ name: 'Full of tags', tags: full });
  await link({ name: 'Has it', tags: [...full.slice(1), 'new'] });
  await link({ name: 'Has space', tags: full.slice(1) });
  const result = await run({}, 'add_tags', 3, { tags: ['new'] });
  expect(result).toMatchObject({ matched: 3, changed: 1, unchanged: 1, failed: 1 });
  const error = { code: 'INVALID_INPUT', details: [problem('too_big', 'tags')] };
  expect(result.failures).toMatchObject([{ id, name: 'Full of tags', error }]);
  const single = await on
    .api('put', `/projects/${projectId}/links/${id}`, account.key)
    .send({ tags: [...full, 'new'] });
  expect(result.failures[0]!.error).toEqual(single.body.error);
  expect(await tagCounts()).toMatchObject({ new: 2 });
  // A tag that no link takes is not created.
  await run({ search: 'Full of tags' }, 'add_tags', 1, { tags: ['unused'] });
  expect(Object.keys(await tagCounts())).not.toContain('unused');
});

test('tags that were merged or removed count as the list shows them', async () => {
  await link({ name: 'A', tags: ['old', 'x'] });
  await link({ name: 'B', tags: ['new'] });
  const stored = await tags();
  const idOf = (name: string) => stored.find((tag) => tag.name === name)!.id;
  const ids = [idOf('old'), idOf('new')];
  // As after the merge of a tag that very many links have: the links keep its id.
  await on.database.query('UPDATE tags SET retired_at = now(), merged_into = $2 WHERE id = $1', ids);
  await on.database.query('UPDATE tags SET retired_at = now() WHERE id = $1', [idOf('x')]);
  on.noteWrite();
  expect(await run({ tag: 'new' }, 'add_tags', 2, { tags: ['NEW', 'x'] })).toEqual(counts(2));
  expect((await list()).map(({ tags }) => tags)).toEqual([
    ['new', 'x'],
    ['new', 'x'],
  ]);
  expect(await run({}, 'remove_tags', 2, { tags: ['new'] })).toEqual(counts(2));
  expect((await list()).map(({ tags }) => tags)).toEqual([['x'], ['x']]);
  // At once, because later tests wait for the purge.
  await on.service.app.get(TagPurge, { strict: false }).sweep();
});

test('deletion frees names and quota, and visitors notice it', async () => {
  const owner = await on.anAccount('free');
  const own = await aProject(on, owner.key);
  const paths = Array.from({ length: 30 }, (_, at) => `p${at}`);
  const desktop_url = 'https://example.com/';
  const operations = paths.map((path) => ({ op: 'create', link: { name: 'A link', custom_path: path, desktop_url } }));
  const create = () => on.api('post', `/projects/${own.id}/links/bulk`, owner.key).send({ operations, atomic: true });
  await create().expect(200);
  await on.visit(own.subdomain, '/p1').expect(302);
  await send({ filter: {}, action: 'disable', expected_count: 30 }, owner, own.id).expect(200);
  await on.visit(own.subdomain, '/p1').expect(410);
  await send({ filter: {}, action: 'delete', expected_count: 30 }, owner, own.id).expect(200);
  await on.visit(own.subdomain, '/p1').expect(404);
  expect(await rowsOf(on, own.id)).toMatchObject({ dynamic_links: 0, link_paths: 0 });
  await create().expect(200);
});

test('deletion takes short links along, many too', async () => {
  const { id } = await link({ name: 'A' });
  const other = await link({ name: 'B' });
  await aShortLink(on, account.key, projectId, other.id);
  await on.database.query(
    `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source, created_by, created_by_api_key_id)
     SELECT gen_random_uuid(), $1, $2, 's' || n, 'api', NULL, NULL FROM generate_series(1, 1100) AS n`,
    [projectId, id],
  );
  expect(await run({}, 'delete', 2)).toEqual(counts(2));
  const { body } = await on.api('get', `/projects/${projectId}/short-links`, account.key).expect(200);
  expect(body.pagination.total).toBe(0);
  await on.visit(subdomain, '/s1').expect(404);
});

test('a request changes the first links, and says which ones remain', async () => {
  const count = maxFilteredLinks + 3;
  await manyLinks(on, projectId, count);
  on.noteWrite();
  let remaining = count;
  let after: string | undefined;
  const notifications = await notificationsOf(on.database, async () => {
    for (const changed of [maxFilteredLinks, 3]) {
      const result = await run({}, 'disable', remaining, { after });
      expect(result).toMatchObject({ matched: remaining, changed, unchanged: 0, remaining: remaining - changed });
      expect(result.next_after === null).toBe(result.remaining === 0);
      remaining = result.remaining;
      after = result.next_after ?? undefined;
    }
  });
  const [disabled] = await on.database.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM dynamic_links WHERE project_id = $1 AND disabled',
    [projectId],
  );
  expect(disabled!.n).toBe(count);
  // Caches of other projects stay.
  expect(notifications).not.toContain('everything');
  const refused = await send({ filter: {}, action: 'delete', expected_count: 3 });
  expect(refused).toBeRefusedWith('COUNT_MISMATCH', { expected_count: 3, actual_count: count });
});

test('a repeated request with the same key changes nothing again', async () => {
  await link();
  const body = { filter: {}, action: 'delete', expected_count: 1 };
  const first = await send(body).set('Idempotency-Key', 'filter-1').expect(200);
  await link();
  const again = await changingNothing(on, () => send(body).set('Idempotency-Key', 'filter-1'));
  expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, first.body, 'true']);
});

const inFilter = (code: string, name: string) => ({ ...problem(code as 'required', name), path: ['filter', name] });

test.each<[fields: object, details: object[], code?: ErrorCode]>([
  [{}, [problem('required', 'filter'), problem('required', 'action'), problem('required', 'expected_count')]],
  [{ filter: [] }, [problem('invalid_type', 'filter')]],
  [{ filter: { tag: '' } }, [inFilter('too_small', 'tag')]],
  [{ filter: { tag: ['x'] } }, [inFilter('invalid_type', 'tag')]],
  [{ filter: { archived: true } }, [inFilter('invalid_type', 'archived')]],
  [{ filter: { ios_app_id: 'x' } }, [inFilter('invalid_format', 'ios_app_id')]],
  [{ filter: { search: { $ne: '' } } }, [inFilter('invalid_type', 'search')]],
  [{ filter: { tags: ['x'] } }, [inFilter('unrecognized_key', 'tags')], 'FORBIDDEN_FIELD'],
  [{ filter: { page: '2' } }, [inFilter('unrecognized_key', 'page')], 'FORBIDDEN_FIELD'],
  [
    { filter: JSON.parse('{ "__proto__": { "tag": "x" } }') },
    [inFilter('unrecognized_key', '__proto__')],
    'FORBIDDEN_FIELD',
  ],
  [{ filter: { page: '2' }, action: 'purge', tags: 1 }, [inFilter('unrecognized_key', 'page')], 'FORBIDDEN_FIELD'],
  [
    { filter: { archived: 'x', tag: '' }, action: 'purge' },
    [inFilter('invalid_enum_value', 'archived'), inFilter('too_small', 'tag'), problem('invalid_enum_value', 'action')],
  ],
  [{ action: 'purge' }, [problem('invalid_enum_value', 'action')]],
  [{ action: 'add_tags' }, [problem('required', 'tags')]],
  [{ action: 'remove_tags', tags: [] }, [problem('too_small', 'tags')]],
  [{ tags: ['x'] }, [problem('invalid_format', 'tags')]],
  [{ expected_count: '1' }, [problem('invalid_type', 'expected_count')]],
  [{ expected_count: -1 }, [problem('too_small', 'expected_count')]],
  [{ expected_count: 1e300 }, [problem('too_big', 'expected_count')]],
  [{ after: 'x' }, [problem('invalid_format', 'after')]],
  [{ ids: [] }, [problem('too_small', 'ids')]],
  [{ ids: unknownId }, [problem('invalid_type', 'ids')]],
  [{ ids: [unknownId, 'x'] }, [{ ...problem('invalid_format', 'ids'), path: ['ids', 1] }]],
  [{ ids: Array.from({ length: 1001 }, () => unknownId) }, [problem('too_big', 'ids')]],
  [{ id: [unknownId] }, [problem('unrecognized_key', 'id')], 'FORBIDDEN_FIELD'],
])('the body %# is refused', async (fields, details, code = 'INVALID_INPUT') => {
  await link({ tags: ['x'] });
  const body = Object.keys(fields).length === 0 ? {} : { filter: {}, action: 'delete', expected_count: 1, ...fields };
  expect(await changingNothing(on, () => send(body))).toBeRefusedWith(code, details);
});

test('filters and ids of others find nothing of theirs', async () => {
  const stranger = await on.anAccount('enterprise');
  const theirs = await aProject(on, stranger.key);
  const app = await anIosApp(on, stranger.key, theirs.id);
  const fields = { ios_app_id: app.id, tags: ['x'], external_id: 'e' };
  const theirLink = await aDynamicLink(on, stranger.key, theirs.id, fields);
  for (const filter of [{}, { ios_app_id: app.id }, { tag: 'x' }, { external_id: 'e' }])
    expect(await run(filter, 'delete', 0)).toEqual(counts(0));
  expect(await run({}, 'delete', 0, { ids: [theirLink.id] })).toEqual(counts(0));
  const body = { filter: {}, action: 'delete', expected_count: 1 };
  expect(await changingNothing(on, () => send(body, account, theirs.id))).toBeRefusedWith('ACCESS_DENIED');
  const refused = await changingNothing(on, () => send({ ...body, expected_count: 0 }, stranger, theirs.id));
  expect(refused).toBeRefusedWith('COUNT_MISMATCH', mismatch(0, 1));
});

describe('requests at the same time', () => {
  test('a deletion takes exactly the links that it counted, while others are created', async () => {
    await Promise.all(Array.from({ length: 20 }, () => link({ tags: ['doomed'] })));
    const creations = [1, 2, 3].map(async () => {
      for (let count = 0; count < 8; count++) await link({ tags: ['doomed'] });
    });
    let expected_count = 20;
    for (;;) {
      const answer = await send({ filter: { tag: 'doomed' }, action: 'delete', expected_count });
      if (answer.status === 200) {
        expect(answer.body.data).toEqual(counts(expected_count));
        break;
      }
      expect(answer.body.error).toMatchObject({ code: 'COUNT_MISMATCH', details: { expected_count } });
      expected_count = answer.body.error.details.actual_count as number;
    }
    await Promise.all(creations);
    expect((await list()).length).toBe(44 - expected_count);
    expect(await tagCounts()).toEqual({ doomed: 44 - expected_count });
  });

  test('a link that another request takes out of the filter is neither counted nor changed', async () => {
    const kept = await link({ name: 'Kept', tags: ['x'] });
    await link({ name: 'Gone', tags: ['x'] });
    /** Sends a request that waits for an uncommitted change of the link. */
    const during = async (change: string, end: 'COMMIT' | 'ROLLBACK', body: object) => {
      let answer: Promise<Response> | undefined;
      await withTransaction(on.database, async (other) => {
        await other.query(`UPDATE dynamic_links SET ${change} WHERE id = $1`, [kept.id]);
        answer = send(body).then();
        await untilLocked(on.database, '');
        await other.query(end);
      });
      return answer!;
    };
    const deletion = { filter: { tag: 'x' }, action: 'delete', expected_count: 2 };
    const refused = await during("tag_ids = '{}'", 'COMMIT', deletion);
    expect(refused).toBeRefusedWith('COUNT_MISMATCH', mismatch(2, 1));
    expect(await run({ tag: 'x' }, 'delete', 1)).toEqual(counts(1));
    expect(await names()).toEqual(['Kept']);
    const addition = { filter: {}, action: 'add_tags', tags: ['new'], expected_count: 1 };
    expect((await during('archived = true', 'ROLLBACK', addition)).status).toBe(200);
  });
});
