import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type TestDatabase } from '../support/database';
import { endAllPrograms, Program } from '../support/process';
import { aStoredKey } from '../support/stored-key';
import { chartMemoryMb, type Experience, podEnvironment, Victim } from '../support/victim';

jest.setTimeout(60_000);

const quietMs = 1500;
const attackMs = 2500;
const intervalMs = 100;
const maxRounds = 3;

let database: TestDatabase;
let service: Program;
let victim: Victim;
let largestFile: string;
let sockets: Socket[] = [];

beforeAll(async () => {
  database = await createDatabase();
  service = await Program.serving({ ...podEnvironment, DATABASE_URL: database.url });
  victim = await Victim.of(service, database);
  await anAssociationFile();
  largestFile = await findLargestFile();
  await victim.experienceDuring(Promise.resolve(), quietMs); // warms up
});
afterEach(() => closeConnections());
afterAll(async () => {
  await endAllPrograms();
  await database.drop();
});

/** Creates a project whose asset-links file has 100 kB. */
async function anAssociationFile(): Promise<void> {
  const { key } = await aStoredKey(database);
  const body = { name: 'Apps', subdomain: 'many-apps' };
  const project = await service.ask('/api/v1/projects', { method: 'POST', key, body });
  await database.query(
    `INSERT INTO android_apps (id, project_id, name, package_name, sha_fingerprints)
     SELECT gen_random_uuid(), $1, 'App', 'com.example.app' || n, array_fill($2::text, ARRAY[50])
     FROM generate_series(1, 20) n`,
    [project.json.data['id'], Array<string>(32).fill('AB').join(':')],
  );
}

/** Returns the path of the largest script of the API's documentation. */
async function findLargestFile(): Promise<string> {
  const { text } = await service.ask('/api/docs');
  const scripts = [...text.matchAll(/<script src="([^"]+)"/g)].map(
    ([, path]) => new URL(path!, 'http://a/api/').pathname,
  );
  const sizes = await Promise.all(scripts.map(async (path) => (await service.ask(path)).text.length));
  return scripts[sizes.indexOf(Math.max(...sizes))]!;
}

const get = (path: string, host: string): string => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

function closeConnections(): void {
  for (const socket of sockets) socket.destroy();
  sockets = [];
}

/** Sends bytes on new connections that never read. */
function sendWithoutReading(connections: number, bytes: string): void {
  for (let at = 0; at < connections; at++) {
    const socket = connect(service.port, '127.0.0.1').pause();
    socket.on('error', () => {}); // The service may reset the connection.
    socket.write(bytes);
    sockets.push(socket);
  }
}

const figures = ({ link, api, maxMemoryMb }: Experience): string =>
  `links p50 ${link.p50} p99 ${link.p99} ms, API p50 ${api.p50} p99 ${api.p99} ms, ${maxMemoryMb} MB`;

/** Starts the attack again and again, so that it does not end with one burst. */
async function repeat(start: () => void): Promise<void> {
  const endsAt = performance.now() + attackMs;
  while (performance.now() < endsAt) {
    start();
    await delay(intervalMs);
  }
}

it.each<{ attack: string; start: () => void }>([
  {
    attack: 'thousands of pipelined requests for the largest file',
    start: () => sendWithoutReading(1, get(largestFile, 'localhost').repeat(1000)),
  },
  {
    attack: 'pipelined requests for an association file',
    start: () => sendWithoutReading(1, get('/.well-known/assetlinks.json', 'many-apps.localhost').repeat(500)),
  },
  {
    attack: 'connections that read no API description',
    start: () => sendWithoutReading(5, get('/api/v1/openapi.json', 'localhost')),
  },
  {
    attack: 'connections with a full read of the shortest requests',
    start: () => sendWithoutReading(5, get('/', 'a.localhost').repeat(1800)),
  },
])('$attack leave memory and other accounts alone', async ({ attack, start }) => {
  const rounds: { quiet: Experience; loud: Experience }[] = [];
  const isHarmless = ({ quiet, loud }: (typeof rounds)[number]): boolean =>
    loud.link.p99 < Math.max(25, 3 * quiet.link.p99) && loud.api.p99 < Math.max(500, 3 * quiet.api.p99);
  // Further rounds run only if the first fails, because the machine may be busy.
  while (rounds.length < maxRounds && !rounds.some(isHarmless)) {
    const quiet = await victim.experienceDuring(Promise.resolve(), quietMs);
    const loud = await victim.experienceDuring(repeat(start), attackMs);
    closeConnections();
    rounds.push({ quiet, loud });
    console.info(`${attack}: ${figures(loud)}; quiet: ${figures(quiet)}`);
    expect(service.running).toBe(true);
    expect(Object.keys(loud.link.statuses)).toEqual(['302']);
    expect(Object.keys(loud.api.statuses)).toEqual(['200']);
    expect(loud.maxMemoryMb).toBeLessThan(chartMemoryMb);
  }
  expect(rounds.some(isHarmless)).toBe(true);
});
