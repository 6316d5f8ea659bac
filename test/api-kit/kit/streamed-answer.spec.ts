import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import express, { type Response } from 'express';
import { streamLimits, streamText } from '../../../src/api-kit/kit/streamed-answer';
import { timeLeft, withDeadline } from '../../../src/platform/postgres/request-context';
import { endServer, listenOnLoopback } from '../../support/loopback';

let server: Server;
let port: number;
let answer: (response: Response) => Promise<void>;
beforeEach(async () => {
  const app = express();
  app.get('/', (_request, response) => void answer(response).catch(() => response.status(500).end()));
  server = createServer(app);
  port = await listenOnLoopback(server);
});
afterEach(() => endServer(server));

const send = () => get(`http://127.0.0.1:${port}/`, { agent: false }).on('error', () => {});

const request = async (): Promise<IncomingMessage> => ((await once(send(), 'response')) as [IncomingMessage])[0];

/** Repeats a text for as long as it is read. */
async function* endless(text: string, onTurn = (): void => {}): AsyncGenerator<string> {
  for (;;) {
    onTurn();
    await turn();
    yield text;
  }
}

async function* texts(...all: string[]): AsyncGenerator<string> {
  yield* all;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

test('empty texts are left out', async () => {
  answer = (response) => streamText(response, texts('', 'a', '', 'b', ''), { 'X-Kind': 'text' });
  const response = await request();
  expect([response.statusCode, response.headers['x-kind'], await textOf(response)]).toEqual([200, 'text', 'ab']);
});

test('an answer without a text is a file of no length', async () => {
  answer = (response) => streamText(response, texts(), {});
  const response = await request();
  expect([response.headers['content-length'], await textOf(response)]).toEqual([undefined, '']);
});

test('a reader that finds nothing ends soon after the client has gone', async () => {
  let hasEnded = false;
  let done: Promise<void> | undefined;
  async function* reader() {
    try {
      yield 'first';
      yield* endless('');
    } finally {
      hasEnded = true;
    }
  }
  answer = (response) => (done = streamText(response, reader(), {}));
  (await request()).destroy();
  await done;
  expect(hasEnded).toBe(true);
});

test('a client that goes before the first text ends the reader too', async () => {
  let done: Promise<void> | undefined;
  const begun = new Promise<void>((resolve) => {
    answer = (response) => (done = streamText(response, endless('', resolve), {}));
  });
  const client = send();
  await begun;
  client.destroy();
  await done;
});

test('a fault after empty texts gets the body of an error', async () => {
  async function* broken() {
    yield '';
    throw new Error('broken');
  }
  answer = (response) => streamText(response, broken(), {});
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
