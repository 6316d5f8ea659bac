import { setTimeout as sleep } from 'node:timers/promises';
import { userAgents } from '../link-routing/user-agents';
import {
  aCustomDomain,
  aDynamicLink,
  anAndroidApp,
  anIosApp,
  aProject,
  aShortLink,
  aVerifiedDomain,
  type ProjectBody,
  unique,
} from '../support/builders';
import { createDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { eventually } from '../support/eventually';
import { sendRequest } from '../support/raw-http';
import { SteadyClock } from '../support/steady-clock';
import { aService } from '../support/service';
import { useProductionHeartbeats } from '../support/time-limits';
import { atEndOfTest } from '../support/end-of-test';
import { fixture, dnsFixture, accountFixture, serviceFixture } from '../support/fixtures';

/** The deadline after which every process must serve a change, by the steady clock. */
const maxDelayMs = 1000;

beforeAll(useProductionHeartbeats);

const database = fixture(() => createDatabase());
const clock = fixture(() => new SteadyClock(() => database.query('SELECT')));
const proxy = fixture(() => DatabaseProxy.before(database.url));
const dns = dnsFixture();
const writer = serviceFixture(
  () => ({ DNS_RESOLVERS: dns.address }),
  () => database,
);
/** Connects to the database through the proxy. */
const reader = fixture(() => aService({}, { ...database, url: proxy.url }));
const account = accountFixture(writer);

/** Summarises the reader's answer in one word. */
async function readOutcome(project: ProjectBody, path: string, headers: Record<string, string> = {}): Promise<string> {
  const { status, headers: answered, text } = await reader.visit(project.subdomain, path, headers);
  return status === 302 ? answered['location']! : status === 200 ? text : String(status);
}

/** Summarises the answer on any host; `api` if it is not a link host. */
async function readOutcomeOn(host: string, path: string): Promise<string> {
  const answer = await sendRequest(reader.url, `GET ${path}`, { Host: host });
  return answer.status === 302 ? answer.headers['location']! : 'error' in answer.body ? 'api' : String(answer.status);
}

/** Returns the URL in the preview. */
async function readPreviewUrl(project: ProjectBody, path: string): Promise<string> {
  const preview = await readOutcome(project, path, { 'User-Agent': userAgents.slackbot });
  return /<meta property="og:url" content="([^"]*)">/.exec(preview)?.[1] ?? preview;
}

interface Round {
  /** Reads the outcome; `before` and `after` are its expected values. */
  look: () => Promise<string>;
  before: RegExp;
  after: RegExp;
  change: () => Promise<unknown>;
}

type Kind = (project: ProjectBody) => Promise<Round>;

const at = (path: string): string => `https://example.com/${path}`;

/** Expects another answer of a path of the project after the change. */
const visited = (
  project: ProjectBody,
  path: string,
  after: RegExp,
  change: Round['change'],
  before = /old$/,
): Round => ({
  look: () => readOutcome(project, `/${path}`),
  before,
  after,
  change,
});

const send = (method: 'post' | 'put' | 'delete', project: ProjectBody, path: string, body?: object) =>
  writer.api(method, `/projects/${project.id}${path}`, account.key).send(body);

async function aLink(project: ProjectBody, fields: Record<string, unknown> = {}) {
  const path = unique('path');
  const link = { custom_path: path, desktop_url: at('old'), ...fields };
  const { id } = await aDynamicLink(writer, account.key, project.id, link);
  const update = (changes: object) => send('put', project, `/links/${id}`, changes).expect(200);
  return { id, path, update, remove: () => send('delete', project, `/links/${id}`).expect(200) };
}

/** Creates a project for a kind that changes the project itself, with a link in it. */
async function aProjectWithLink(): Promise<[project: ProjectBody, path: string]> {
  const project = await aProject(writer, account.key);
  return [project, (await aLink(project, { social_title: 'Sale' })).path];
}

const kinds: Record<string, Kind> = {
  'a destination': async (project) => {
    const { path, update } = await aLink(project);
    return visited(project, path, /new$/, () => update({ desktop_url: at('new') }));
  },
  'a destination, by SQL': async (project) => {
    const { id, path } = await aLink(project);
    const sql = 'UPDATE dynamic_links SET desktop_url = $2 WHERE id = $1';
    return visited(project, path, /new$/, () => database.query(sql, [id, at('new')]));
  },
  'a deleted link': async (project) => {
    const { path, remove } = await aLink(project);
    return visited(project, path, /^404$/, remove);
  },
  'a path left': async (project) => {
    const { path, update } = await aLink(project);
    return visited(project, path, /^404$/, () => update({ custom_path: unique('other') }));
  },
  'a path taken by another link': async (project) => {
    const { path, update } = await aLink(project);
    const other = await aLink(project, { desktop_url: at('new') });
    await readOutcome(project, `/${other.path}`);
    return visited(project, path, /new$/, async () => {
      await update({ custom_path: unique('other') });
      await other.update({ custom_path: path });
    });
  },
  'a new path': async (project) => {
    const path = unique('path');
    return visited(project, path, /old$/, () => aLink(project, { custom_path: path }), /^404$/);
  },
  'a deleted short link': async (project) => {
    const { id } = await aLink(project);
    const short = await aShortLink(writer, account.key, project.id, id);
    const change = () => send('delete', project, `/short-links/${short.id}`).expect(200);
    return visited(project, short.slug, /^404$/, change);
  },
  "an app's store page": async (project) => {
    const app = await anIosApp(writer, account.key, project.id, { appstore_id: '111' });
    const { path } = await aLink(project, { ios_app_id: app.id });
    return {
      look: () => readOutcome(project, `/${path}`, { 'User-Agent': userAgents.iphone }),
      before: /id111$/,
      after: /id222$/,
      change: () => send('put', project, `/ios-apps/${app.id}`, { appstore_id: '222' }).expect(200),
    };
  },
  'an association file': async (project) => {
    const name = `com.example.${unique('app').replaceAll('-', '')}`;
    const change = () => anAndroidApp(writer, account.key, project.id, { package_name: name });
    return visited(project, '.well-known/assetlinks.json', new RegExp(`"${name}"`), change, /^(?!.*\bunseen\b)/);
  },
  "a project's new subdomain, on the old one": async () => {
    const [own, path] = await aProjectWithLink();
    const subdomain = unique('renamed');
    return {
      look: () => readPreviewUrl(own, `/${path}`),
      before: new RegExp(`//${own.subdomain}\\.`),
      after: new RegExp(`//${subdomain}\\.`),
      change: () => send('put', own, '', { subdomain }).expect(200),
    };
  },
  'a subdomain that was taken away': async () => {
    const [own, path] = await aProjectWithLink();
    await send('put', own, '', { subdomain: unique('renamed') }).expect(200);
    const sql = 'DELETE FROM subdomains WHERE name = $1';
    return visited(own, path, /^404$/, () => database.query(sql, [own.subdomain]));
  },
  'a verified domain': async () => {
    const [own, path] = await aProjectWithLink();
    const { id, hostname, verification_record: record } = await aCustomDomain(writer, account.key, own.id);
    dns.publish(record.name, record.value);
    const change = () => send('post', own, `/custom-domains/${id}/verify`).expect(200);
    return { look: () => readOutcomeOn(hostname, `/${path}`), before: /^api$/, after: /old$/, change };
  },
  'a removed domain': async () => {
    const [own, path] = await aProjectWithLink();
    const { id, hostname } = await aVerifiedDomain(writer, dns, account.key, own.id);
    const change = () => send('delete', own, `/custom-domains/${id}`).expect(200);
    return { look: () => readOutcomeOn(hostname, `/${path}`), before: /old$/, after: /^api$/, change };
  },
  'an active domain': async () => {
    const [own, path] = await aProjectWithLink();
    const { id, hostname } = await aVerifiedDomain(writer, dns, account.key, own.id);
    return {
      look: () => readPreviewUrl(own, `/${path}`),
      before: new RegExp(`//${own.subdomain}\\.`),
      after: new RegExp(`//${hostname}[:/]`),
      change: () => send('put', own, `/custom-domains/${id}`, { active: true }).expect(200),
    };
  },
  'a deleted project': async () => {
    const [own, path] = await aProjectWithLink();
    return visited(own, path, /^404$/, () => send('delete', own, '').expect(200));
  },
};

/** Makes the change; returns the milliseconds until the reader serves it. */
async function measureDelay(kind: Kind, project: ProjectBody): Promise<number> {
  const { look, before, after, change } = await kind(project);
  // The setup is also a change.
  await eventually(async () => before.test(await look()), maxDelayMs, clock.now);
  expect(await look()).toMatch(before);
  await change();
  const changedAt = clock.now();
  for (;;) {
    const requestedAt = clock.now();
    const answer = await look();
    if (after.test(answer)) return clock.now() - changedAt;
    // Requests after the deadline must see the change.
    if (requestedAt - changedAt > maxDelayMs)
      throw new Error(`${answer} ${Math.round(requestedAt - changedAt)} ms after the change`);
    await sleep(5);
  }
}

async function measureAll(rounds: number): Promise<void> {
  const project = await aProject(writer, account.key);
  const names = Object.keys(kinds);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const name = names[round % names.length]!;
    try {
      times.push(await measureDelay(kinds[name]!, project));
    } catch (error) {
      throw new Error(`round ${round + 1}, ${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  times.sort((a, b) => a - b);
  console.info(
    `${rounds} changes seen by the other process after ${times[Math.floor(rounds / 2)]!.toFixed(0)} ms (median), ` +
      `${times.at(-1)!.toFixed(0)} ms (slowest)`,
  );
}

test('another process serves a change within a second, in all of a hundred rounds', async () => {
  await measureAll(100);
});

test('another process serves a change within a second while the LISTEN connection is cut repeatedly', async () => {
  const cutting = setInterval(() => proxy.cut('signpost change listener'), 70);
  atEndOfTest(() => clearInterval(cutting));
  await measureAll(54);
});

test('another process serves a change within a second after the LISTEN connection stalls', async () => {
  for (const name of [
    'a destination',
    'a deleted link',
    "an app's store page",
    'a deleted project',
    'a verified domain',
    'a removed domain',
    'an active domain',
  ]) {
    await sleep(1500); // until notifications arrive and the cache is valid
    const project = await aProject(writer, account.key);
    const kind: Kind = async (own) => {
      const round = await kinds[name]!(own);
      const change = async () => {
        proxy.blackhole('signpost change listener');
        await round.change();
      };
      return { ...round, change };
    };
    await measureDelay(kind, project);
    await measureAll(6);
    proxy.heal();
  }
});

test('another process applies a revoked key and a lower plan immediately', async () => {
  await sleep(1500); // until notifications arrive
  const project = await aProject(writer, account.key);
  const { id } = await aLink(project);
  const path = `/projects/${project.id}/short-links`;
  const shortLink = () => reader.api('post', path, account.key).send({ dynamic_link_id: id });
  await shortLink().expect(201);
  await writer.setPlan(account.accountId, 'free');
  await eventually(async () => (await shortLink()).status === 403, maxDelayMs, clock.now);
  await writer.setPlan(account.accountId, 'enterprise');
  const other = await writer.anAccount();
  await reader.api('get', '/projects', other.key).expect(200);
  await database.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [other.apiKeyId]);
  await eventually(async () => (await reader.api('get', '/projects', other.key)).status === 401, maxDelayMs, clock.now);
});
