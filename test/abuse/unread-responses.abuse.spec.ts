import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase, type TestDatabase } from '../support/database';
import { endAllPrograms, Program } from '../support/process';
import { createWhenAvailable } from '../support/repeated-rounds';
import { useProductionTimeLimitsInPrograms } from '../support/time-limits';
import { aStoredKey } from '../support/stored-key';
import { podEnvironment, Victim, written } from '../support/victim';

beforeAll(useProductionTimeLimitsInPrograms);

const attackMs = 2500;
const intervalMs = 100;

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
});
afterAll(async () => {
  await endAllPrograms();
  await database.drop();
});

/** Creates a project whose asset-links file has 100 kB. */
async function anAssociationFile(): Promise<void> {
  const { key } = await aStoredKey(database);
  const body = { name: 'Apps', subdomain: 'many-apps' };
  const { id: project } = await createWhenAvailable(service, '/api/v1/projects', key, body);
  await database.query(
    `INSERT INTO android_apps (id, project_id, name, package_name, sha_fingerprints)
     SELECT gen_random_uuid(), $1, 'App', 'com.example.app' || n, array_fill($2::text, ARRAY[50])
     FROM generate_series(1, 20) n`,
    [project, Array<string>(32).fill('AB').join(':')],
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
  const loud = await victim.expectUnharmed(() => repeat(start).finally(closeConnections));
  console.info(`${attack}: ${written(loud)}`);
  expect(service.running).toBe(true);
});
