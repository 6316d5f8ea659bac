/* global URLSearchParams, fetch */
import { get as httpGet } from 'node:http';
import { placeOf } from './fill.mjs';
import { load } from './load.mjs';

const clients = 16;
const seconds = Number(process.env.SECONDS ?? 2);
const listRounds = 9;
/** Single requests, so that other programs disturb the median more than the fastest one. */
const fastest = (figures) => Math.min(...figures);

/** The cases of the management API, in the project of the most links. */
export function requests() {
  const created = JSON.stringify({ name: 'A link', desktop_url: 'https://example.com/some/page' });
  let names = 0;
  const updated = () => JSON.stringify({ name: `Name ${names++}`, desktop_url: 'https://example.com/another/page' });
  return {
    'get a link': {
      prepare: async (side) => (side.ids = await anyIds(side, 10_000)),
      measure: (side) => run(side, 200, () => call(side, 'GET', `links/${any(side.ids)}`)),
    },
    'list: first page': list({}),
    'list: page 100': list({ page: 100 }),
    'list: page 10,000': list({ page: 10_000 }),
    'list by name': list({ sortBy: 'name' }),
    'list by path': list({ sortBy: 'custom_path' }),
    'list by update': list({ sortBy: 'updated_at' }),
    'list of an app': list(({ app }) => ({ ios_app_id: app })),
    'search: no match': list({ search: 'nosuchword' }),
    'search: rare word': list({ search: 'zebra' }),
    'search: exact path': list(({ links }) => ({ search: placeOf(1, links).path })),
    'search: common word': list({ search: 'summer' }),
    'search: frequent words, no match': list({ search: 'summer banner email' }),
    'search: two words': list({ search: 'summer sale' }),
    'search: two letters': list({ search: 'er' }),
    'rename of the project': { rounds: listRounds, pick: fastest, measure: rename },
    'create a link': {
      finish: removeCreated,
      measure: (side) => run(side, 201, () => call(side, 'POST', 'links', created)),
    },
    'update a link': {
      prepare: async (side) => (side.ids = await anyIds(side, 10_000)),
      measure: (side) => run(side, 200, () => call(side, 'PUT', `links/${any(side.ids)}`, updated())),
    },
  };
}

/** Removes the created links, because they are the newest ones of every list. */
const removeCreated = ({ sql, project }) =>
  sql("DELETE FROM dynamic_links WHERE project_id = $1 AND name = 'A link' AND created_at > '2026-06-01'", [project]);

const any = (values) => values[Math.floor(Math.random() * values.length)];

async function anyIds({ sql, project }, count) {
  const rows = await sql(
    'SELECT id FROM dynamic_links WHERE project_id = $1 AND deleted_at IS NULL ORDER BY random() LIMIT $2',
    [project, count],
  );
  return rows.map(({ id }) => id);
}

const call = ({ key, project }, method, path, body) =>
  `${method} /api/v1/projects/${project}/${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
  (body ? `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}` : '\r\n');

async function run({ port, pid, cpuOfDatabase }, expect, request) {
  const before = cpuOfDatabase();
  const result = await load({ port, pid, expect, connections: clients, seconds, request });
  return {
    'per second': result.perSecond,
    'ms, median': result.p50,
    'µs CPU PostgreSQL': (cpuOfDatabase() - before) / result.requests,
  };
}

/** Reads a list after a change of a link. */
const list = (query) => ({
  rounds: listRounds,
  pick: fastest,
  measure: async (side) => {
    const { sql, port, key, project } = side;
    await sql(
      'UPDATE dynamic_links SET updated_at = now() WHERE id = (SELECT id FROM dynamic_links WHERE project_id = $1 ORDER BY created_at, id LIMIT 1)',
      [project],
    );
    await sql('SELECT pg_stat_statements_reset()');
    const url = `http://127.0.0.1:${port}/api/v1/projects/${project}/links?${new URLSearchParams(typeof query === 'function' ? query(side) : query)}`;
    const startedAt = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const body = await response.json();
    const ms = performance.now() - startedAt;
    if (response.status !== 200) throw new Error(`${url}: ${response.status} ${JSON.stringify(body)}`);
    const [{ time }] = await sql(
      "SELECT coalesce(sum(total_exec_time), 0) AS time FROM pg_stat_statements WHERE query ~ 'dynamic_links' AND query !~ 'pg_stat|UPDATE'",
    );
    return { ms, 'ms in PostgreSQL': Number(time) };
  },
});

/** Renames the project, and waits until one of its links redirects on the new host. */
async function rename({ port, key, project, links }, round) {
  const subdomain = round % 2 ? 'size-0-renamed' : 'size-0';
  const startedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/projects/${project}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ subdomain }),
  });
  if (response.status !== 200) throw new Error(`rename: ${response.status} ${await response.text()}`);
  const answered = performance.now() - startedAt;
  while ((await statusOf(port, `${subdomain}.localhost`, `/${placeOf(1, links).path}`)) !== 302);
  return { 'ms to the answer': answered, 'ms to a redirect': performance.now() - startedAt };
}

/** The global `fetch` cannot set the `Host` header. */
function statusOf(port, host, path) {
  return new Promise((resolve, reject) => {
    httpGet({ host: '127.0.0.1', port, path, headers: { Host: host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}
