import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serverLimits } from '../../../src/platform/http/server-limits';
import { steadyNow } from '../../support/steady-now';
import { fixture, serviceFixture } from '../../support/fixtures';

const production = { ...serverLimits };
beforeAll(() => {
  Object.assign(serverLimits, { headersTimeout: 1500, requestTimeout: 3000, connectionsCheckingInterval: 100 });
});
const on = serviceFixture();
afterAll(() => Object.assign(serverLimits, production));
const account = fixture(() => on.anAccount());

/** Sends the first part at once and the drip repeatedly, until the server closes. Times are in milliseconds. */
async function trickle(first: string, drip: string) {
  const [startedAt, startedSteady] = [performance.now(), steadyNow()];
  const socket: Socket = connect(Number(new URL(on.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(first);
  const timer = setInterval(() => socket.writable && socket.write(drip), 100);
  await once(socket, 'close');
  clearInterval(timer);
  return { answer, after: performance.now() - startedAt, afterSteady: steadyNow() - startedSteady };
}

test('incomplete requests get 408 at their time limit, and others are answered meanwhile', async () => {
  const { headersTimeout, requestTimeout, connectionsCheckingInterval } = serverLimits;
  const post =
    `POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${account.key}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n';
  const slow = Promise.all([
    trickle('', ''),
    trickle('GET /health/live HTTP/1.1\r\nHost: localhost\r\n', 'X-More: and more\r\n'),
    trickle(post, ' '),
  ]);
  await delay(500);
  expect((await fetch(`${on.url}/health/live`)).status).toBe(200);

  const [silent, head, body] = await slow;
  for (const { answer } of [silent, head, body]) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    const message = 'The request took too long to arrive; send it again';
    expect(answer).toContain(`{"error":{"code":"REQUEST_TIMEOUT","message":"${message}"}}`);
  }
  const slack = connectionsCheckingInterval + 10_000;
  for (const [{ after, afterSteady }, limit] of [
    [silent, headersTimeout],
    [head, headersTimeout],
    [body, requestTimeout],
  ] as const) {
    expect(after).toBeGreaterThan(limit - 100);
    expect(afterSteady).toBeLessThan(limit + slack);
  }
});
