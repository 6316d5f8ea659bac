import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import express, { type Response } from 'express';
import { streamLimits, streamText } from '../../../src/api-kit/kit/streamed-answer';
import { timeLeft, withDeadline } from '../../../src/platform/postgres/deadline';

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

describe('with a key that is revoked', () => {
  const { recheckIntervalMs } = streamLimits;
  beforeEach(() => (streamLimits.recheckIntervalMs = 1));
  afterEach(() => (streamLimits.recheckIntervalMs = recheckIntervalMs));

  /** Streams after the time of the request is over. A look-up without time fails, as that in the database does. */
  const streamOn = (response: Response, texts: AsyncGenerator<string>) => {
    response.req.isStillAccepted = async () => {
      if (timeLeft() <= 0) throw new Error('no time left');
      return false;
    };
    return withDeadline(0, () => streamText(response, texts, {}));
  };

  async function* endless(text: string): AsyncGenerator<string> {
    for (;;) {
      await turn();
      yield text;
    }
  }

  test('a stream that outlasts the time of its request ends', async () => {
    answer = (response) => streamOn(response, endless('text'));
    await expect(textOf(await request())).rejects.toThrow('aborted');
  });

  test('a stream ends that has found nothing so far', async () => {
    let done: Promise<void> | undefined;
    answer = (response) => (done = streamOn(response, endless('')));
    await expect(request()).rejects.toThrow('socket hang up');
    await done;
  });
});
