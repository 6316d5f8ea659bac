import type { ImportRow } from '../../../clients/typescript/src/index';
import { batchRows } from '../../../src/imports/work/import-runner.service';
import { aDynamicLink, anIosApp, aProject, created } from '../../support/builders';
import { untilLocked } from '../../support/lock-waits';
import { withTransaction } from '../../support/other-session';
import { fc, runs } from '../../support/properties';
import { startImports } from '../../support/imports';
import type { TestAccount } from '../../support/service';
import { ImportRequests, ndjson, none } from '../api/import-requests';
import { serviceFixture } from '../../support/fixtures';

const on = serviceFixture({ QUOTA_FREE_DYNAMIC_LINKS: '10' });
let account: TestAccount;
const production = { ...batchRows };
afterAll(() => Object.assign(batchRows, production));
beforeAll(async () => {
  // Rows of one file then meet those of other batches.
  Object.assign(batchRows, { max: 4, min: 4 });
  await startImports(on, { QUOTA_FREE_DYNAMIC_LINKS: '10' });
  account = await on.anAccount('enterprise');
});

const aPlace = async (of: TestAccount) => new ImportRequests(on, of, (await aProject(on, of.key)).id);

const one = <T>(pool: readonly T[]) => fc.constantFrom(...pool);

/** Rows of few paths and ids, so that they meet each other and the links of the project. */
const row = fc.record(
  {
    name: one(['A', 'B', '']),
    custom_path: one(['one', 'two', 'three', 'four', 'bad path']),
    external_id: one(['x', 'y', 'z']),
    desktop_url: one(['https://a.example/', 'https://b.example/', 'nowhere']),
    tags: one([['t'], ['T', 'u'], []]),
    archived: fc.boolean(),
  },
  { requiredKeys: ['name'] },
);

const outcomeOf = ({ row: number, outcome, problems }: ImportRow) => ({ number, outcome, problems });

test.each(['skip', 'replace', 'fail'])('with the policy %s, the dry run predicts the run', async (policy) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 30 }),
      fc.array(row, { maxLength: 3 }),
      async (rows, before) => {
        const place = await aPlace(account);
        for (const fields of before)
          await on.api('post', `/projects/${place.projectId}/links`, account.key).send(fields);
        const checked = await place.check(ndjson(rows), `conflict=${policy}`);
        const predicted = await place.rows(checked.id);
        expect(checked.state).toBe('ready');
        expect(predicted).toHaveLength(rows.length);
        const links = await place.links();
        if (policy === 'fail' && checked.counts.conflict > 0) {
          expect(await place.api('post', `/${checked.id}/run`)).toBeRefusedWith('IMPORT_STATE');
          return;
        }
        const done = await place.run(checked.id);
        expect([done.state, done.counts]).toEqual(['completed', checked.counts]);
        expect((await place.rows(done.id)).map(outcomeOf)).toEqual(predicted.map(outcomeOf));
        const after = await place.links();
        expect(Object.keys(after).length).toBe(Object.keys(links).length + checked.counts.created);
      },
    ),
    runs(25),
  );
});

test('rows meet the origin that rows of batches before them give', async () => {
  const place = await aPlace(account);
  const batch = (original_clicks: number) =>
    Array.from({ length: batchRows.max }, () => ({
      name: 'A link',
      custom_path: 'same',
      imported_from: 'bitly',
      original_clicks,
    }));
  const { id, counts } = await place.check(ndjson([1, 1, 2, 2].flatMap(batch)), 'conflict=replace');
  expect(counts).toEqual({ ...none, created: 1, replaced: 1, unchanged: 4 * batchRows.max - 2 });
  expect((await place.run(id)).counts).toEqual(counts);
  expect((await place.links())['same']).toMatchObject({ original_clicks: 2 });
});

test('a run reserves the quota, which single creations then cannot take', async () => {
  const free = await on.anAccount('free');
  const place = await aPlace(free);
  const rows = (first: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: 'A link', custom_path: `path-${first + at}` }));
  const tooMany = await place.check(ndjson(rows(0, 11)));
  expect(tooMany.counts).toEqual({ ...none, created: 11 });
  expect(await place.api('post', `/${tooMany.id}/run`)).toBeRefusedWith('ACCESS_DENIED', {
    limit: 10,
    used: 0,
    current_plan: 'free',
    required_plan: 'pro',
  });
  await place.api('post', `/${tooMany.id}/cancel`).expect(200);

  // Two imports and single creations at once never exceed the quota.
  const [first, second] = [await place.check(ndjson(rows(0, 6))), await place.check(ndjson(rows(6, 6)))];
  const create = () =>
    on
      .api('post', `/projects/${place.projectId}/links`, free.key)
      .send({ name: 'Single' })
      .then(({ status }) => status);
  const started = await Promise.all([
    place.api('post', `/${first.id}/run`).then(({ status }) => status),
    place.api('post', `/${second.id}/run`).then(({ status }) => status),
    ...Array.from({ length: 6 }, create),
  ]);
  for (const { id } of [first, second]) await place.done(id);
  const runs = started.slice(0, 2).filter((status) => status === 202).length;
  const singles = started.slice(2).filter((status) => status === 201).length;
  const links = Object.keys(await place.links()).length;
  expect(links).toBe(6 * runs + singles);
  expect(links).toBeLessThanOrEqual(10);
  // Less than a whole import is free at the end.
  expect(10 - links).toBeLessThan(6);
  const [reserved] = await on.database.query<{ reserved: number }>(
    'SELECT sum(reserved_links)::int AS reserved FROM imports WHERE project_id = $1',
    [place.projectId],
  );
  expect(reserved).toEqual({ reserved: 0 });
});

test('a reservation counts links that a batch creates meanwhile', async () => {
  const free = await on.anAccount('free');
  const place = await aPlace(free);
  const { id } = await place.check(ndjson([{ name: 'A link' }]));
  await on.database.query('UPDATE imports SET reserved_links = 6 WHERE id = $1', [id]);
  await withTransaction(on.database, (creation) =>
    withTransaction(on.database, async (batch) => {
      await creation.query('COMMIT');
      // The creation waits between its reads, if it has several.
      await batch.query('LOCK TABLE imports IN ACCESS EXCLUSIVE MODE');
      await batch.query('UPDATE imports SET reserved_links = 0 WHERE id = $1', [id]);
      await batch.query(
        `INSERT INTO project_counts (project_id, shard, dynamic_links) VALUES ($1, 0, 6)
         ON CONFLICT (project_id, shard) DO UPDATE SET dynamic_links = 6`,
        [place.projectId],
      );
      const reserved = creation.query('SELECT reserve_dynamic_links($1, 10, 6)', [free.accountId]).then(
        () => 'reserved',
        (error: Error) => error.message,
      );
      await untilLocked(on.database, 'reserve_dynamic_links($1, 10, 6)');
      await batch.query('COMMIT');
      expect(await reserved).toBe('the quota of dynamic links is reached');
    }),
  );
});

test('links beyond the reservation are refused if they exceed the quota', async () => {
  const free = await on.anAccount('free');
  const place = await aPlace(free);
  const { id: taken } = await aDynamicLink(on, free.key, place.projectId, { custom_path: 'path-0' });
  const rows = Array.from({ length: 10 }, (_, at) => ({ name: 'A link', custom_path: `path-${at}` }));
  const checked = await place.check(ndjson(rows));
  expect(checked.counts).toEqual({ ...none, created: 9, conflict: 1 });
  await on.api('delete', `/projects/${place.projectId}/links/${taken}`, free.key).expect(200);
  await aDynamicLink(on, free.key, place.projectId, { custom_path: 'other' });
  const done = await place.run(checked.id);
  expect(done).toMatchObject({ state: 'completed', counts: { ...none, created: 9, refused: 1 } });
  expect((await place.rows(done.id, 'refused'))[0]).toMatchObject({ row: 10, link_id: null });
});

test('a new tag has the spelling of the first row that is not refused', async () => {
  const free = await on.anAccount('free');
  const place = await aPlace(free);
  await aDynamicLink(on, free.key, place.projectId, { custom_path: 'kept' });
  const gone = await aDynamicLink(on, free.key, place.projectId, { custom_path: 'gone' });
  const rows = [
    ...Array.from({ length: 8 }, (_, at) => ({ name: 'A link', custom_path: `path-${at}` })),
    { name: 'New', custom_path: 'gone', tags: ['SALE', 'unused'] },
    { name: 'New', custom_path: 'kept', tags: ['Sale'] },
  ];
  const checked = await place.check(ndjson(rows), 'conflict=replace');
  expect(checked.counts).toEqual({ ...none, created: 8, replaced: 2 });
  await on.api('delete', `/projects/${place.projectId}/links/${gone.id}`, free.key).expect(200);
  await aDynamicLink(on, free.key, place.projectId, { custom_path: 'other' });
  expect((await place.run(checked.id)).counts).toEqual({ ...none, created: 8, replaced: 1, refused: 1 });
  expect((await place.links())['kept']).toMatchObject({ tags: ['Sale'] });
  const { body } = await on.api('get', `/projects/${place.projectId}/tags`, free.key).expect(200);
  expect(body.data).toMatchObject([{ name: 'Sale' }]);
});

test('a run waits for a bulk request of the project, and refuses no row meanwhile', async () => {
  const account = await on.anAccount('enterprise');
  const place = await aPlace(account);
  const rows = [{ name: 'A link', custom_path: 'one' }];
  await place.import(rows);
  const { id } = await place.check(ndjson([{ ...rows[0], title: 'New' }]), 'conflict=replace');
  await withTransaction(on.database, async (bulk) => {
    await bulk.query('SELECT begin_bulk($1)', [place.projectId]);
    await place.api('post', `/${id}/run`).expect(202);
    await untilLocked(on.database, 'begin_bulk');
    // A caller can still cancel it.
    await bulk.query('SELECT FROM imports WHERE id = $1 FOR UPDATE NOWAIT', [id]);
    await bulk.query('COMMIT');
  });
  expect((await place.done(id)).counts).toEqual({ ...none, replaced: 1 });
});

test('links that a batch replaces are locked before any of them is changed', async () => {
  const account = await on.anAccount('enterprise');
  const place = await aPlace(account);
  const paths = ['one', 'two', 'three'];
  await place.import(paths.map((path) => ({ name: path, custom_path: path })));
  const links = await place.links();
  const byId = paths.toSorted((a, b) => (links[a]!['id']! < links[b]!['id']! ? 1 : -1));
  const { id } = await place.check(
    ndjson(byId.map((path) => ({ name: 'New', custom_path: path }))),
    'conflict=replace',
  );
  await withTransaction(on.database, async (single) => {
    const lock = 'SELECT FROM dynamic_links WHERE id = $1 FOR UPDATE';
    await single.query(lock, [links[byId.at(-1)!]!['id']]);
    await place.api('post', `/${id}/run`).expect(202);
    await untilLocked(on.database, 'FOR UPDATE OF t');
    await single.query(`${lock} NOWAIT`, [links[byId[0]!]!['id']]);
    await single.query('COMMIT');
  });
  expect((await place.done(id)).counts).toEqual({ ...none, replaced: 3 });
});

test.each<[guard: string, query: string, outcome: string]>([
  ['refuse', '', 'refused'],
  ['refuse', '?acknowledge=1.2.2,1.2', 'refused'],
  ['refuse', '?acknowledge=1.2,1.2.3', 'replaced'],
  ['warn', '', 'replaced'],
  ['off', '', 'replaced'],
])(
  'a row that moves a link away from a released version, with release_guard %s %s: %s',
  async (guard, query, outcome) => {
    const { key } = account;
    const project = await aProject(on, key, { release_guard: guard });
    const [app, other] = [await anIosApp(on, key, project.id), await anIosApp(on, key, project.id)];
    const released = { version: '1.2.3', hosts: [`${project.subdomain}.localhost`] };
    await created(on, key, `/projects/${project.id}/ios-apps/${app.id}/releases`, released);
    const place = new ImportRequests(on, account, project.id);
    const row = { name: 'Shoe', custom_path: 'shoe' };
    await place.import([{ ...row, ios_app_id: app.id }]);
    const moved = [
      { ...row, ios_app_id: other.id },
      { name: 'Other', custom_path: 'other', ios_app_id: other.id },
    ];
    const { id } = await place.check(ndjson(moved), 'conflict=replace');
    await place.api('post', `/${id}/run${query}`).expect(202);
    expect((await place.done(id)).counts).toEqual({ ...none, created: 1, [outcome]: 1 });
    const rows = (await place.api('get', `/${id}/rows`).expect(200)).body.data as ImportRow[];
    const reasons = rows.map(({ problems }) => problems.map(({ reason }) => reason).join());
    expect(reasons).toEqual([guard === 'off' ? '' : expect.stringContaining('people have installed: 1.2.3;'), '']);
  },
);
