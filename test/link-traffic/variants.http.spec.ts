import { counted, outcomesOf } from '../clicks/conversions/visit-and-send';
import { aDynamicLink, type LinkBody } from '../support/builders';
import { eventually } from '../support/eventually';
import { accountFixture, projectFixture, serviceFixture } from '../support/fixtures';
import { sendRequest } from '../support/raw-http';
import type { TestService } from '../support/service';
import { explainVisit } from '../diagnostics/explain/read-answer';
import { userAgents } from '../link-routing/user-agents';
import { openLink } from './open-link';

const on = serviceFixture({ TRUSTED_PROXIES: '127.0.0.1' });
const replica = serviceFixture({ TRUSTED_PROXIES: '127.0.0.1' }, () => on.database);
const account = accountFixture(on);
const project = projectFixture(on, account, { conversions: true });

const at = (name: string) => `https://shop.example.com/${name}`;
const variants = ['A', 'B'].map((name) => ({ name, url: at(name), weight: 50 }));
const aSplit = (fields: object = {}) =>
  aDynamicLink(on, account.key, project.id, { desktop_url: at('own'), variants, ...fields });

interface Visitor {
  address?: string;
  userAgent?: string | undefined;
  service?: TestService;
}

/** Visits and returns the destination. */
async function destinationOf(
  link: LinkBody,
  { address = '192.0.2.1', userAgent, service = on }: Visitor = {},
): Promise<URL> {
  const { headers } = await sendRequest(service.url, `GET /${link.custom_path}`, {
    Host: `${project.subdomain}.localhost`,
    'X-Forwarded-For': address,
    'User-Agent': userAgent ?? userAgents.desktop,
  });
  return new URL(headers['location']!);
}

/** Visits and returns the path of the destination. */
const visit = async (link: LinkBody, visitor?: Visitor): Promise<string> =>
  (await destinationOf(link, visitor)).pathname.slice(1);

const visitors = Array.from({ length: 40 }, (_, at) => `192.0.2.${at}`);
const destinations = (link: LinkBody, service: TestService) =>
  Promise.all(visitors.map((address) => visit(link, { address, service })));

describe('a link with variants', () => {
  test('gives a visitor the same one again, on each replica', async () => {
    const link = await aSplit();
    const first = await destinations(link, on);
    expect([...new Set(first)].sort()).toEqual(['A', 'B']);
    expect(await destinations(link, on)).toEqual(first);
    expect(await destinations(link, replica)).toEqual(first);
    const ofOther = await destinations(await aSplit(), on);
    expect(ofOther).not.toEqual(first);
  });

  test('gives all addresses of a subscriber the same one', async () => {
    const link = await aSplit();
    const addresses = visitors.map((_, at) => `2001:db8:0:7:${at}::1`);
    expect(new Set(await Promise.all(addresses.map((address) => visit(link, { address })))).size).toBe(1);
  });

  test('gives robots the first one that is not ended', async () => {
    const robot = { userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' };
    const link = await aSplit();
    const sent = await Promise.all(visitors.map((address) => visit(link, { address, ...robot })));
    expect(new Set(sent)).toEqual(new Set(['A']));
    const ended = [{ ...variants[0]!, weight: 0 }, variants[1]!];
    expect(await visit(await aSplit({ variants: ended }), robot)).toBe('B');
  });

  test('ends one, and makes the winner permanent, by one update', async () => {
    const link = await aSplit();
    const path = `/projects/${project.id}/links/${link.id}`;
    const update = (body: object) => on.api('put', path, account.key).send(body).expect(200);
    await update({ variants: [{ ...variants[0]!, weight: 0 }, variants[1]!] });
    expect(new Set(await destinations(link, on))).toEqual(new Set(['B']));
    await update({ desktop_url: at('B'), variants: null });
    expect(new Set(await destinations(link, on))).toEqual(new Set(['B']));
  });

  test('is explained for one of them', async () => {
    const ofIos = variants.map((one) => ({ ...one, name: `iOS ${one.name}` }));
    const link = await aSplit({
      rules: [{ when: { platforms: ['ios'] }, then: { variants: ofIos } }],
    });
    const place = { projectId: project.id, linkId: link.id };
    const explained = async (query: Record<string, string>) => {
      const { variant, steps, answer, open } = await explainVisit(on, account.key, place, query);
      const finding = steps.find(({ rule }) => rule === 'variant')?.finding;
      return [variant, finding, new URL(answer.location!).pathname, open!.variant];
    };
    expect(await explained({ platform: 'desktop' })).toEqual(['A', 'first', '/A', 'A']);
    expect(await explained({ platform: 'desktop', variant: 'B' })).toEqual(['B', 'named', '/B', 'B']);
    expect(await explained({ platform: 'desktop', variant: 'iOS B' })).toEqual(['A', 'first', '/A', 'A']);
    expect(await explained({ platform: 'ios', variant: 'iOS B' })).toEqual(['iOS B', 'named', '/B', 'iOS B']);
    expect(await explained({ user_agent: 'curl/8', variant: 'B' })).toEqual(['A', 'robot', '/A', 'B']);
    const query = 'platform=ios&platform=linux&variant=B&variant=iOS%20B';
    const path = `/projects/${project.id}/links/${link.id}/simulate?${query}`;
    const { body } = await on.api('post', path, account.key).send({}).expect(200);
    const { visits } = (body as { data: { visits: { rule: number | null; variant: string | null }[] } }).data;
    expect(visits.map(({ rule, variant }) => [rule, variant])).toEqual([
      [0, 'iOS A'],
      [0, 'iOS B'],
      [null, 'B'],
      [null, 'A'],
    ]);
  });
});

test('clicks, opens and conversions of people are counted for their variant', async () => {
  const link = await aSplit({ rules: [{ when: { platforms: ['ios'] }, then: { url: at('ios') } }] });
  const shop = { key: account.key, project, link };
  const destinations = await Promise.all(visitors.map((address) => destinationOf(link, { address })));
  for (const userAgent of [userAgents.iphone, 'curl/8']) await visit(link, { userAgent });
  const ofVariant = (name: string) => destinations.filter(({ pathname }) => pathname === `/${name}`);
  const opened = await Promise.all(
    visitors.slice(0, 20).map(async (address, number) => {
      const app = { package_name: 'com.example.shop', version: '1' };
      const fields = { app, open_id: `${number}`.padStart(22, '0') };
      const { body } = await openLink(on, project.subdomain, `/${link.custom_path}`, fields, {
        'X-Forwarded-For': address,
      });
      return body.data as { variant: string; destination: string; click_id: string };
    }),
  );
  for (const { variant, destination } of opened) expect(new URL(destination).pathname).toBe(`/${variant}`);
  expect(new Set(opened.map(({ variant }) => variant))).toEqual(new Set(['A', 'B']));
  const idOf = (url: URL) => url.searchParams.get('click_id')!;
  const sale = { event: 'sale', value: '10', currency: 'EUR' };
  const ids = [...ofVariant('B').slice(0, 2).map(idOf), opened.find(({ variant }) => variant === 'B')!.click_id];
  await eventually(async () => {
    const conversions = ids.map((click_id, at) => ({ ...sale, click_id, key: `${link.id} ${at}` }));
    return !(await outcomesOf(on, shop, conversions)).includes('unknown_click_id');
  });
  await outcomesOf(on, shop, [{ ...sale, value: '-10', key: `${link.id} 0:refund` }]);
  const query = `?group_by=variant&link_id=${link.id}`;
  const clicksOf = (name: string) => ofVariant(name).length;
  const opensOf = (name: string) => opened.filter(({ variant }) => variant === name).length;
  const groups = await eventually(async () => {
    const answer = await counted(on, shop, query);
    const clicks = answer.groups.map((group) => group.clicks ?? 0);
    return clicks[0]! + (clicks[1] ?? 0) === visitors.length && answer.groups;
  });
  expect(groups).toMatchObject([
    { value: 'B', clicks: clicksOf('B'), opens: opensOf('B'), conversions: 3, refunds: 1, rate: 3 / clicksOf('B') },
    { value: 'A', clicks: clicksOf('A'), opens: opensOf('A'), conversions: 0, rate: 0, rate_low: 0 },
  ]);
  const { text } = await on.api('get', `/projects/${project.id}/analytics/conversions${query}&format=csv`, account.key);
  const [header, first] = text.split('\r\n').map((line) => line.split(',').slice(0, 7).join());
  expect([header, first]).toEqual([
    '\uFEFFvalue,name,path,clicks,opens,conversions,refunds',
    `B,,,${clicksOf('B')},${opensOf('B')},3,1`,
  ]);
});

test('links without variants write nothing more', async () => {
  const link = await aSplit({ variants: undefined });
  await Promise.all(visitors.map((address) => visit(link, { address })));
  const other = await aSplit();
  await visit(other);
  const countOf = async ({ id }: LinkBody) =>
    (await on.database.query('SELECT FROM app_event_sums WHERE dynamic_link_id = $1', [id])).length;
  await eventually(async () => (await countOf(other)) === 1);
  expect(await countOf(link)).toBe(0);
});

test('the keys of days that are over are removed, and those of today and tomorrow are created', async () => {
  const day = "(now() AT TIME ZONE 'UTC')::date";
  await on.database.query(`INSERT INTO visitor_keys (day) VALUES (${day} - 1)`);
  await on.database.query('SELECT purge_app_events(13, 10)');
  const rows = await on.database.query(
    `SELECT day - ${day} AS ahead, length(key) AS bytes FROM visitor_keys ORDER BY day`,
  );
  expect(rows).toEqual([0, 1].map((ahead) => ({ ahead, bytes: 32 })));
  const [current] = await on.database.query<{ same: boolean; remaining: number }>(
    `SELECT visitor_key = (SELECT key FROM visitor_keys WHERE day = ${day}) AS same, remaining_ms AS remaining FROM visitor_key()`,
  );
  expect(current).toEqual({ same: true, remaining: expect.any(Number) });
  expect(current!.remaining).toBeGreaterThan(0);
  expect(current!.remaining).toBeLessThanOrEqual(86_400_000);
});
