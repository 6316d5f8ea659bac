import { randomBytes } from 'node:crypto';
import type { AppEvent } from '../../../src/clicks/app-events/app-event';
import { PgAppEventRepository } from '../../../src/clicks/app-events/pg-app-event.repository';
import { aDynamicLink, aProject, created, dataAt, updated } from '../../support/builders';
import { fixture, fixtureOfEach } from '../../support/fixtures';
import { withoutTable } from '../../support/other-session';
import { aPool } from '../../support/pool';
import { serviceWithoutRollUps } from './service-without-roll-ups';
import { aClick, anOpenedLink } from './counting';

type Counted = 'click' | 'open' | 'claim';

const { on, clicks } = serviceWithoutRollUps();
const stores = fixture(
  () => {
    const pool = aPool({ connectionString: on.database.url, max: 8 });
    return { pool, appEvents: new PgAppEventRepository(pool) };
  },
  ({ pool }) => pool.end(),
);
const account = fixtureOfEach(() => on.anAccount('enterprise'));
const project = fixtureOfEach(() => aProject(on, account.key));
let linkId: string;
beforeEach(async () => (linkId = (await aDynamicLink(on, account.key, project.id)).id));

const day = Date.parse('2026-11-21T10:00:00Z');

async function anEndpoint(fields: object = {}): Promise<string> {
  const body = { url: 'https://hooks.example.com/', enabled: false, ...fields };
  return (await created<{ id: string }>(on, account.key, '/account/webhooks', body)).id;
}

const withoutEndpoint = (id: string) => on.api('delete', `/account/webhooks/${id}`, account.key).expect(200);

const appEvent = (event: 'open' | 'claim', times: number, version = ''): AppEvent => ({
  event,
  digest: randomBytes(32),
  projectId: project.id,
  dynamicLinkId: linkId,
  at: day,
  platform: 'ios',
  version,
  country: '',
  variant: '',
  browser: '',
  times,
});

/** Records so many of one kind, which statistics add up as a process does. */
async function happens(event: Counted, times: number, robot = false): Promise<void> {
  if (event !== 'click') return stores.appEvents.record([appEvent(event, times)]);
  const link = anOpenedLink({ id: linkId });
  const client = { platform: 'ios', browser: null, robot } as const;
  const made = Array.from({ length: times }, () => aClick({ at: day, projectId: project.id, link, client }));
  await clicks.write(made);
  await clicks.rollUpAll();
}

/** Returns the milestones of the link that the history has, oldest first. */
async function milestonesOf(event: Counted): Promise<unknown[]> {
  const path = `/projects/${project.id}/history?resource_id=${linkId}&type=link.${event}s_reached`;
  return (await dataAt<{ actor: object; before: null; after: { count: number } }[]>(on, account.key, path))
    .map(({ actor, before, after }) => ({ actor, before, ...after }))
    .toReversed();
}

const milestones = (...counts: number[]) =>
  counts.map((count) => ({ actor: { kind: 'service' }, before: null, count }));

test.each<[event: Counted, batches: number[], counts: number[]]>([
  ['click', [1], [1]],
  ['click', [5, 94], [1]],
  ['click', [99, 1, 1], [1, 100]],
  ['click', [1500, 8499, 1], [1, 100, 1000, 10_000]],
  ['open', [1, 98, 1], [1, 100]],
  ['open', [100_000], [1, 100, 1000, 10_000, 100_000]],
  ['claim', [99, 901], [1, 100, 1000]],
])('%ss of %j reach %j', async (event, batches, counts) => {
  await anEndpoint();
  for (const times of batches) await happens(event, times);
  expect(await milestonesOf(event)).toEqual(milestones(...counts));
});

test.each<[name: string, endpoint: () => object, isWritten: boolean]>([
  ['its type', () => ({ event_types: ['link.clicks_reached'] }), true],
  ['its kind', () => ({ event_types: ['domain.*', 'link.*'] }), true],
  ['its project', () => ({ project_id: project.id }), true],
  ['another type', () => ({ event_types: ['link.created', 'link.opens_reached'] }), false],
])('an endpoint that selects %s', async (_, endpoint, isWritten) => {
  await anEndpoint(endpoint());
  await happens('click', 1);
  expect(await milestonesOf('click')).toEqual(isWritten ? milestones(1) : []);
});

test('an endpoint of another project selects nothing here', async () => {
  await anEndpoint({ project_id: (await aProject(on, account.key)).id });
  for (const event of ['click', 'open', 'claim'] as const) await happens(event, 1);
  const rows = await on.database.query('SELECT FROM link_totals WHERE project_id = $1', [project.id]);
  expect(rows).toEqual([]);
});

test.each<Counted>(['click', 'open', 'claim'])('%ss without an endpoint count, and have no event', async (event) => {
  await happens(event, 60);
  const first = await anEndpoint();
  await happens(event, 10);
  await withoutEndpoint(first);
  await happens(event, 29);
  await anEndpoint();
  await happens(event, 1);
  await happens(event, 899);
  expect(await milestonesOf(event)).toEqual(milestones(100));
  await happens(event, 1);
  expect(await milestonesOf(event)).toEqual(milestones(100, 1000));
});

test('a selection that changes loses nothing', async () => {
  const id = await anEndpoint({ event_types: ['link.*'] });
  await happens('open', 50);
  await updated(on, account.key, `/account/webhooks/${id}`, { event_types: ['domain.*'] });
  await happens('open', 49);
  await on.api('put', `/account/webhooks/${id}`, account.key).send({ event_types: null }).expect(200);
  await happens('open', 1);
  expect(await milestonesOf('open')).toEqual(milestones(1, 100));
});

test('robots and repeated opens do not count', async () => {
  await anEndpoint();
  await happens('click', 3, true);
  expect(await milestonesOf('click')).toEqual([]);
  const open = appEvent('open', 99);
  await stores.appEvents.record([open]);
  await stores.appEvents.record([open, open]);
  expect(await milestonesOf('open')).toEqual(milestones(1));
});

test('processes that count at the same time write each milestone once', async () => {
  const kinds = ['1', '2', '3', '4'];
  await happens('open', 7);
  const first = await anEndpoint();
  // Each batch inserts a row of statistics, or adds to one, and the totals begin with all of them.
  const batch = () => stores.appEvents.record(kinds.map((version) => appEvent('open', 1, version)));
  await Promise.all(Array.from({ length: 100 }, batch));
  await Promise.all([anEndpoint(), withoutEndpoint(first), ...Array.from({ length: 148 }, batch)]);
  await happens('open', 1);
  const [total] = await on.database.query<{ times: string }>(
    "SELECT times FROM link_totals WHERE project_id = $1 AND event = 'open'",
    [project.id],
  );
  expect(Number(total!.times)).toBe(1000);
  expect(await milestonesOf('open')).toEqual(milestones(100, 1000));
});

test('a roll-up that fails writes nothing, and the next one writes it once', async () => {
  await anEndpoint();
  await withoutTable(on.database, 'link_totals', () => expect(happens('click', 1)).rejects.toThrow());
  expect(await milestonesOf('click')).toEqual([]);
  await clicks.rollUpAll();
  expect(await milestonesOf('click')).toEqual(milestones(1));
});

test('totals go with their project, and a deleted link reaches nothing', async () => {
  await anEndpoint();
  await on.api('delete', `/projects/${project.id}/links/${linkId}`, account.key).expect(200);
  await happens('click', 1);
  expect(await milestonesOf('click')).toEqual([]);
  await on.api('delete', `/projects/${project.id}`, account.key).expect(200);
  while (!(await clicks.repository.purgeSome(100)));
  expect(await on.database.query('SELECT FROM link_totals WHERE project_id = $1', [project.id])).toEqual([]);
});

test('a milestone cannot be undone', async () => {
  await anEndpoint();
  await happens('open', 1);
  const path = `/projects/${project.id}/history`;
  const { sequence } = (await dataAt<{ sequence: number }[]>(on, account.key, `${path}?type=link.opens_reached`))[0]!;
  await on.api('post', `${path}/${sequence}/restore`, account.key).send({}).expect(400);
});
