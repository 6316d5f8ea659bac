import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { timeLimits } from '../../../src/platform/postgres/time-limits';
import { unique } from '../../support/builders';
import { available, untilAvailable } from '../../support/repeated-rounds';
import { serviceFixture } from '../../support/fixtures';

const { request } = timeLimits;
const on = serviceFixture();
afterAll(() => void (timeLimits.request = request));

test('a body that arrives after the time for the queries of a request is accepted', async () => {
  const { key } = await on.anAccount();
  timeLimits.request = 2000;
  const [answer] = await untilAvailable(async () => available([await sendSlowly(key)]));
  expect(answer!.status).toBe(201);
});

/** Creates a project by a body that arrives after the time for the queries of a request. */
async function sendSlowly(key: string): Promise<{ status: number; text: string }> {
  const body = JSON.stringify({ name: 'Slow', subdomain: unique('slow') });
  const socket = connect(Number(new URL(on.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const headers = ['Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/json'];
  socket.write(
    ['POST /api/v1/projects HTTP/1.1', ...headers, `Content-Length: ${body.length}`, 'Connection: close', '', ''].join(
      '\r\n',
    ),
  );
  await delay(timeLimits.request + 500);
  socket.write(body);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]), text };
}
