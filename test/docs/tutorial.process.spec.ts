/** @needs bash */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/chart-tools';
import { temporaryDirectory } from '../support/cluster';
import { DnsServer } from '../support/dns-server';
import { patternOf, sectionOf, type Step, stepsOf, Terminal } from '../support/documented-commands';
import { eventually, until } from '../support/eventually';
import { freePort } from '../support/free-port';
import { endAllPrograms, Program } from '../support/process';
import { pictureOfPng, readQrCode } from '../support/qr-reader';

const pageOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const tutorial = stepsOf(pageOf('docs/tutorial.md'));
const [start, ...steps] = tutorial;

let directory: string;
let folder: string;
let dns: DnsServer;
let port: number;
let service: Program;
let terminal: Terminal;

/** Starts the service as `npm start` does, on another port. */
beforeAll(async () => {
  directory = temporaryDirectory();
  port = await freePort();
  dns = await DnsServer.start();
  const environment = { DATA_DIR: join(directory, 'data'), PORT: String(port), DNS_RESOLVERS: dns.address };
  service = await Program.serving(environment);
  await until(() => service.stdout.includes('API description:'));
});

afterAll(async () => {
  await service?.stop();
  await endAllPrograms();
  await dns?.stop();
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  folder = join(directory, 'checkout');
  mkdirSync(folder);
  terminal = new Terminal(folder);
  const [keyLine] = /^export SIGNPOST_API_KEY=\S+$/m.exec(service.stdout)!;
  expect(await terminal.run(keyLine)).toBe('');
});

afterEach(async () => {
  // Also after a test that failed, because the next one creates the same project.
  await terminal.run(stepWith('-X DELETE').commands);
  await terminal.close();
  rmSync(folder, { recursive: true });
});

test('the first start has one line for all migrations, and then the link of the console before the key', () => {
  const { stdout } = service;
  expect(service.logLines.filter((line) => (line as { message?: string }).message === 'migrated')).toHaveLength(1);
  const places = ['/console/projects/', 'export SIGNPOST_API_KEY=', 'API description:'].map((text) =>
    stdout.indexOf(text),
  );
  expect(places).toEqual([...places].sort((a, b) => a - b));
  // In the link, and in the line to paste.
  expect(stdout.match(/svc_live_/g)).toHaveLength(2);
});

const onOurPort = (text: string): string => text.replaceAll('localhost:3000', `localhost:${port}`);

/** Runs commands as the page has them, and expects the output that the page shows. */
async function follow({ commands, output }: Step): Promise<void> {
  const pattern = new RegExp(`^${patternOf(onOurPort(output))}$`);
  let actual = await terminal.run(onOurPort(commands));
  const matches = async (): Promise<boolean> => {
    if (pattern.test(actual)) return true;
    actual = await terminal.run(onOurPort(commands));
    return false;
  };
  // Commands that only read are repeated, because a change or a click shows within a second.
  if (!/ -d | -X |\.json|\.png/.test(commands)) await eventually(matches).catch(() => undefined);
  expect({ commands, output: actual }).toEqual({ commands, output: expect.stringMatching(pattern) });
}

function stepWith(text: string): Step {
  const found = steps.filter(({ commands }) => commands.includes(text));
  expect([text, found.length]).toEqual([text, 1]);
  return found[0]!;
}

describe('the tutorial', () => {
  test('shows the output of the start', () => {
    expect(start!.commands).toBe('npm ci && npm start');
    expect(service.stdout).toMatch(new RegExp(patternOf(onOurPort(start!.output))));
  });

  test('works as written, from the account to the clean-up', async () => {
    for (const step of steps) {
      await follow(step);
      if (!step.commands.includes('-o qr-code.png')) continue;
      const picture = pictureOfPng(readFileSync(join(folder, 'qr-code.png')));
      expect(picture.width).toBe(1024);
      expect(readQrCode(picture)).toBe(onOurPort('http://summer.localhost:3000/sale?_via=qr'));
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test('promises destinations, counted clicks and the clean-up', () => {
    const promised = (text: string) => steps.filter(({ output }) => output.includes(text)).length;
    expect(promised('302 Found\nLocation: https://')).toBeGreaterThanOrEqual(5);
    expect(promised('"totals":{"clicks":2,')).toBe(1);
    expect(promised('404 Not Found')).toBe(1);
  });
});

test('the first link of the README works as written', async () => {
  const [first, ...others] = stepsOf(sectionOf(pageOf('README.md'), '## First link'));
  expect(others).toEqual([]);
  const output = await terminal.run(onOurPort(first!.commands));
  expect(output).toContain('HTTP/1.1 302 Found\nLocation: https://example.com/');
});

describe('after the tutorial up to its link', () => {
  beforeEach(async () => {
    const last = steps.indexOf(stepWith('LINK=$(id_of link.json)'));
    for (const step of steps.slice(0, last + 1)) await follow(step);
  });

  test('the commands for custom domains work as written', async () => {
    for (const step of stepsOf(pageOf('docs/custom-domains.md'))) {
      await follow(step);
      if (!step.commands.includes('domain.json') || dns.queriedNames.length > 0) continue;
      const { data } = JSON.parse(readFileSync(join(folder, 'domain.json'), 'utf8')) as {
        data: { verification_record: { name: string; value: string } };
      };
      dns.publish(data.verification_record.name, data.verification_record.value);
    }
    expect(dns.queriedNames).toContain('_link-domain-challenge.links.example.com');
  });

  test('the commands for app developers work as written', async () => {
    const commands = stepsOf(pageOf('docs/app-developers.md'));
    expect(commands.length).toBeGreaterThanOrEqual(2);
    for (const step of commands) await follow(step);
  });
});
