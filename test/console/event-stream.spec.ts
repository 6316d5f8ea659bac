import { load } from './load';

const { eventsOf } = load('api/event-stream');

/** Returns the events of a stream that arrives in pieces of a few bytes. */
async function read(text: string, pieceBytes = 7): Promise<{ name: string; data: string }[]> {
  const bytes = new TextEncoder().encode(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    bytes.slice(at * pieceBytes, (at + 1) * pieceBytes),
  );
  const events = [];
  for await (const event of eventsOf(ReadableStream.from(pieces))) events.push(event);
  return events;
}

test('events arrive in pieces, with comments between them', async () => {
  expect(await read(': open\n\nevent: progress\ndata: {"rows":1}\n\n:\n\nevent: done\ndata: {}\n\n')).toEqual([
    { name: 'progress', data: '{"rows":1}' },
    { name: 'done', data: '{}' },
  ]);
});

test('events have ids, and an id can come alone', async () => {
  expect(await read('id: 7\n\nid: 8\nevent: link.updated\ndata: {}\n\n')).toEqual([
    { id: '7', name: '', data: '' },
    { id: '8', name: 'link.updated', data: '{}' },
  ]);
});

test.each(['\u2028', '\u2029', 'ü', '😀'])('data with %j is read', async (text) => {
  const data = JSON.stringify({ name: `before${text}after` });
  expect(await read(`event: progress\ndata: ${data}\n\n`, 3)).toEqual([{ name: 'progress', data }]);
});
