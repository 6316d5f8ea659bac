// npm run bench:bulk compares bulk requests of 1,000 operations with 1,000 single requests that create links, in turn in one run. It prints
// the times and their ratio to the first one. Then it changes 2,000 links by one filter. ROUNDS sets the number of rounds.
import http from 'node:http';
import pg from 'pg';
import { median } from './load.mjs';
import { account, postgres, service } from './programs.mjs';

const rounds = Number(process.env.ROUNDS ?? (process.env.QUICK === '1' ? 1 : 5));
const size = 1000;
/** Links that one filter finds. */
const matches = 2000;
/** Single requests at a time. */
const clients = 16;

const database = await postgres();
const client = new pg.Client({ connectionString: database.url });
const signpost = await service(database.url);
const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
try {
  await client.connect();
  const { api_key: key, account: owner, user } = account(database.url, 'enterprise');
  const { rows } = await client.query(
    `INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES (gen_random_uuid(), $1, $2, 'Bench', 'bench') RETURNING id`,
    [owner.id, user.id],
  );
  const links = `/api/v1/projects/${rows[0].id}/links`;
  const send = (path, body, expected) => request(signpost.port, key.key, path, JSON.stringify(body), expected);
  let number = 0;
  const aLink = (tags) => ({
    name: `Link ${++number}`,
    desktop_url: `https://example.com/${number}`,
    external_id: `bench-${number}`,
    ...(tags && { tags: ['Imported', `Tag ${number % 50}`] }),
  });
  /** Sends an operation for each of a thousand numbers, and returns the ids of the results. */
  const bulk = async (operationOf) => {
    const answer = await send(
      `${links}/bulk`,
      { operations: Array.from({ length: size }, (_, at) => operationOf(at)) },
      200,
    );
    const { failed, results } = JSON.parse(answer).data;
    if (failed > 0)
      throw new Error(`${failed} operations failed: ${JSON.stringify(results.find(({ error }) => error))}`);
    return results.map(({ data }) => data?.id);
  };
  let ids;
  const ways = {
    creations: async () => (ids = await bulk(() => ({ op: 'create', link: aLink(false) }))),
    updates: () => bulk((at) => ({ op: 'update', id: ids[at], link: { name: `Renamed ${at}`, archived: true } })),
    'updates of paths': () => bulk((at) => ({ op: 'update', id: ids[at], link: { custom_path: `moved-${++number}` } })),
    deletions: () => bulk((at) => ({ op: 'delete', id: ids[at] })),
    'creations with two tags each': async () => (ids = await bulk(() => ({ op: 'create', link: aLink(true) }))),
    'creations and updates in turn': () =>
      bulk((at) =>
        at % 2 ? { op: 'create', link: aLink(false) } : { op: 'update', id: ids[at], link: { name: `Turn ${at}` } },
      ),
    '1,000 single creations, 16 at a time': async () => {
      let left = size;
      const worker = async () => {
        while (left-- > 0) await send(links, aLink(false), 201);
      };
      await Promise.all(Array.from({ length: clients }, worker));
    },
    '1,000 single creations, one at a time': async () => {
      for (let each = 0; each < size; each++) await send(links, aLink(false), 201);
    },
  };
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, run] of Object.entries(ways)) {
      const startedAt = performance.now();
      await run().catch((error) => {
        throw new Error(`${name}: ${error.message}`);
      });
      // The first round warms up.
      if (round > 0) times[name].push(performance.now() - startedAt);
    }
  const [other] = (
    await client.query(
      `INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES (gen_random_uuid(), $1, $2, 'Filter', 'filter') RETURNING id`,
      [owner.id, user.id],
    )
  ).rows;
  const filtered = `/api/v1/projects/${other.id}/links/bulk`;
  const actions = [
    { action: 'add_tags', tags: ['Summer'] },
    { action: 'archive' },
    { action: 'disable' },
    { action: 'delete' },
  ];
  for (let round = 0; round <= rounds; round++) {
    for (let batch = 0; batch < matches / size; batch++)
      await send(
        filtered,
        { operations: Array.from({ length: size }, () => ({ op: 'create', link: aLink(true) })) },
        200,
      );
    for (const change of actions) {
      const startedAt = performance.now();
      const filter = { archived: 'any', search: 'Link' };
      const answer = await send(`${filtered}/by-filter`, { filter, expected_count: matches, ...change }, 200);
      if (JSON.parse(answer).data.changed !== matches) throw new Error(`${change.action}: ${answer}`);
      if (round > 0) (times[`2,000 by filter: ${change.action}`] ??= []).push(performance.now() - startedAt);
    }
  }
  console.log(`Node ${process.versions.node}, medians of ${rounds} rounds`);
  const [first] = Object.values(times).map(median);
  for (const [name, measured] of Object.entries(times)) {
    const time = median(measured);
    console.log(`${name.padEnd(38)} ${time.toFixed(0).padStart(6)} ms  ratio ${(time / first).toFixed(2)}`);
  }
} finally {
  agent.destroy();
  await client.end();
  await signpost.stop();
  await database.stop();
}

function request(port, key, path, body, expected) {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const sent = http.request({ port, path, method: 'POST', headers, agent }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode !== expected) reject(new Error(`${response.statusCode}: ${text.slice(0, 500)}`));
        else resolve(text);
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
