import type { Pool } from 'pg';
import { type DeferredLink, keptAfterExpiryMs, newToken } from '../../../src/link-traffic/deferred-links/deferred-link';
import type { DeferredLinkRepository } from '../../../src/link-traffic/deferred-links/deferred-link.repository';
import { PgDeferredLinkRepository } from '../../../src/link-traffic/deferred-links/pg-deferred-link.repository';
import { aDynamicLink, aProject, unknownId } from '../../support/builders';
import { aService, type TestService } from '../../support/service';
import { FakeDeferredLinks } from './fake-deferred-links';
import { aPool } from '../../support/pool';

/** The contract of the port, for the PostgreSQL adapter and the fake. */
let on: TestService;
let pool: Pool;
let projectId: string;
let otherProjectId: string;
let deletedProjectId: string;
let linkId: string;
const links = new Map([['', { customPath: '', referrerParams: [] as [string, string][] }]]);

beforeAll(async () => {
  on = await aService();
  pool = aPool({ connectionString: on.database.url });
  const { key } = await on.anAccount('enterprise');
  [projectId, otherProjectId, deletedProjectId] = [
    (await aProject(on, key)).id,
    (await aProject(on, key)).id,
    (await aProject(on, key)).id,
  ];
  const referrerParams = { b: '2', a: '1' };
  linkId = (await aDynamicLink(on, key, projectId, { custom_path: 'summer', referrer_params: referrerParams })).id;
  links.set(linkId, { customPath: 'summer', referrerParams: Object.entries(referrerParams) });
  await on.api('delete', `/projects/${deletedProjectId}`, key).expect(200);
});
afterAll(async () => {
  await pool.end();
  await on.stop();
});

const clickedAt = new Date('2031-02-03T04:05:06.789Z');
const expiresAt = new Date('2031-02-10T04:05:06.789Z');
const justBefore = new Date(+expiresAt - 1);

const aLink = (fields: Partial<DeferredLink> = {}): DeferredLink => ({
  token: newToken(),
  projectId,
  dynamicLinkId: linkId,
  clickedAt,
  expiresAt,
  ...fields,
});

describe.each<[string, () => DeferredLinkRepository]>([
  ['PostgreSQL', () => new PgDeferredLinkRepository(pool)],
  ['the fake', () => new FakeDeferredLinks(links, new Set([projectId, otherProjectId]))],
])('%s', (_, make) => {
  let repository: DeferredLinkRepository;
  beforeAll(() => (repository = make()));

  test('returns the link once', async () => {
    const { token } = aLink();
    await repository.insertAll([aLink(), aLink({ token }), aLink()]);
    expect(await repository.claim(projectId, token, clickedAt)).toEqual({
      customPath: 'summer',
      referrerParams: [
        ['b', '2'],
        ['a', '1'],
      ],
      clickedAt,
    });
    expect(await repository.claim(projectId, token, clickedAt)).toBeNull();
  });

  test('ignores a repeated insert', async () => {
    const { token } = aLink();
    await repository.insertAll([aLink({ token })]);
    await repository.insertAll([aLink(), aLink({ token, clickedAt: expiresAt })]);
    expect(await repository.claim(projectId, token, clickedAt)).toMatchObject({ clickedAt });
    expect(await repository.claim(projectId, token, clickedAt)).toBeNull();
  });

  test('inserts no claimed token again', async () => {
    const link = aLink();
    await repository.insertAll([link]);
    await repository.claim(projectId, link.token, clickedAt);
    await repository.purgeExpired(new Date(+clickedAt + keptAfterExpiryMs - 1), 1000);
    await repository.insertAll([link]);
    expect(await repository.claim(projectId, link.token, clickedAt)).toBeNull();
    // Such as by a process whose clock is slow.
    expect(await repository.claim(projectId, link.token, new Date(+clickedAt - 60_000))).toBeNull();
  });

  test('accepts an empty insert', async () => {
    await repository.insertAll([]);
  });

  test('keeps a link until the millisecond of its expiry', async () => {
    const { token } = aLink();
    await repository.insertAll([aLink({ token })]);
    expect(await repository.claim(projectId, token, expiresAt)).toBeNull();
    expect(await repository.claim(projectId, token, justBefore)).not.toBeNull();
  });

  test('refuses a claim of another project and keeps the link', async () => {
    const { token } = aLink();
    await repository.insertAll([aLink({ token })]);
    expect(await repository.claim(otherProjectId, token, clickedAt)).toBeNull();
    expect(await repository.claim(projectId, token, clickedAt)).not.toBeNull();
  });

  test('returns null for a deleted link', async () => {
    const { token } = aLink();
    await repository.insertAll([aLink({ token, dynamicLinkId: unknownId })]);
    expect(await repository.claim(projectId, token, clickedAt)).toBeNull();
  });

  test('drops links of deleted projects and keeps the others', async () => {
    const [kept, dropped, alsoDropped] = [newToken(), newToken(), newToken()];
    await repository.insertAll([
      aLink({ token: dropped, projectId: deletedProjectId }),
      aLink({ token: kept }),
      aLink({ token: alsoDropped, projectId: unknownId }),
    ]);
    expect(await repository.claim(deletedProjectId, dropped, clickedAt)).toBeNull();
    expect(await repository.claim(unknownId, alsoDropped, clickedAt)).toBeNull();
    expect(await repository.claim(projectId, kept, clickedAt)).not.toBeNull();
  });

  test('purges only expired links, up to the limit', async () => {
    const anHourLater = new Date(+expiresAt + keptAfterExpiryMs);
    await repository.purgeExpired(anHourLater, 1000);
    const alive = newToken();
    await repository.insertAll([
      aLink(),
      aLink(),
      aLink(),
      aLink({ token: alive, expiresAt: new Date(+expiresAt + 1) }),
    ]);
    expect(await repository.purgeExpired(new Date(+anHourLater - 1), 2)).toBe(0);
    expect(await repository.purgeExpired(anHourLater, 2)).toBe(2);
    expect(await repository.purgeExpired(anHourLater, 2)).toBe(1);
    expect(await repository.purgeExpired(anHourLater, 2)).toBe(0);
    expect(await repository.claim(projectId, alive, expiresAt)).not.toBeNull();
  });
});
