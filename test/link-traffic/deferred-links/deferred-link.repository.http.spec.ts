import {
  type ClaimedLink,
  type DeferredLink,
  keptAfterExpiryMs,
  newToken,
} from '../../../src/link-traffic/deferred-links/deferred-link';
import type { DeferredLinkRepository } from '../../../src/link-traffic/deferred-links/deferred-link.repository';
import { PgDeferredLinkRepository } from '../../../src/link-traffic/deferred-links/pg-deferred-link.repository';
import { aDynamicLink, aProject, unknownId } from '../../support/builders';
import { FakeDeferredLinks } from './fake-deferred-links';
import { aPool } from '../../support/pool';
import { fixture, serviceFixture } from '../../support/fixtures';

/** The contract of the port, for the PostgreSQL adapter and the fake. */
const on = serviceFixture();
const pool = fixture(
  () => aPool({ connectionString: on.database.url }),
  (opened) => opened.end(),
);
let projectId: string;
let otherProjectId: string;
let deletedProjectId: string;
let linkId: string;
const links = new Map<string, Omit<ClaimedLink, 'clickedAt'>>();

beforeAll(async () => {
  const { key } = await on.anAccount('enterprise');
  const aProjectId = async () => (await aProject(on, key)).id;
  [projectId, otherProjectId, deletedProjectId] = [await aProjectId(), await aProjectId(), await aProjectId()];
  const referrerParams = { b: '2', a: '1' };
  linkId = (await aDynamicLink(on, key, projectId, { custom_path: 'summer', referrer_params: referrerParams })).id;
  const link = { customPath: 'summer', externalId: null, appData: null, clickId: null };
  links.set(linkId, { ...link, referrerParams: Object.entries(referrerParams) });
  await on.api('delete', `/projects/${deletedProjectId}`, key).expect(200);
});

const hourMs = 60 * 60_000;
const ago = (milliseconds: number): number => performance.now() - milliseconds;

const aLink = (fields: Partial<DeferredLink> = {}): DeferredLink => ({
  token: newToken(),
  projectId,
  dynamicLinkId: linkId,
  visitedAtMs: performance.now(),
  lifetimeMs: hourMs,
  browser: '',
  step: 'shown',
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
    expect(await repository.claim(projectId, token)).toEqual({
      customPath: 'summer',
      externalId: null,
      clickId: null,
      referrerParams: Object.entries({ b: '2', a: '1' }),
      appData: null,
      clickedAt: expect.any(Date),
    });
    expect(await repository.claim(projectId, token)).toBeNull();
  });

  test('returns the time of the visit, also after a late or repeated insert', async () => {
    const { token } = aLink();
    const before = Date.now();
    await repository.insertAll([aLink({ token, visitedAtMs: ago(hourMs), lifetimeMs: 2 * hourMs })]);
    const after = Date.now();
    await repository.insertAll([aLink(), aLink({ token })]);
    const { clickedAt } = (await repository.claim(projectId, token))!;
    expect(+clickedAt + hourMs).toBeGreaterThanOrEqual(before - 1);
    expect(+clickedAt + hourMs).toBeLessThanOrEqual(after + 1);
    expect(await repository.claim(projectId, token)).toBeNull();
  });

  test('inserts no claimed token again', async () => {
    const link = aLink();
    await repository.insertAll([link]);
    await repository.claim(projectId, link.token);
    await repository.purgeExpired(1000);
    await repository.insertAll([link]);
    expect(await repository.claim(projectId, link.token)).toBeNull();
  });

  test('answers a claim with the same id again', async () => {
    const { token } = aLink();
    await repository.insertAll([aLink({ token })]);
    const claimed = await repository.claim(projectId, token, { country: null, id: 'one' });
    expect(claimed).not.toBeNull();
    await repository.purgeExpired(1000);
    expect(await repository.claim(projectId, token, { country: null, id: 'one' })).toEqual(claimed);
    expect(await repository.claim(projectId, token, { country: null, id: 'other' })).toBeNull();
    expect(await repository.claim(projectId, token)).toBeNull();
  });

  test('drops links of deleted projects and keeps the others', async () => {
    const [kept, dropped, alsoDropped] = [newToken(), newToken(), newToken()];
    await repository.insertAll([
      aLink({ token: dropped, projectId: deletedProjectId }),
      aLink({ token: kept }),
      aLink({ token: alsoDropped, projectId: unknownId }),
    ]);
    expect(await repository.claim(deletedProjectId, dropped)).toBeNull();
    expect(await repository.claim(unknownId, alsoDropped)).toBeNull();
    expect(await repository.claim(projectId, kept)).not.toBeNull();
  });

  test('purges only expired links, up to the limit', async () => {
    await repository.purgeExpired(1000);
    const visitedAtMs = ago(hourMs + keptAfterExpiryMs);
    const alive = newToken();
    await repository.insertAll([
      aLink({ visitedAtMs }),
      aLink({ visitedAtMs }),
      aLink({ visitedAtMs }),
      aLink({ visitedAtMs: visitedAtMs + hourMs / 2 }),
      aLink({ token: alive }),
    ]);
    expect(await repository.purgeExpired(2)).toBe(2);
    expect(await repository.purgeExpired(2)).toBe(1);
    expect(await repository.purgeExpired(2)).toBe(0);
    expect(await repository.claim(projectId, alive)).not.toBeNull();
  });
});
