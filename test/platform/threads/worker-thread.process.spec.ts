import { join } from 'node:path';
import { Log } from '../../../src/platform/observability/log';
import { WorkerThread } from '../../../src/platform/threads/worker-thread';

const lines: string[] = [];
const program = {
  file: join(__dirname, '../../support/threads/program.cjs'),
  data: { greeting: 'hello' },
  maxHeapMb: 40,
};

let thread: WorkerThread;
beforeEach(() => {
  lines.length = 0;
  thread = new WorkerThread(program, new Log('info', { write: (line) => void lines.push(line) }));
});
afterEach(() => thread.close());

async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

test('functions get their argument, the bytes of the call, and the data of the thread', async () => {
  await expect(thread.call('length', null, chunks('one', 'twenty', ''))).resolves.toBe(9);
  await expect(thread.call('length', null)).resolves.toBe(0);
  await expect(thread.call('data', null)).resolves.toEqual(program.data);
});

test('calls at the same time keep their bytes apart', async () => {
  const lengths = Array.from({ length: 20 }, (_, at) => at);
  const answers = lengths.map((length) =>
    thread.call('length', null, chunks(...Array.from({ length }, () => 'x'.repeat(length)))),
  );
  await expect(Promise.all(answers)).resolves.toEqual(lengths.map((length) => length * length));
});

test('bytes are read as the function takes them, and their end is noticed', async () => {
  let read = 0;
  let ended = false;
  async function* file(): AsyncGenerator<Buffer> {
    try {
      for (;;) yield Buffer.from(`chunk ${++read}`);
    } finally {
      ended = true;
    }
  }
  await expect(thread.call('first', null, file())).resolves.toBe('chunk 1');
  expect({ read, ended }).toEqual({ read: 1, ended: true });
});

test('bytes that share their memory with others stay with the caller', async () => {
  const shared = Buffer.from('secret bytes');
  async function* part(): AsyncGenerator<Buffer> {
    yield shared.subarray(7);
  }
  await expect(thread.call('first', null, part())).resolves.toBe('bytes');
  expect(shared.toString()).toBe('secret bytes');
});

test('the error of the bytes is thrown as it is', async () => {
  const fault = new RangeError('The connection has gone');
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from('one');
    throw fault;
  }
  await expect(thread.call('length', null, broken())).rejects.toBe(fault);
});

test('an error of a function keeps its code and its details', async () => {
  await expect(thread.call('refuse', 'body')).rejects.toMatchObject({
    name: 'InvalidInput',
    code: 'INVALID_INPUT',
    message: 'The file has no rows',
    details: [{ code: 'too_small', path: ['body'], message: 'The file has no rows' }],
  });
});

test('a thread whose heap is full fails its calls, and the next call starts another one', async () => {
  const waiting = thread.call('never', null);
  const filling = thread.call('fill', null);
  await expect(waiting).rejects.toThrow(/memory/);
  await expect(filling).rejects.toThrow(/memory/);
  expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['error']);
  await expect(thread.call('length', null, chunks('one'))).resolves.toBe(3);
});

test('a program that cannot be loaded fails the call', async () => {
  const missing = new WorkerThread({ ...program, file: join(__dirname, 'missing.js') }, new Log('silent'));
  await expect(missing.call('length', null)).rejects.toThrow(/missing\.js/);
});

test('a closed thread has ended, and only a call starts another one', async () => {
  await thread.callIfRunning('first', null);
  await expect(thread.call('first', null, chunks('one'))).resolves.toBe('one');
  await expect(thread.call('taken', null)).resolves.toBe(1);
  await thread.close();
  await thread.callIfRunning('first', null);
  await expect(thread.call('taken', null)).resolves.toBe(0);
});

test('a thread that does not end by itself is ended', async () => {
  const waiting = thread.call('never', null).catch((error: Error) => error.message);
  await thread.close();
  await expect(waiting).resolves.toBe('The thread has ended');
});
