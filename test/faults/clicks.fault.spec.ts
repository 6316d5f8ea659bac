import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, until } from '../support/eventually';
import { freePort } from '../support/free-port';
import type { Program } from '../support/process';
import { clicksOfRow } from '../clicks/recording/counting';
import { userAgents } from '../link-routing/user-agents';
import { milestonesIn, milestonesUpTo, selectingWebhook } from '../support/milestones';
import { scaled } from '../support/scale';
import { steadyNow } from '../support/steady-now';
import { useInstallation } from './installation';

// Two replicas and visitors of all kinds, with failures of replicas and databases. Every answered visit must count exactly once
// in every grouping.
jest.setTimeout(1_800_000);

const on = useInstallation('first', {
  environment: () => ({ TRUSTED_PROXIES: '127.0.0.1', COUNTRY_HEADER: 'X-Country' }),
});
let metricsPort: number;
let project: string;
let subdomain: string;
let count = 0;
beforeAll(async () => {
  await on.service.stop();
  metricsPort = await freePort();
});

/** Starts the replica whose metrics are read. */
const measured = (): Promise<Program> => on.replica({ METRICS_PORT: String(metricsPort) });

/** A kind of visit with its expected counts. */
interface Kind {
  head: string;
  counts: boolean;
  robot: boolean;
  qr: boolean;
  in: Record<string, string | null>;
}

/** Creates links and short links of both sources; returns visits of every kind to each. */
async function aCampaign(api: Program): Promise<Kind[]> {
  subdomain = `campaign-${++count}`;
  const post = async (path: string, body: object) =>
    (await api.ask(`/api/v1${path}`, { method: 'POST', key: on.key, body })).json.data as { id: string };
  project = (await post('/projects', { name: 'Campaign', subdomain })).id;
  const paths: { path: string; link: string; shortLink: string | null; source: string | null }[] = [];
  for (const path of ['one', 'two']) {
    const fields = { name: path, custom_path: path, desktop_url: 'https://example.com/' };
    const link = (await post(`/projects/${project}/links`, fields)).id;
    const slug = `s-${path}`;
    const shortLink = (await post(`/projects/${project}/short-links`, { dynamic_link_id: link, slug })).id;
    if (path === 'two') await on.cluster.query(`UPDATE short_links SET source = 'dashboard' WHERE id = '${shortLink}'`);
    paths.push({ path, link, shortLink: null, source: null });
    paths.push({ path: slug, link, shortLink, source: path === 'two' ? 'dashboard' : 'api' });
  }
  const agents = [
    { name: 'iphone', platform: 'ios', browser: 'Safari', robot: false },
    { name: 'pixel', platform: 'android', browser: 'Chrome', robot: false },
    { name: 'desktop', platform: 'desktop', browser: 'Chrome', robot: false },
    { name: 'instagramOnIphone', platform: 'ios', browser: 'Instagram', robot: false },
    { name: 'slackbot', platform: 'desktop', browser: null, robot: true },
    { name: 'googlebot', platform: 'android', browser: null, robot: true },
  ] as const;
  const referrers = [null, 'news.example', 'mail.example'];
  const countries = [null, 'DE', 'IN'];
  return paths.flatMap(({ path, link, shortLink, source }) =>
    agents.flatMap(({ name, platform, browser, robot }) =>
      ['GET', 'GET', 'HEAD'].flatMap((method, at) =>
        [false, true].map((qr): Kind => {
          const [referrer, country] = [referrers[(at + path.length) % 3]!, countries[(at + name.length) % 3]!];
          const headers = [
            `Host: ${subdomain}.localhost`,
            `User-Agent: ${userAgents[name]}`,
            ...(referrer === null ? [] : [`Referer: https://${referrer}/some/page?x=1`]),
            ...(country === null ? [] : [`X-Country: ${country}`]),
          ];
          return {
            head: `${method} /${path}${qr ? '?_via=qr' : ''} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`,
            counts: method === 'GET',
            robot,
            qr,
            in: { platform, browser, referrer, country, link, short_link: shortLink, source },
          };
        }),
      ),
    ),
  );
}

/** Sends visits over keep-alive connections without pipelining and counts the answers of each kind. */
class Visitors {
  readonly answered: number[];
  /** The time of the answer to each visit that counts, by `steadyNow`. */
  readonly countedAt: number[] = [];
  #sent = 0;
  /** Unanswered visits, which are sent again. */
  readonly #unanswered: number[] = [];

  constructor(
    private readonly kinds: Kind[],
    private readonly maxVisits: number,
  ) {
    this.answered = kinds.map(() => 0);
  }

  get total(): number {
    return this.answered.reduce((one, other) => one + other, 0);
  }

  /** Sends until `maxVisits` visits are answered or `over` returns true. Replaces broken connections; `port` may change. */
  async visit(port: () => number, over: () => boolean = () => false): Promise<void> {
    while (this.total < this.maxVisits && !over()) {
      await this.#connection(port(), over);
      await delay(20);
    }
  }

  #connection(port: number, over: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      let kind: number | null = null;
      let received = '';
      const socket = connect(port, '127.0.0.1');
      const next = () => {
        kind = over()
          ? null
          : (this.#unanswered.pop() ?? (this.#sent < this.maxVisits ? this.#sent++ % this.kinds.length : null));
        received = '';
        if (kind === null) socket.end();
        else socket.write(this.kinds[kind]!.head);
      };
      socket.setNoDelay(true);
      socket.on('connect', next);
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        if (kind === null || !received.endsWith('\r\n\r\n')) return;
        if (!received.startsWith('HTTP/1.1 302')) return reject(new Error(received));
        this.answered[kind]!++;
        if (this.kinds[kind]!.counts) this.countedAt.push(steadyNow());
        kind = null;
        if (/\r\nConnection: close\r\n/i.test(received)) socket.end();
        else next();
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        if (kind !== null) this.#unanswered.push(kind);
        resolve();
      });
    });
  }
}

const groupings = ['platform', 'browser', 'referrer', 'country', 'link', 'short_link', 'source'];

interface Counted {
  totals: { clicks: number; qr_scans: number; bots: number };
  series: { clicks: number }[];
  groups: { value: string | null; clicks: number; qr_scans: number }[];
}

async function counted(api: Program, query: string): Promise<Counted> {
  const answer = await api.ask(`/api/v1/projects/${project}/analytics?${query}`, { key: on.key });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json.data as unknown as Counted;
}

/** Expects exactly the sums of the visits in every grouping. */
async function expectExact(api: Program, visitors: Visitors, kinds: Kind[]): Promise<void> {
  const tally = (which: (kind: Kind) => boolean) =>
    kinds.reduce((sum, kind, at) => sum + (kind.counts && which(kind) ? visitors.answered[at]! : 0), 0);
  const all = tally(() => true);
  await until(async () => (await counted(api, 'include_bots=true')).totals.clicks >= all);
  for (const bots of [false, true]) {
    const among = (kind: Kind) => bots || !kind.robot;
    for (const grouping of groupings) {
      const { totals, series, groups } = await counted(api, `group_by=${grouping}&include_bots=${bots}`);
      expect(totals).toEqual({
        clicks: tally(among),
        qr_scans: tally((kind) => among(kind) && kind.qr),
        bots: tally((kind) => kind.robot),
      });
      expect(series.reduce((sum, part) => sum + part.clicks, 0)).toBe(totals.clicks);
      const values = [...new Set(kinds.filter(among).map((kind) => kind.in[grouping]!))];
      const expected = values.map((value) => ({
        value,
        clicks: tally((kind) => among(kind) && kind.in[grouping] === value),
        qr_scans: tally((kind) => among(kind) && kind.qr && kind.in[grouping] === value),
      }));
      const sorted = (some: { value: string | null; clicks: number; qr_scans: number }[]) =>
        some.map(({ value, clicks, qr_scans }) => `${value} ${clicks} ${qr_scans}`).sort();
      expect([grouping, ...sorted(groups)]).toEqual([grouping, ...sorted(expected)]);
    }
  }
  expect(await stored()).toBe(all);
}

async function stored(): Promise<number> {
  const [rows] = await on.cluster.query<{ clicks: number }>(
    `SELECT coalesce(sum(${clicksOfRow}), 0)::int AS clicks FROM clicks WHERE project_id = '${project}'`,
  );
  return rows!.clicks;
}

/** Reads the metrics of the replica with `METRICS_PORT`. */
const metricsOf = async (): Promise<(name: string) => number> => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return (name) => Number(new RegExp(`^signpost_clicks_${name} (\\d+)$`, 'm').exec(text)![1]);
};

it('every visit to two replicas counts once, although one restarts', async () => {
  const steady = await on.replica();
  let other = await on.replica();
  let otherPort = other.port;
  const kinds = await aCampaign(steady);
  const visitors = new Visitors(kinds, scaled(50_000));
  const startedAt = performance.now();
  const all = Promise.all(
    Array.from({ length: 16 }, (_, at) => visitors.visit(() => (at % 2 ? steady.port : otherPort))),
  );
  await until(() => visitors.total > scaled(20_000));
  const exit = await other.stop();
  expect(exit).toEqual({ code: 0, signal: null });
  other = await on.replica();
  otherPort = other.port;
  await all;
  console.info(`${visitors.total} visits answered in ${Math.round(performance.now() - startedAt)} ms`);
  expect(visitors.total).toBe(scaled(50_000));
  await expectExact(steady, visitors, kinds);
  await Promise.all([steady.stop(), other.stop()]);
  expect(other.logLines.filter(({ level }) => level !== 'info')).toEqual([]);
});

it('ten seconds without a database delay clicks and lose none', async () => {
  const replica = await measured();
  const kinds = await aCampaign(replica);
  // The replica caches every path before the database stops.
  const heads = kinds.map((kind) => ({ ...kind, head: kind.head.replace('GET', 'HEAD'), counts: false }));
  await new Visitors(heads, heads.length).visit(() => replica.port);
  // The maximum that a replica keeps.
  const visitors = new Visitors(kinds, 100_000);
  let over = false;
  const visit = () =>
    visitors.visit(
      () => replica.port,
      () => over,
    );
  const all = Promise.all([visit(), visit()]);
  await delay(1000);
  const before = visitors.total;
  await on.cluster.kill();
  await delay(Math.max(4000, scaled(10_000)));
  const meanwhile = await eventually(async () => {
    const metric = await metricsOf();
    return metric('waiting') > 0 && metric;
  });
  over = true;
  await all;
  console.info(`${visitors.total - before} visits answered without a database, ${meanwhile('waiting')} clicks waited`);
  await on.cluster.start();
  await until(async () => (await metricsOf())('waiting') === 0);
  await expectExact(replica, visitors, kinds);
  expect((await metricsOf())('dropped_total')).toBe(0);
  await replica.stop();
});

/** An idle machine loses at most one second of clicks; a busy one writes later. Stalls of the machine do not count. */
const lossMs = 15_000;

it('kill -9 loses only the last clicks, and another replica rolls up the written ones', async () => {
  const replica = await measured();
  const kinds = await aCampaign(replica);
  await replica.ask('/api/v1/account/webhooks', {
    method: 'POST',
    key: on.key,
    body: { ...selectingWebhook, project_id: project },
  });
  const visitors = new Visitors(kinds, 1_000_000);
  let over = false;
  const visit = () =>
    visitors.visit(
      () => replica.port,
      () => over,
    );
  const all = Promise.all(Array.from({ length: 4 }, visit));
  // However slow the machine is, a thousand clicks must be written by then.
  await until(() => (visitors.countedAt[1000] ?? Infinity) < steadyNow() - lossMs);
  const killedAt = steadyNow();
  await replica.kill();
  over = true;
  await all;
  const due = visitors.countedAt.filter((at) => at < killedAt - lossMs).length;
  const written = await stored();
  console.info(`${visitors.countedAt.length} clicks, ${visitors.countedAt.length - written} of them lost`);
  expect(due).toBeGreaterThan(1000);
  expect(written).toBeGreaterThanOrEqual(due);
  // Each connection may have one written click whose answer was lost.
  expect(written).toBeLessThanOrEqual(visitors.countedAt.length + 4);
  const other = await on.replica();
  // Ages the batches, so that the other replica takes them over.
  await on.cluster.query("UPDATE fresh_click_batches SET written_at = 'epoch'");
  await until(async () => (await on.cluster.query('SELECT FROM fresh_click_batches LIMIT 1')).length === 0);
  expect((await counted(other, 'include_bots=true')).totals.clicks).toBe(written);
  await other.stop();
  const byLink = await on.cluster.query<{ link: string; times: number }>(
    `SELECT dynamic_link_id AS link, count(*)::int AS times FROM single_clicks WHERE project_id = '${project}' AND NOT bot GROUP BY 1`,
  );
  expect(await milestonesIn(on.cluster)).toEqual(
    new Map(byLink.map(({ link, times }) => [`${link} click`, milestonesUpTo(times)])),
  );
});
