import { PassThrough, Readable } from 'node:stream';
import { batchesOf, sized } from '../../../clients/typescript/src/command/batches';
import { eventsOf } from '../../../clients/typescript/src/command/event-stream';
import { linesOf } from '../../../clients/typescript/src/command/lines';
import { Progress, progressLine } from '../../../clients/typescript/src/command/progress';
import { renderFailure } from '../../../clients/typescript/src/command/report-failure';
import { retryAfter, send } from '../../../clients/typescript/src/command/send';
import { renderTable } from '../../../clients/typescript/src/command/table';
import { printable } from '../../../clients/typescript/src/command/text';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

test('a table is aligned by columns of the terminal, and cut to its width', () => {
  const rows = [
    ['日本', 1],
    ['a'.repeat(30), null],
  ] as const;
  expect(renderTable(['NAME', 'N'], rows)).toBe(
    `NAME${' '.repeat(28)}N\n日本${' '.repeat(28)}1\n${'a'.repeat(30)}  -\n`,
  );
  expect(renderTable(['NAME', 'N'], rows, 20)).toBe(
    `NAME${' '.repeat(15)}N\n日本${' '.repeat(15)}1\n${'a'.repeat(16)}…  -\n`,
  );
});

test.each([
  ['\u001b[31m', String.raw`\u{1b}[31m`],
  ['a\nb\tc', String.raw`a\nb\tc`],
  ['\u009b\u202e\u2066', String.raw`\u{9b}\u{202e}\u{2066}`],
  ['plain é 日本 🎉', 'plain é 日本 🎉'],
])('%j is printed as %s', (text, shown) => expect(printable(text)).toBe(shown));

test('an unforeseen error cannot control the terminal either', () => {
  const { text, exitCode } = renderFailure(new SyntaxError('Unexpected token \u009b2J\nNext line'), false);
  expect([exitCode, text]).toEqual([1, expect.stringContaining(String.raw`Unexpected token \u{9b}2J`)]);
});

test.each([
  [0, 10, '', 'Run  ░░░░░░░░░░░░░░░░░░░░░░░░ 0 %'],
  [5, 10, '3 s left', 'Run  ████████████░░░░░░░░░░░░ 50 %  3 s left'],
  [11, 10, '', 'Run  ████████████████████████ 100 %'],
  [1234, null, '', 'Run  1,234'],
])('progress of %d of %s', (done, total, note, line) => expect(progressLine('Run', done, total, note)).toBe(line));

test.each([
  [true, /^\r\u001b\[2KRun {2}█/],
  [false, /^$/],
])('progress goes to terminals only: %s', (isTTY, pattern) => {
  const output = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const progress = new Progress(output);
  progress.show('Run', 1, 2);
  progress.end();
  expect(String(output.read() ?? '')).toMatch(pattern);
});

test('operations are grouped by number and bytes, in their order', async () => {
  const items = ['a', 'b', 'c', 'd'.repeat(50), 'e'].map(sized);
  const limits = { operations: 2, bytes: 40 };
  expect(await all(batchesOf(items, limits))).toEqual([['a', 'b'], ['c'], ['d'.repeat(50)], ['e']]);
});

test.each([
  ['a line without an end', Buffer.alloc(1_000_000, 'x'), 5, 'Line 1 has more than 4,000,000 characters.'],
  ['bytes that are no UTF-8', Buffer.from('one\n\xff', 'latin1'), 1, 'A line after line 0 is not UTF-8 text.'],
])('%s is refused', async (_, chunk, times, message) => {
  const reading = all(linesOf(Readable.from(Array.from({ length: times }, () => chunk))));
  await expect(reading).rejects.toMatchObject({ exitCode: 2, message });
});

test('events of a stream that breaks off are read as far as they are complete', async () => {
  const stream = ': quiet\n\nevent: progress\ndata: {"a":\ndata: 1}\r\n\r\nevent: done\ndata: half';
  const bytewise = Readable.from([...Buffer.from(stream)].map((byte) => Buffer.from([byte])));
  expect(await all(eventsOf(bytewise))).toEqual([{ event: 'progress', data: '{"a":\n1}' }]);
});

test.each([
  ['7', 1, 7],
  ['0', 3, 0],
  ['Thu, 01 Jan 1970 00:00:05 GMT', 1, 5],
  [null, 1, 1],
  [null, 4, 8],
  ['soon', 2, 2],
])('Retry-After %s at attempt %d waits %d s', (header, attempt, seconds) => {
  const response = new Response(null, { headers: header === null ? {} : { 'Retry-After': header } });
  expect(retryAfter({ response }, attempt, 0)).toBe(seconds);
});

const tooExpensive = (details: object) => ({
  error: { code: 'DATABASE_ERROR', message: 'Too expensive', details: { reason: 'too_expensive', ...details } },
});

test.each([
  [{ retry_after_seconds: 60 }, {}, 60],
  [{ retry_after_seconds: 0 }, {}, 0],
  [{ retry_after_seconds: 60 }, { 'Retry-After': '7' }, 7],
  [{ retry_after_seconds: 'soon' }, {}, 4],
  [{}, {}, 4],
])('an answer with the details %j and the headers %j is asked again after %d s', (details, headers, seconds) => {
  const response = new Response(null, { status: 503, headers });
  expect(retryAfter({ error: tooExpensive(details), response }, 3)).toBe(seconds);
});

test.each([
  ['a wait in the details that is too long', { retry_after_seconds: 121 }],
  ['a list that takes as long again', {}],
])('%s is a failure at once', async (_, details) => {
  const error = tooExpensive(details);
  const ask = jest.fn(async () => ({ error, response: new Response(null, { status: 503 }) }));
  await expect(send(io, ask)).rejects.toMatchObject({ exitCode: 5, code: 'DATABASE_ERROR' });
  expect(ask).toHaveBeenCalledTimes(1);
});

const io = { signal: new AbortController().signal, stderr: new PassThrough() };
const busy = (status: number, retryAfterSeconds = '0') =>
  new Response(null, { status, headers: { 'Retry-After': retryAfterSeconds } });

test('a busy service is asked again, and a broken connection only if that is safe', async () => {
  const answers = [busy(429), busy(503), busy(409), new Response(null, { status: 200 })];
  const error = { error: { code: 'IDEMPOTENCY_CONFLICT', message: 'It runs' } };
  const ask = async () => ({ data: answers.length, error, response: answers.shift()! });
  expect(await send(io, ask)).toBe(1);

  let attempts = 0;
  const broken = async (): Promise<never> => {
    attempts++;
    throw new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
  };
  await expect(send(io, broken, { isRepeatable: false })).rejects.toMatchObject({ exitCode: 5 });
  expect(attempts).toBe(1);
});

test('a gateway that gives up is asked again only if that is safe', async () => {
  const answers = [busy(502), busy(504), new Response(null, { status: 200 })];
  const ask = async () => ({ data: answers.length, response: answers.shift()! });
  expect(await send(io, ask)).toBe(1);
  const given = [busy(504), new Response(null, { status: 200 })];
  const once = send(io, async () => ({ error: '<html>', response: given.shift()! }), { isRepeatable: false });
  await expect(once).rejects.toMatchObject({ exitCode: 5, code: 'HTTP_504' });
});

test('a wait that is too long, and other errors, are failures at once', async () => {
  const error = { error: { code: 'RATE_LIMITED', message: 'Too many' } };
  const waits = send(io, async () => ({ error, response: busy(429, '121') }));
  await expect(waits).rejects.toMatchObject({ exitCode: 5, code: 'RATE_LIMITED' });
  const fails = send(io, async () => ({ error: '<html>', response: busy(500) }));
  await expect(fails).rejects.toMatchObject({ exitCode: 1, code: 'HTTP_500' });
});
