import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import express, { type Response } from 'express';
import { streamText } from '../../../src/management-api/kit/streamed-answer';

let server: Server;
let answer: (response: Response) => Promise<void>;
beforeEach(async () => {
  const app = express();
  app.get('/', (_request, response) => void answer(response).catch(() => response.status(500).end()));
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function request(): Promise<IncomingMessage> {
  const [response] = (await once(
    get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { agent: false }).on('error', () => {}),
    'response',
  )) as [IncomingMessage];
  return response;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

test('empty texts are left out', async () => {
  answer = (response) =>
    streamText(
      response,
      (async function* () {
        yield* ['', 'a', '', 'b', ''];
      })(),
      { 'X-Kind': 'text' },
    );
  const response = await request();
  expect([response.statusCode, response.headers['x-kind'], await textOf(response)]).toEqual([200, 'text', 'ab']);
});

test('an answer without a text is a file of no length', async () => {
  answer = (response) => streamText(response, (async function* () {})(), {});
  const response = await request();
  expect([response.headers['content-length'], await textOf(response)]).toEqual([undefined, '']);
});

test('a reader that finds nothing ends soon after the client has gone', async () => {
  let hasEnded = false;
  let done: Promise<void> | undefined;
  answer = (response) => {
    done = streamText(
      response,
      (async function* () {
        try {
          yield 'first';
          for (;;) {
            await turn();
            yield '';
          }
        } finally {
          hasEnded = true;
        }
      })(),
      {},
    );
    return done;
  };
  const response = await request();
  response.destroy();
  await done;
  expect(hasEnded).toBe(true);
});

test('a client that goes before the first text ends the reader too', async () => {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let done: Promise<void> | undefined;
  answer = (response) => {
    done = streamText(
      response,
      (async function* () {
        for (;;) {
          begin();
          await turn();
          yield '';
        }
      })(),
      {},
    );
    return done;
  };
  const client = get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { agent: false }).on(
    'error',
    () => {},
  );
  await begun;
  client.destroy();
  await done;
});

test('a fault after empty texts gets the body of an error', async () => {
  answer = (response) =>
    streamText(
      response,
      (async function* () {
        yield '';
        throw new Error('broken');
      })(),
      {},
    );
  expect((await request()).statusCode).toBe(500);
});
