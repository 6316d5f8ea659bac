import { ImportPurgeService } from '../../../src/imports/api/import-purge.service';
import { bytesOfRow } from '../../../src/imports/model/pg-import-rows';
import { batchPause, batchRows } from '../../../src/imports/work/import-runner.service';
import { maxUploads, UploadLimits } from '../../../src/imports/api/new-imports.controller';
import { maxOpenImports } from '../../../src/imports/model/import-intake.service';
import { outsideRequests } from '../../../src/platform/postgres/request-context';
import { aDynamicLink, aProject } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { startImports } from '../../support/imports';
import { aService } from '../../support/service';
import { ImportRequests, link, ndjson, none, importsOfEach } from './import-requests';
import { fixture, serviceFixture, accountFixture } from '../../support/fixtures';

const on = serviceFixture();
beforeAll(() => startImports(on));
const account = accountFixture(on);
const imports = importsOfEach(on, account);
const usual = { ...batchRows };
afterEach(() => {
  Object.assign(batchRows, usual);
  batchPause.factor = 0;
});

test('a project has a limited number of open imports', async () => {
  const first = await imports.check(ndjson([link('one')]));
  for (let at = 1; at < maxOpenImports; at++) await imports.check(ndjson([link('one')]));
  expect(await imports.upload(ndjson([link('one')]))).toBeRefusedWith('ACCESS_DENIED', {
    limit: maxOpenImports,
    used: maxOpenImports,
    current_plan: 'enterprise',
    required_plan: null,
  });
  await imports.api('post', `/${first.id}/cancel`).expect(200);
  await imports.upload(ndjson([link('one')])).expect(202);
  const { body } = await imports.api('get', '?limit=3').expect(200);
  expect(body.pagination.total).toBe(maxOpenImports + 1);
  expect(body.data).toHaveLength(3);
});

test('rows that are too large, or hold what no link may, are refused alone', async () => {
  const { id, counts } = await imports.check(
    ndjson([
      link('large', { notes: 'x'.repeat(3_000_000) }),
      link('nul', { title: 'a\0b' }),
      link('lone', { title: '\ud800' }),
      link('origin', { imported_from: 'a\0b' }),
      link('long-origin', { imported_from: 'x'.repeat(51) }),
      link('key', { referrer_params: { 'a\0': 1 }, 'b\0\udc00': 'c\0' }),
      link('good'),
      // Empty objects have twenty times the memory of their text.
      link('values', { notes: Array.from({ length: 1000 }, () => ({})) }),
    ]) + `{"name":${'['.repeat(50)}${']'.repeat(50)}}\n`,
  );
  expect(counts).toEqual({ ...none, refused: 8, created: 1 });
  expect((await imports.rows(id, 'refused')).map(({ problems }) => problems[0]!.field)).toEqual([
    null,
    'title',
    'title',
    'imported_from',
    'imported_from',
    'referrer_params',
    null,
    null,
  ]);
});

test('a page shows the records of its first 2 MB', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => link(`large-${at}`, { notes: 'x'.repeat(90_000) }));
  const { id } = await imports.check(ndjson(rows));
  const shown = (await imports.rows(id, 'refused')).map(({ record }) => record !== null);
  expect(shown).toEqual(rows.map((_, at) => at < 22));
  const second = (await imports.api('get', `/${id}/rows?limit=15&page=2`).expect(200)).body.data;
  expect(second.every(({ record }: { record: object | null }) => record !== null)).toBe(true);
});

test('an account uploads a limited number of files to a process at once', async () => {
  const limits = on.service.app.get(UploadLimits);
  const leave = Array.from({ length: maxUploads.ofAccount }, () => limits.enter(account.accountId));
  const refused = await imports.upload(ndjson([link('waits')]));
  expect(refused).toBeRefusedWith('RATE_LIMITED', { reason: 'concurrency' });
  expect(refused.headers['retry-after']).toBe('10');
  for (const end of leave) end();
  await imports.upload(ndjson([link('waits')])).expect(202);
});

test('a row that the database cannot write is refused alone, and logged', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `row-${at}`);
  const { id } = await imports.check(ndjson(names.map((name) => link(name))));
  await on.database.query(
    `CREATE FUNCTION fail_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room for %', NEW.name; END $$`,
  );
  try {
    await on.database.query(
      `CREATE TRIGGER fail_row BEFORE INSERT ON dynamic_links FOR EACH ROW
       WHEN (NEW.name = 'row-20') EXECUTE FUNCTION fail_row()`,
    );
    const { state, counts } = await imports.run(id);
    expect([state, counts]).toEqual(['completed', { ...none, created: 29, refused: 1 }]);
  } finally {
    await on.database.query('DROP FUNCTION fail_row CASCADE');
  }
  const reason = 'The service cannot write this row; its operator finds the cause in the log';
  expect((await imports.rows(id)).filter(({ outcome }) => outcome === 'refused')).toEqual([
    expect.objectContaining({ row: 21, problems: [{ field: null, reason }] }),
  ]);
  expect(Object.keys(await imports.links())).toHaveLength(29);
  expect(on.logLines.filter((line) => line.includes('no room for row-20'))).toHaveLength(1);
});

const purged = (): Promise<void> =>
  outsideRequests(() => on.service.app.get(ImportPurgeService, { strict: false }).sweep());

test.each<[state: string, end: (id: string) => Promise<unknown>, job: object]>([
  ['cancelled', (id) => imports.api('post', `/${id}/cancel`).expect(200), { counts: { ...none, created: 2 } }],
  [
    'failed',
    async (id) => {
      await aDynamicLink(on, account.key, imports.projectId, { custom_path: 'two' });
      await imports.run(id);
    },
    { counts: { ...none, created: 1, conflict: 1 }, failure_code: 'conflict' },
  ],
])(
  'an import that is %s has its counts, and neither rows nor a report, also before they are removed',
  async (state, end, job) => {
    const { id } = await imports.check(ndjson([link('one'), link('two')]), 'conflict=fail');
    expect(await imports.rows(id)).toHaveLength(2);
    await end(id);
    for (const wait of [async () => {}, purged]) {
      await wait();
      expect(await imports.get(id)).toMatchObject({ state, rows: 2, processed: 2, progress: null, ...job });
      expect(await imports.rows(id)).toEqual([]);
      expect(await imports.rows(id, 'created')).toEqual([]);
      const report = (await imports.api('get', `/${id}/report`).expect(200)).text;
      expect(report.trim().split('\n')).toEqual([expect.stringMatching(/^signpost_row,/)]);
    }
  },
);

describe('the quota of stored bytes', () => {
  const megabyte = 1_000_000;
  let requests: ImportRequests;
  let key: string;
  const limited = fixture(() => aService({ QUOTA_FREE_IMPORT_MB: '1', QUOTA_PRO_IMPORT_MB: '1' }));
  beforeAll(async () => {
    await startImports(limited, { QUOTA_FREE_IMPORT_MB: '1', QUOTA_PRO_IMPORT_MB: '1' });
  });
  beforeEach(async () => {
    const free = await limited.anAccount('free');
    ({ key } = free);
    requests = new ImportRequests(limited, free, (await aProject(limited, key)).id);
  });
  const quota = async () => (await limited.api('get', '/account', key).expect(200)).body.data.quotas.import_bytes;
  const freed = () =>
    eventually(async () => {
      await outsideRequests(() => limited.service.app.get(ImportPurgeService, { strict: false }).sweep());
      return (await quota()).used === 0;
    });
  /** A row of some size, and the bytes that an import of it stores. */
  const file = (bytes: number) => ndjson([link('one', { ignored: 'x'.repeat(bytes - 100) })]);

  test('has the bytes of files and rows, and is shown in the account', async () => {
    expect(await quota()).toEqual({ limit: megabyte, used: 0 });
    const small = file(1000);
    await requests.check(small);
    const { used } = await quota();
    expect(used).toBeGreaterThanOrEqual(small.length + bytesOfRow);
    expect(used).toBeLessThan(small.length + 2 * small.length + bytesOfRow);
  });

  test('refuses a file while it arrives, and stores nothing of it', async () => {
    const row = file(100_000);
    expect(await requests.upload(row.repeat(11))).toBeRefusedWith('ACCESS_DENIED', {
      limit: megabyte,
      used: expect.any(Number),
      current_plan: 'free',
      required_plan: 'enterprise',
    });
    await freed();
    expect((await requests.api('get', '').expect(200)).body.data).toEqual([]);
    await requests.check(row);
  });

  test.each<[what: string, end: (id: string) => Promise<unknown>]>([
    ['a cancellation', (id) => requests.api('post', `/${id}/cancel`).expect(200)],
    [
      'a deletion',
      async (id) => {
        await requests.run(id);
        expect((await quota()).used).toBeGreaterThan(0);
        await requests.api('delete', `/${id}`).expect(200);
      },
    ],
  ])('is freed by %s', async (_, end) => {
    const large = file(100_000).repeat(6);
    const { id } = await requests.check(large);
    expect(await requests.upload(large)).toBeRefusedWith('ACCESS_DENIED');
    await end(id);
    await freed();
    expect(await requests.check(large)).toMatchObject({ state: 'ready' });
  });

  test('ends a dry run whose rows exceed it', async () => {
    const row = ndjson([{ name: 'A link', ignored: 'x'.repeat(1500) }]);
    const { state, failure_code } = await requests.check(row.repeat(400));
    expect([state, failure_code]).toEqual(['failed', 'quota_reached']);
    await freed();
  });
});
