import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { aFingerprint } from '../support/builders';
import { AttackedService, written } from '../support/victim';
import { fixture } from '../support/fixtures';

const attackMs = 2500;
const intervalMs = 100;
let largestFile: string;
const sockets: Socket[] = [];
const on = fixture(() => AttackedService.start());
beforeAll(async () => {
  // The asset-links file of the project has 100 kB.
  await on.database.query(
    `INSERT INTO android_apps (id, project_id, name, package_name, sha_fingerprints)
     SELECT gen_random_uuid(), $1, 'App', 'com.example.app' || n, array_fill($2::text, ARRAY[50])
     FROM generate_series(1, 20) n`,
    [(await on.anAttacker()).project, aFingerprint(1)],
  );
  largestFile = await findLargestFile();
});

/** Returns the path of the largest script of the API's documentation. */
async function findLargestFile(): Promise<string> {
  const { text } = await on.program.ask('/api/docs');
  const scripts = [...text.matchAll(/<script src="([^"]+)"/g)].map(
    ([, path]) => new URL(path!, 'http://a/api/').pathname,
  );
  const sizes = await Promise.all(scripts.map(async (path) => (await on.program.ask(path)).text.length));
  return scripts[sizes.indexOf(Math.max(...sizes))]!;
}

const get = (path: string, host: string): string => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;

/** Sends bytes on new connections that never read. */
function sendWithoutReading(connections: number, bytes: string): void {
  for (let at = 0; at < connections; at++) {
    const socket = connect(on.program.port, '127.0.0.1').pause();
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
    start: () => sendWithoutReading(1, get('/.well-known/assetlinks.json', 'attacker-1.localhost').repeat(500)),
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
  const closeConnections = () => sockets.splice(0).forEach((socket) => socket.destroy());
  const loud = await on.victim.expectUnharmed(() => repeat(start).finally(closeConnections));
  console.info(`${attack}: ${written(loud)}`);
  expect(on.program.running).toBe(true);
});
