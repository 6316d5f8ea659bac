import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { RequestPacer } from '../../../src/platform/http/request-pacer';

function aPacer() {
  const run: string[] = [];
  const pacer = new RequestPacer();
  const send = (name: string, caller = 'A'): void => {
    const step = () => void run.push(name);
    if (pacer.tryTake()) step();
    else pacer.hold(caller, step);
  };
  return { pacer, run, send };
}

const perTurn = 8;
const burst = Array.from({ length: 2.5 * perTurn }, (_, at) => `a${at}`);

test('a burst runs in order, eight steps per turn of the event loop', async () => {
  const { pacer, run, send } = aPacer();
  for (const name of burst) send(name);
  expect(run).toEqual(burst.slice(0, perTurn));
  expect(pacer.waiting).toBe(1.5 * perTurn);
  await turn();
  expect(run).toEqual(burst.slice(0, 2 * perTurn));
  await turn();
  expect(run).toEqual(burst);
  expect(pacer.waiting).toBe(0);
  await turn();
  for (const name of burst) send(name);
  expect(run.slice(burst.length)).toEqual(burst.slice(0, perTurn));
});

test('a step keeps its asynchronous context', async () => {
  const context = new AsyncLocalStorage<string>();
  const { pacer, send } = aPacer();
  const seen: (string | undefined)[] = [];
  context.run('first', () => burst.slice(0, perTurn).forEach((name) => send(name)));
  for (const name of ['B', 'C']) context.run(name, () => pacer.hold(name, () => void seen.push(context.getStore())));
  await turn();
  expect(seen).toEqual(['B', 'C']);
});
