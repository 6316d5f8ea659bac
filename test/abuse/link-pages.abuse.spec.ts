import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aFingerprint } from '../support/builders';
import { AttackedService, written } from '../support/victim';
import { fixture } from '../support/fixtures';

const connections = 24;
const attackSeconds = 2;
const costSeconds = 1;
/** How often the costs of a page are compared with those of a redirect. */
const maxRounds = 10;
const on = fixture(() => AttackedService.start());
beforeAll(async () => {
  const attacker = await on.anAttacker('free');
  const social = { social_title: 'Sale', social_description: 'x'.repeat(1000) };
  await attacker.create('/links', { name: 'Landing', custom_path: 'landing', ...social });
  await attacker.create('/links', { name: 'R', custom_path: 'redirect', desktop_url: 'https://example.com/' });
  // As many apps as a project may have, by SQL, because the rate limit of 60 requests per minute is shorter.
  await on.database.query(
    `INSERT INTO android_apps (id, project_id, name, package_name, sha_fingerprints)
     SELECT gen_random_uuid(), $1, 'App', 'com.example.app' || n, $2 FROM generate_series(1, 99) n`,
    [attacker.project, Array.from({ length: 11 }, (_, at) => aFingerprint(at))],
  );
  await costOfRedirect(); // warms up
});

/** Returns the CPU time of the service in microseconds. */
function cpuMicroseconds(): number {
  const fields = readFileSync(`/proc/${on.program.pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Returns the CPU time per answer, without other requests. */
async function costOf(path: string, userAgent: string, perSecond: number): Promise<number> {
  const before = cpuMicroseconds();
  const answers = await flood(path, userAgent, perSecond, costSeconds);
  return (cpuMicroseconds() - before) / Object.values(answers).reduce((sum, count) => sum + count, 0);
}

const costOfRedirect = (): Promise<number> => costOf('/redirect', desktop, 1500);

async function flood(
  path: string,
  userAgent: string,
  perSecond: number,
  seconds: number,
): Promise<Record<string, number>> {
  const script = join(__dirname, '../support/flood.mjs');
  const settings = [on.program.port, 'attacker-1.localhost', path, userAgent, connections, perSecond, seconds];
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...settings.map(String)]);
  return JSON.parse(stdout) as Record<string, number>;
}

const desktop = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0';
const longAgent = `${desktop} ${'x'.repeat(370)} Build/{n}`; // as long as a cached one may be
const crawler = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';

// Rates are fixed, because an unlimited client would compete with the others for the processor of this machine.
test.each([
  ['an association file of 99 apps', '/.well-known/assetlinks.json', 'Android', 600, 4],
  ['a landing page', '/landing', desktop, 1500, 4],
  ['a landing page with other parameters each time', '/landing?click={n}', desktop, 1500, 6],
  ['a preview with other parameters each time', '/landing?click={n}', crawler, 1500, 5],
  ['a redirect with another user agent each time', '/redirect', longAgent, 1500, 4],
  ['a redirect with other parameters each time', '/redirect?click={n}', desktop, 1500, 2],
])('many requests for %s do not slow down other accounts', async (name, path, userAgent, perSecond, maxRedirects) => {
  const status = path.startsWith('/redirect') ? '302' : '200';
  const ratios: number[] = [];
  // Further rounds run only if a page costs too much, because other work on the machine slows one of the two. The best one decides.
  while (ratios.length === 0 || (Math.min(...ratios) >= maxRedirects && ratios.length < maxRounds)) {
    const [redirectCost, cost] = [await costOfRedirect(), await costOf(path, userAgent, perSecond)];
    ratios.push(cost / redirectCost);
    console.info(`${name}: ${Math.round(cost)} µs of CPU, ${(cost / redirectCost).toFixed(1)} times a redirect`);
  }
  expect(Math.min(...ratios)).toBeLessThan(maxRedirects);
  const during = await on.victim.expectUnharmed(() => flood(path, userAgent, perSecond, attackSeconds), {
    isUnavailable: (statuses) => '503' in statuses,
  });
  console.info(`${name}: ${written(during)}; attacker ${Math.round((during.attack[status] ?? 0) / attackSeconds)}/s`);
  expect(Object.keys(during.attack)).toEqual([status]);
});
