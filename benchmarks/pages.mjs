// npm run bench:pages compares pages and association files with a bare node:http server that sends the same bytes, interleaved in one
// run. Prints for each case the median ratios of answers per second and of CPU time. CASES=landing,preview selects cases by name.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { load, median } from './load.mjs';
import { account, checkout, postgres, program, service } from './programs.mjs';

const connections = 64;
const rounds = Number(process.env.ROUNDS ?? 7);
const seconds = Number(process.env.SECONDS ?? 2);
/** Another built checkout to measure. */
const root = process.env.CHECKOUT ?? checkout;

const agents = {
  desktop:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  macintosh:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
  slack: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  instagramIos:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22A3354 Instagram 350.0.0.20.99 (iPhone15,2; iOS 18_0; en_US; en; scale=3.00; 1179x2556; 640000000)',
  instagramAndroid:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UD1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 Instagram 350.0.0.20.99 Android',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
};

/** The wanted ratio is that of answers per second. Parameters differ with every request, as click ids do. */
const cases = {
  landing: { path: '/landing', agent: agents.desktop, wanted: 0.5 },
  'landing, Macintosh': { path: '/landing', agent: agents.macintosh, wanted: 0.5 },
  'landing, parameters': { path: '/landing', agent: agents.desktop, parameters: true },
  preview: { path: '/landing', agent: agents.slack, wanted: 0.5 },
  'preview, parameters': { path: '/landing', agent: agents.slack, parameters: true },
  'in-app, iOS': { path: '/apps', agent: agents.instagramIos, wanted: 0.5 },
  'in-app, iOS, parameters': { path: '/apps', agent: agents.instagramIos, parameters: true },
  'in-app, Android': { path: '/apps', agent: agents.instagramAndroid, wanted: 0.5 },
  'in-app, Play Store': { path: '/store', agent: agents.instagramAndroid, wanted: 0.5 },
  'get the app': { path: '/deferred', agent: agents.iphone },
  'Apple file, 2 apps': { path: '/.well-known/apple-app-site-association', agent: 'swcd', wanted: 0.6 },
  'asset links, 2 apps': { path: '/.well-known/assetlinks.json', agent: 'Android', wanted: 0.6 },
  'asset links, 99 apps': { path: '/.well-known/assetlinks.json', agent: 'Android', host: 'many', wanted: 0.6 },
};
const selected = Object.entries(cases).filter(
  ([name]) => !process.env.CASES || process.env.CASES.split(',').some((part) => name.startsWith(part)),
);

const database = await postgres();
const signpost = await service(database.url, {}, root);
await store();
const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-pages-'));
let baseline;
try {
  const answers = [];
  for (const [, one] of selected) answers.push({ ...(await answerOf(one)), path: `/${answers.length}` });
  writeFileSync(join(folder, 'answers.json'), JSON.stringify(answers));
  baseline = await program('benchmarks/pages-baseline.mjs', { ANSWERS_FILE: join(folder, 'answers.json') });
  console.log(`${connections} connections, ${rounds} rounds of ${seconds} s each side; medians`);
  for (const [at, [name, one]] of selected.entries()) await compare(name, one, answers[at]);
} finally {
  await baseline?.stop();
  await signpost.stop();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function compare(name, { path, agent, host = 'bench', parameters, wanted }, { path: recorded, body }) {
  const head = `HTTP/1.1\r\nHost: ${host}.localhost\r\nUser-Agent: ${agent}\r\n\r\n`;
  const sides = {
    bare: { ...baseline, request: () => `GET ${recorded} ${head}` },
    signpost: { ...signpost, request: () => `GET ${path}${parameters ? `?${parametersOf()}` : ''} ${head}` },
  };
  const ratios = { perSecond: [], cpu: [] };
  const speeds = [];
  for (let round = -1; round < rounds; round++) {
    const result = {};
    for (const side of round % 2 ? ['bare', 'signpost'] : ['signpost', 'bare'])
      result[side] = await load({ ...sides[side], expect: 200, connections, seconds: round < 0 ? 1 : seconds });
    if (round < 0) continue; // warms both up
    speeds.push(result.signpost);
    for (const figure of Object.keys(ratios)) ratios[figure].push(result.signpost[figure] / result.bare[figure]);
  }
  const bytes = Buffer.byteLength(body, 'base64');
  console.log(
    `${name.padEnd(24)} ${String(bytes).padStart(6)} bytes  ${median(ratios.perSecond).toFixed(2)} of node:http` +
      `${wanted ? ` (wanted ${wanted})` : ''}  CPU ${median(ratios.cpu).toFixed(2)} times, ` +
      `${median(speeds.map(({ cpu }) => cpu)).toFixed(0)} µs  ${median(speeds.map(({ perSecond }) => perSecond)).toFixed(0)}/s`,
  );
}

function parametersOf() {
  return `utm_source=mail&click=${Math.random().toString(36).slice(2)}`;
}

/** Records an answer of Signpost, without the headers that node:http adds by itself. */
function answerOf({ path, agent, host = 'bench', parameters }) {
  const options = {
    host: '127.0.0.1',
    port: signpost.port,
    path: parameters ? `${path}?${parametersOf()}` : path,
    headers: { Host: `${host}.localhost`, 'User-Agent': agent },
  };
  return new Promise((resolve, reject) => {
    request(options, async (response) => {
      const chunks = await response.toArray();
      const own = ['date', 'connection', 'keep-alive'];
      const headers = response.rawHeaders.filter((_, at, all) => !own.includes(all[at - (at % 2)].toLowerCase()));
      if (response.statusCode !== 200) return reject(new Error(`${path} answers ${response.statusCode}`));
      resolve({ status: 200, headers, body: Buffer.concat(chunks).toString('base64') });
    })
      .on('error', reject)
      .end();
  });
}

async function store() {
  const { account: owner, user } = account(database.url, 'enterprise', root);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const one = async (sql, values) => (await client.query(sql, values)).rows[0].id;
  const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
  const project = (subdomain) =>
    one(
      `INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES (gen_random_uuid(), $1, $2, 'Bench', $3) RETURNING id`,
      [owner.id, user.id, subdomain],
    );
  const android = (owner, n) =>
    one(
      `INSERT INTO android_apps (id, project_id, name, package_name, sha_fingerprints)
       VALUES (gen_random_uuid(), $1, 'Shop', 'com.example.shop' || $2, ARRAY[$3]) RETURNING id`,
      [owner, n, fingerprint],
    );
  const ios = (owner, n) =>
    one(
      `INSERT INTO ios_apps (id, project_id, name, bundle_id, team_id, appstore_id)
       VALUES (gen_random_uuid(), $1, 'Shop', 'com.example.shop' || $2, 'ABCDE12345', '1234567890') RETURNING id`,
      [owner, n],
    );
  const bench = await project('bench');
  const many = await project('many');
  for (let n = 0; n < 99; n++) await android(many, n);
  const [iosApp, androidApp] = [await ios(bench, 1), await android(bench, 1)];
  await ios(bench, 2);
  await android(bench, 2);
  const link = (path, fields) => {
    const columns = { social_title: 'Summer sale', social_description: 'Half price until Sunday.', ...fields };
    const names = Object.keys(columns);
    return client.query(
      `INSERT INTO dynamic_links (id, project_id, name, custom_path, ${names.join(', ')})
       VALUES (gen_random_uuid(), $1, 'Link', $2, ${names.map((_, at) => `$${at + 3}`).join(', ')})`,
      [bench, path, ...Object.values(columns)],
    );
  };
  const apps = { ios_app_id: iosApp, android_app_id: androidApp };
  await link('landing', { ...apps, social_image_url: 'https://pictures.example.com/sale.png' });
  await link('apps', {
    ...apps,
    ios_fallback_url: 'https://m.example.com/sale',
    android_fallback_url: 'https://m.example.com/sale',
  });
  await link('store', apps);
  await link('deferred', { ...apps, ios_deferred_deep_link: true });
  await client.end();
}
