import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { RequestPacer } from '../../../src/platform/http/request-pacer';

interface Sent {
  name: string;
  headers: { authorization?: string };
  socket: { remoteAddress: string; destroyed: boolean };
}

function aPacer() {
  const started: string[] = [];
  const pacer = new RequestPacer((request) => started.push((request as unknown as Sent).name));
  const send = (name: string, authorization?: string, remoteAddress = '127.0.0.1'): Sent => {
    const request = {
      name,
      headers: authorization ? { authorization } : {},
      socket: { remoteAddress, destroyed: false },
    };
    pacer.listener(request as unknown as IncomingMessage, {} as ServerResponse);
    return request;
  };
  return { pacer, started, send };
}

const burst = Array.from({ length: 10 }, (_, at) => `a${at}`);

test('a few requests start at once', () => {
  const { pacer, started, send } = aPacer();
  for (const name of ['a', 'b', 'c', 'd']) send(name, 'A');
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  expect(pacer.waiting).toBe(0);
});

test('a burst starts in order, four requests per turn of the event loop', async () => {
  const { pacer, started, send } = aPacer();
  for (const name of burst) send(name, 'A');
  expect(started).toEqual(burst.slice(0, 4));
  expect(pacer.waiting).toBe(6);
  await turn();
  expect(started).toEqual(burst.slice(0, 8));
  await turn();
  expect(started).toEqual(burst);
  expect(pacer.waiting).toBe(0);
  await turn();
  for (const name of ['x1', 'x2', 'x3', 'x4', 'x5']) send(name, 'A');
  expect(started.slice(10)).toEqual(['x1', 'x2', 'x3', 'x4']);
});

test.each([
  ['credentials', 'Bearer a', 'Bearer b', '127.0.0.1'],
  ['addresses, without a credential', undefined, undefined, '127.0.0.2'],
])('callers take turns: other %s', async (_, first, second, address) => {
  const { started, send } = aPacer();
  for (const name of burst) send(name, first);
  send('other', second, address);
  await turn();
  expect(started.slice(4)).toEqual(['a4', 'other', 'a5', 'a6']);
});

test('a new request waits behind those that wait already', async () => {
  const { started, send } = aPacer();
  for (const name of burst.slice(0, 9)) send(name, 'A');
  await turn();
  send('late', 'A');
  await turn();
  expect(started.slice(8)).toEqual(['a8', 'late']);
});

test('a request whose connection is closed does not start', async () => {
  const { pacer, started, send } = aPacer();
  const requests = burst.slice(0, 6).map((name) => send(name, 'A'));
  requests[4]!.socket.destroyed = true;
  await turn();
  expect(started).toEqual(['a0', 'a1', 'a2', 'a3', 'a5']);
  expect(pacer.waiting).toBe(0);
});
