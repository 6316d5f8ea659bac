import type { ErrorCode } from '../../../src/shared/domain-error';
import { bulkAnswers } from '../../../src/links/bulk/bulk-links.dto';
import { newId } from '../../../src/shared/id';
import { timeLimits } from '../../../src/platform/postgres/time-limits';
import { aDynamicLink, anIosApp, aProject, aShortLink, dataAt, type LinkBody, unknownId } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { notificationsOf, withTransaction } from '../../support/other-session';
import { problem } from '../../support/problem';
import { fc, runs } from '../../support/properties';
import { atEndOfTest } from '../../support/end-of-test';
import { accountFixture, aServiceOfTest, serviceFixture } from '../../support/fixtures';
import { statementsOf } from '../../support/statements';

const on = serviceFixture({ QUOTA_FREE_DYNAMIC_LINKS: '30' });
const account = accountFixture(on);
let projectId: string;
beforeEach(async () => (projectId = (await aProject(on, account.key)).id));

interface Result {
  status: number;
  data: (Record<string, unknown> & { id: string }) | null;
  error: { code: ErrorCode; message: string; details?: unknown } | null;
}

const send = (operations: unknown[], options: object = {}, { key } = account, project = projectId) =>
  on.api('post', `/projects/${project}/links/bulk`, key).send({ operations, ...options });

const resultsOf = ({ body }: { body: unknown }) => (body as { data: { results: Result[] } }).data.results;

async function run(operations: unknown[], options: object = {}): Promise<Result[]> {
  const answer = await send(operations, options).expect(200);
  const results = resultsOf(answer);
  const { succeeded, failed } = answer.body.data;
  expect([succeeded + failed, failed]).toEqual([operations.length, results.filter(({ error }) => error).length]);
  return results;
}

const outcomes = (results: Result[]): (number | ErrorCode)[] =>
  results.map(({ status, error }) => error?.code ?? status);

const create = (fields: object = {}) => ({ op: 'create', link: { name: 'A link', ...fields } });
const update = (id: string, link: object) => ({ op: 'update', id, link });
const remove = (id: string) => ({ op: 'delete', id });

const read = (id: string) => dataAt<LinkBody>(on, account.key, `/projects/${projectId}/links/${id}`);
const total = async (): Promise<number> =>
  (await on.api('get', `/projects/${projectId}/links?archived=any`, account.key).expect(200)).body.pagination.total;

test('updates beyond the first that fill an answer have no link in it, and creations have theirs', async () => {
  const { maxUpdatesLength } = bulkAnswers;
  const { id } = await aDynamicLink(on, account.key, projectId);
  atEndOfTest(() => Object.assign(bulkAnswers, { maxUpdatesLength }));
  bulkAnswers.maxUpdatesLength = 1;
  const results = await run([update(id, { name: 'One' }), update(id, { name: 'Two' }), create(), remove(id)]);
  expect(results.map(({ status, data, error }) => [status, data?.['name'] ?? null, error])).toEqual([
    [200, 'One', null],
    [200, null, null],
    [201, 'A link', null],
    [200, null, null],
  ]);
});

test('an update that names the version of its link fails if the link has changed', async () => {
  const link = await aDynamicLink(on, account.key, projectId, { name: 'Old' });
  const other = await aDynamicLink(on, account.key, projectId);
  const at = link['updated_at'];
  expect(outcomes(await run([{ ...update(link.id, { name: 'First' }), updated_at: at }]))).toEqual([200]);
  const { updated_at: since } = await read(link.id);
  const results = await run([
    { ...update(link.id, { name: 'Lost' }), updated_at: at },
    { ...update(other.id, { name: 'Other' }), updated_at: other['updated_at'] },
    { ...update(link.id, { name: 'Second' }), updated_at: since },
    { ...update(link.id, { name: 'Third' }), updated_at: since },
    { ...update(link.id, { name: 'Bad' }), updated_at: 'yesterday' },
    { ...remove(other.id), updated_at: since },
  ]);
  const late = 'PRECONDITION_FAILED';
  expect(outcomes(results)).toEqual([late, 200, 200, late, 'INVALID_INPUT', 'FORBIDDEN_FIELD']);
  expect((await read(link.id)).name).toBe('Second');
});

test('links that an import has reserved count for the quota, in the order of the operations', async () => {
  const limited = await on.anAccount('free');
  const place = (await aProject(on, limited.key)).id;
  await on.database.query(
    `INSERT INTO imports (id, project_id, source, format, conflict_policy, options, state, reserved_links)
     VALUES ($1, $2, 'signpost', 'ndjson', 'skip', '{}', 'cancelled', 28)`,
    [newId(), place],
  );
  const operations = ['z', 'a', 'b', 'c'].map((path) => create({ custom_path: path }));
  const answer = await send(operations, {}, limited, place).expect(200);
  expect(outcomes(resultsOf(answer))).toEqual([201, 201, 'ACCESS_DENIED', 'ACCESS_DENIED']);
  const usage = await on.api('get', '/account', limited.key).expect(200);
  expect(usage.body.data.quotas.dynamic_links).toMatchObject({ used: 30 });
  // A sweep would release the reservation at any time.
  await on.database.query('DELETE FROM imports WHERE project_id = $1', [place]);
});

test('each operation fails with the error of a single request, and the others go on', async () => {
  const link = await aDynamicLink(on, account.key, projectId, { custom_path: 'taken', external_id: 'taken' });
  const elsewhere = await aDynamicLink(on, account.key, (await aProject(on, account.key)).id);
  const foreignApp = await anIosApp(on, account.key, (await aProject(on, account.key)).id);
  const stranger = await on.anAccount('enterprise');
  const strangersLink = await aDynamicLink(on, stranger.key, (await aProject(on, stranger.key)).id);
  const rows: [operation: unknown, outcome: number | ErrorCode][] = [
    [create({ custom_path: 'taken' }), 'CUSTOM_PATH_EXISTS'],
    [create({ external_id: 'taken' }), 'EXTERNAL_ID_EXISTS'],
    [create({ custom_path: 'same' }), 201],
    [create({ custom_path: 'same' }), 'CUSTOM_PATH_EXISTS'],
    [create({ ios_app_id: unknownId }), 'IOS_APP_NOT_FOUND'],
    [create({ ios_app_id: foreignApp.id }), 'FORBIDDEN_CROSS_SCOPE'],
    [create({ name: '', notes: 7 }), 'INVALID_INPUT'],
    [create({ id: unknownId }), 'FORBIDDEN_FIELD'],
    [update(link.id, { custom_path: 'same' }), 'CUSTOM_PATH_EXISTS'],
    [update(link.id, { android_app_id: unknownId }), 'ANDROID_APP_NOT_FOUND'],
    [update(unknownId, { name: 'x' }), 'NOT_FOUND'],
    [update(elsewhere.id, { name: 'x' }), 'NOT_FOUND'],
    [remove(elsewhere.id), 'NOT_FOUND'],
    [update(strangersLink.id, { name: 'x' }), 'NOT_FOUND'],
    [remove(strangersLink.id), 'NOT_FOUND'],
    [remove(link.id), 200],
    [remove(link.id), 'NOT_FOUND'],
    [update(link.id, { name: 'x' }), 'NOT_FOUND'],
    [create({ custom_path: 'taken', external_id: 'taken' }), 201],
    [7, 'INVALID_INPUT'],
    [{ op: 'replace' }, 'INVALID_INPUT'],
    [{ op: 'delete' }, 'INVALID_INPUT'],
    [{ op: 'delete', id: 'x' }, 'INVALID_INPUT'],
    [{ op: 'delete', id: unknownId, link: {} }, 'FORBIDDEN_FIELD'],
    [{ op: 'create' }, 'INVALID_INPUT'],
    [{ link: { name: 'x' } }, 'INVALID_INPUT'],
    [null, 'INVALID_INPUT'],
    [{ op: 'create', link: null }, 'INVALID_INPUT'],
    [{ op: 'update', id: unknownId, link: [] }, 'INVALID_INPUT'],
  ];
  const results = await run(rows.map(([operation]) => operation));
  expect(outcomes(results)).toEqual(rows.map(([, outcome]) => outcome));
  expect(results.slice(-3).map(({ error }) => [error!.message, error!.details])).toEqual([
    ['The operation must be an object', [{ code: 'invalid_type', path: [], message: expect.any(String) }]],
    ...['link', 'link'].map((name) => [
      'link must be an object',
      [{ code: 'invalid_type', path: [name], message: expect.any(String) }],
    ]),
  ]);
  expect(results[6]!.error!.details).toEqual([
    { code: 'too_small', path: ['link', 'name'], message: expect.any(String) },
    { code: 'invalid_type', path: ['link', 'notes'], message: expect.any(String) },
  ]);
  expect(results[7]!.error!.details).toMatchObject([{ code: 'unrecognized_key', path: ['link', 'id'] }]);
  expect(results[22]!.error!.details).toMatchObject([{ code: 'invalid_format', path: ['id'] }]);
  expect(await total()).toBe(2);
  await dataAt(on, stranger.key, `/projects/${String(strangersLink['project_id'])}/links/${strangersLink.id}`);
});

test('an operation lists ten of its problems', async () => {
  const fields = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`field${at}`, 0]));
  const referrer_params = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`key${at}`, at]));
  const results = await run([create(fields), { ...create(), ...fields }, create({ referrer_params })]);
  expect(outcomes(results)).toEqual(['FORBIDDEN_FIELD', 'FORBIDDEN_FIELD', 'INVALID_INPUT']);
  for (const { error } of results) expect(error!.details).toHaveLength(10);
});

test('an atomic request changes nothing if one operation fails, and names each that does', async () => {
  const link = await aDynamicLink(on, account.key, projectId);
  const renamed = update(link.id, { name: 'x' });
  const operations = [create({ tags: ['new'] }), remove(unknownId), renamed, create({ name: 1 })];
  const refused = await changingNothing(on, () => send(operations, { atomic: true }));
  expect(refused).toBeRefusedWith('BULK_REFUSED', {
    operations: [
      { index: 1, code: 'NOT_FOUND', message: 'Dynamic link not found' },
      { index: 3, code: 'INVALID_INPUT', message: expect.any(String), details: expect.any(Array) },
    ],
  });
  expect(outcomes(await run([operations[0], operations[2]], { atomic: true }))).toEqual([201, 200]);
});

const tagNames = async (): Promise<string[]> => {
  const path = `/projects/${projectId}/tags?sortBy=name&sortOrder=asc`;
  return (await dataAt<{ name: string }[]>(on, account.key, path)).map(({ name }) => name);
};

test('a new tag has the spelling of the first operation that succeeds', async () => {
  await aDynamicLink(on, account.key, projectId, { custom_path: 'taken' });
  const [, created, later] = await run([
    create({ custom_path: 'taken', tags: ['SALE'] }),
    create({ tags: ['b', 'Sale'] }),
    create({ tags: ['sale'] }),
  ]);
  expect([created!.data!['tags'], later!.data!['tags']]).toEqual([['b', 'Sale'], ['Sale']]);
  expect(await read(created!.data!.id)).toMatchObject(created!.data!);
  expect(await tagNames()).toEqual(['Sale', 'b']);
});

test('a tag stays if a later operation takes it from its link or deletes the link', async () => {
  const link = await aDynamicLink(on, account.key, projectId);
  await run([update(link.id, { tags: ['dropped'] }), update(link.id, { tags: [] })]);
  await run([update(link.id, { tags: ['deleted'] }), remove(link.id)]);
  expect(await tagNames()).toEqual(['deleted', 'dropped']);
});

test.each([
  [{ operations: [] }, problem('too_small', 'operations')],
  [{ operations: Array.from({ length: 1001 }, () => create()) }, problem('too_big', 'operations')],
  [{ operations: create() }, problem('invalid_type', 'operations')],
  [{}, problem('required', 'operations')],
  [{ operations: [create()], atomic: 'true' }, problem('invalid_type', 'atomic')],
])('the body %# is refused as a whole', async (body, expected) => {
  const path = `/projects/${projectId}/links/bulk`;
  const answer = await changingNothing(on, () => on.api('post', path, account.key).send(body));
  expect(answer).toBeRefusedWith('INVALID_INPUT', [expected]);
});

test('a body beyond 2 MB is refused, and one below it is read', async () => {
  const operations = Array.from({ length: 900 }, () => create({ name: '', notes: 'x'.repeat(2000) }));
  expect((await send(operations)).status).toBe(200);
  const larger = send([...operations, ...operations.slice(0, 90)], { padding: 'x'.repeat(200_000) });
  expect(await larger).toBeRefusedWith('PAYLOAD_TOO_LARGE');
});

test('conflicts with requests at the same time are found link by link', async () => {
  const operations = Array.from({ length: 60 }, (_, at) => create({ external_id: `shared-${at}` }));
  const all = await Promise.all([run(operations), run([...operations].reverse()), run(operations)]);
  const created = all.flat().filter(({ status }) => status === 201);
  expect(created).toHaveLength(60);
  expect(new Set(all.flat().flatMap(({ error }) => error?.code ?? []))).toEqual(new Set(['EXTERNAL_ID_EXISTS']));
  expect(await total()).toBe(60);
});

test('the quota is exact in the order of the operations, also for requests at the same time', async () => {
  const owner = await on.anAccount('free');
  const project = (await aProject(on, owner.key)).id;
  const operations = Array.from({ length: 20 }, () => create());
  const single = () => on.api('post', `/projects/${project}/links`, owner.key).send(create().link);
  const [answers, singles] = await Promise.all([
    Promise.all([1, 2].map(() => send(operations, {}, owner, project).expect(200))),
    Promise.all(Array.from({ length: 10 }, single)),
  ]);
  const results = answers.flatMap(resultsOf);
  expect([...results, ...singles].filter(({ status }) => status === 201)).toHaveLength(30);
  for (const answer of singles) if (answer.status !== 201) expect(answer).toBeRefusedWith('ACCESS_DENIED');
  for (const { error } of results.filter(({ status }) => status !== 201))
    expect(error).toMatchObject({ code: 'ACCESS_DENIED', details: { limit: 30, used: 30, current_plan: 'free' } });
  for (const answer of answers) {
    const statuses = resultsOf(answer).map(({ status }) => status);
    expect(statuses).toEqual([...statuses].sort());
  }
  const [first] = results.filter(({ data }) => data);
  const freed = await send([create(), remove(first!.data!.id), create(), create()], {}, owner, project).expect(200);
  expect(outcomes(resultsOf(freed))).toEqual(['ACCESS_DENIED', 200, 201, 'ACCESS_DENIED']);
});

test('a repeated request with the same key runs nothing again', async () => {
  const operations = [create({ custom_path: 'once' }), remove(unknownId)];
  const first = await send(operations).set('Idempotency-Key', 'bulk-1').expect(200);
  const again = await changingNothing(on, () => send(operations).set('Idempotency-Key', 'bulk-1'));
  expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, first.body, 'true']);
});

describe('names that operations take from each other', () => {
  test('a path becomes free with the update or deletion before', async () => {
    const [a, b, c] = await Promise.all(
      ['a', 'b', 'c'].map((path) => aDynamicLink(on, account.key, projectId, { custom_path: path, external_id: path })),
    );
    const results = await run([
      update(c!.id, { custom_path: 'd', external_id: 'd' }),
      update(b!.id, { custom_path: 'c', external_id: 'c' }),
      update(a!.id, { custom_path: 'b', external_id: 'b' }),
      remove(c!.id),
      create({ custom_path: 'd', external_id: 'd' }),
      create({ custom_path: 'a', external_id: 'a' }),
    ]);
    expect(outcomes(results)).toEqual([200, 200, 200, 200, 201, 201]);
    expect(await read(a!.id)).toMatchObject({ custom_path: 'b', external_id: 'b' });
    expect(await read(b!.id)).toMatchObject({ custom_path: 'c', external_id: 'c' });
  });

  test('a slug becomes free with the deletion of its link', async () => {
    const [slugOfA, slugOfB] = ['slug-of-a', 'slug-of-b'];
    const [a, b] = [await aDynamicLink(on, account.key, projectId), await aDynamicLink(on, account.key, projectId)];
    await aShortLink(on, account.key, projectId, a.id, { slug: slugOfA });
    await aShortLink(on, account.key, projectId, b.id, { slug: slugOfB });
    const results = await run([
      create({ custom_path: slugOfA }),
      remove(a.id),
      create({ custom_path: slugOfA }),
      update(b.id, { custom_path: slugOfB }),
    ]);
    expect(outcomes(results)).toEqual(['CUSTOM_PATH_EXISTS', 200, 201, 'CUSTOM_PATH_EXISTS']);
  });

  test('operations have the results of single requests in their order', async () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd');
    const fields = fc.record(
      {
        custom_path: names,
        external_id: fc.oneof(names, fc.constant(null)),
        tags: fc.subarray(['x', 'y']),
        archived: fc.boolean(),
        desktop_url: fc.constant('https://EXAMPLE.com/a b'),
        ...{ notes: names, referrer_params: fc.constant({ b: '1', a: '2' }), disabled: fc.boolean() },
      },
      { requiredKeys: [] },
    );
    const link = fc.nat({ max: 3 });
    const operation = fc.oneof(
      { weight: 1, arbitrary: fields.map((of) => ({ op: 'create' as const, fields: of })) },
      { weight: 4, arbitrary: fc.tuple(link, fields).map(([at, of]) => ({ op: 'update' as const, at, fields: of })) },
      { weight: 1, arbitrary: link.map((at) => ({ op: 'delete' as const, at })) },
    );
    const stateOf = async (project: string) => {
      const path = `/projects/${project}/links?archived=any&limit=100`;
      const derived = new Set(['id', 'project_id', 'full_url', 'created_at', 'updated_at']);
      return (await dataAt<Record<string, unknown>[]>(on, account.key, path))
        .map((each) => JSON.stringify(each, (key, value) => (derived.has(key) || isDrawn(value) ? undefined : value)))
        .sort();
    };
    const isDrawn = (value: unknown) => typeof value === 'string' && /^[A-Za-z0-9]{8}$/.test(value);
    const aPlace = async () => {
      const project = (await aProject(on, account.key)).id;
      const ids: string[] = [];
      for (const path of ['a', 'b', 'c', 'e'])
        ids.push((await aDynamicLink(on, account.key, project, { custom_path: path, external_id: path })).id);
      return { project, ids };
    };
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 2, maxLength: 12 }), async (operations) => {
        const [alone, together] = [await aPlace(), await aPlace()];
        const expected: (number | ErrorCode)[] = [];
        for (const { op, ...each } of operations) {
          const path = `/projects/${alone.project}/links${'at' in each ? `/${alone.ids[each.at]}` : ''}`;
          const method = ({ create: 'post', update: 'put', delete: 'delete' } as const)[op];
          const body = 'fields' in each ? { ...(op === 'create' && { name: 'New' }), ...each.fields } : undefined;
          if (op === 'create' && 'fields' in each && each.fields.external_id === null) delete body!.external_id;
          const answer = await on.api(method, path, account.key).send(body);
          expected.push((answer.body as { error?: { code: ErrorCode } }).error?.code ?? answer.status);
        }
        const sent = operations.map(({ op, ...each }) => {
          if (op === 'delete') return remove(together.ids[(each as { at: number }).at]!);
          const { fields: of } = each as { fields: Record<string, unknown> };
          if (op === 'update') return update(together.ids[(each as { at: number }).at]!, of);
          const { external_id, ...others } = of;
          return { op, link: { name: 'New', ...others, ...(typeof external_id === 'string' && { external_id }) } };
        });
        expect(outcomes(resultsOf(await send(sent, {}, account, together.project).expect(200)))).toEqual(expected);
        expect(await stateOf(together.project)).toEqual(await stateOf(alone.project));
      }),
      runs(60, 2),
    );
  });
});

test('many operations of a kind are few statements', async () => {
  const creations = Array.from({ length: 120 }, (_, at) => create({ custom_path: `p${at}`, tags: [`t${at % 7}`] }));
  const created = await run(creations);
  const ids = created.map(({ data }) => data!.id);
  const updates = ids.map((id, at) =>
    update(id, at % 2 ? { custom_path: `q${at}` } : { name: `N ${at}`, tags: ['t1', 'new'] }),
  );
  const statements = await statementsOf(on, async () => {
    expect(new Set(outcomes(await run(updates)))).toEqual(new Set([200]));
    expect(new Set(outcomes(await run(ids.map(remove))))).toEqual(new Set([200]));
  });
  expect(statements.length).toBeLessThan(30);
  const others = (await run(creations)).map(({ data }) => data!.id);
  const mixed = others.flatMap((id, at) => {
    if (at >= 60) return [];
    return [create({ external_id: `e${at}` }), update(id, { custom_path: `r${at}` }), remove(others[at + 60]!)];
  });
  const ofMixed = await statementsOf(on, async () => {
    expect(new Set(outcomes(await run(mixed)))).toEqual(new Set([200, 201]));
  });
  expect(ofMixed.length).toBeLessThan(25);
});

const named = (notifications: unknown[], kind: string): string[] =>
  notifications.flatMap((each) => (each as Record<string, string[]>)[kind] ?? []).sort();

test('notifications name each link once that visitors notice, and no other', async () => {
  const made = await run(Array.from({ length: 200 }, (_, at) => create({ custom_path: `p${at}` })));
  const ids = made.map(({ data }) => data!.id);
  const unnoticed = await notificationsOf(on.database, () =>
    run(ids.map((id) => update(id, { notes: 'x', archived: true, tags: ['t'] }))),
  );
  expect(unnoticed).toEqual([]);
  const noticed = await notificationsOf(on.database, () =>
    run(ids.map((id, at) => update(id, at < 120 ? { disabled: true } : { disabled: false }))),
  );
  expect(named(noticed, 'links')).toEqual(ids.slice(0, 120).sort());
  const deleted = await notificationsOf(on.database, () => run(ids.map(remove)));
  expect(named(deleted, 'links')).toEqual([...ids].sort());
  expect(named(deleted, 'paths')).toEqual(ids.map((_, at) => `${projectId}/p${at}`).sort());
  // A few long ones, and none that empties all caches.
  expect([...noticed, ...deleted].length).toBeLessThan(20);
  expect([...noticed, ...deleted]).not.toContain('everything');
});

describe('requests at the same time', () => {
  test('do not block each other, whatever they change', async () => {
    const links = await Promise.all(
      Array.from({ length: 10 }, (_, at) => aDynamicLink(on, account.key, projectId, { custom_path: `p${at}` })),
    );
    const mixed = links.flatMap(({ id }, at) => [
      update(id, { custom_path: `p${(at + 1) % 10}`, tags: [`t${at}`] }),
      create({ custom_path: `p${at}`, tags: [`t${9 - at}`] }),
      update(id, { custom_path: `own-${at}` }),
    ]);
    const single = Array.from({ length: 20 }, (_, at) =>
      on
        .api('post', `/projects/${projectId}/links`, account.key)
        .send({ name: 'A link', custom_path: `p${at % 10}`, tags: [`t${at % 10}`] }),
    );
    const answers = await Promise.all([send(mixed), send([...mixed].reverse()), send(mixed), ...single]);
    expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
    const { body } = await on.api('get', `/projects/${projectId}/links?limit=100`, account.key).expect(200);
    const paths = (body.data as { custom_path: string }[]).map(({ custom_path }) => custom_path);
    expect(new Set(paths).size).toBe(body.pagination.total);
  });

  test('wait for each other, but not forever', async () => {
    const usualMs = timeLimits.lock;
    timeLimits.lock = 300;
    const impatient = await aServiceOfTest({}, on.database);
    timeLimits.lock = usualMs;
    const path = `/projects/${projectId}/links`;
    const bulk = () => impatient.api('post', `${path}/bulk`, account.key).send({ operations: [create()] });
    await withTransaction(on.database, async (other) => {
      await other.query('SELECT begin_bulk($1)', [projectId]);
      // A single creation does not wait.
      await impatient.api('post', path, account.key).send({ name: 'A link' }).expect(201);
      expect(await changingNothing(on, bulk)).toBeRefusedWith('RATE_LIMITED', { reason: 'concurrency' });
    });
    await bulk().expect(200);
  });
});
