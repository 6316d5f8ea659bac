// node hostile-upload.mjs PORT KEY PATH TYPE KIND: uploads a hostile file, and prints the status and the body of the answer. It is a
// separate process, so that its CPU time does not count for the measured clients.
import { constants, setPriority } from 'node:os';
import { request } from 'node:http';
import { Readable } from 'node:stream';

setPriority(constants.priority.PRIORITY_LOW);

const [port, key, path, type, kind] = process.argv.slice(2);
const megabyte = 1_000_000;

/** Pieces of a text that is repeated. */
function* repeated(text, bytes) {
  const piece = text.repeat(megabyte / 10 / text.length);
  for (let sent = 0; sent < bytes; sent += piece.length) yield piece;
}

function* contents() {
  const [name, separator] = kind.split(' ');
  const delimiter = separator === 'tab' ? '\t' : separator;
  switch (name) {
    case 'header':
      yield* repeated(delimiter, 30 * megabyte);
      return yield '\nA\n';
    case 'row': {
      const between = delimiter.at(-1);
      yield `name${between}path\n`;
      yield* repeated(delimiter, 30 * megabyte);
      return yield `\nA${between}a\n`;
    }
    case 'objects':
      yield '{"a":[';
      yield* repeated('{},', 30 * megabyte);
      return yield '{}]}\n{"name":"A"}\n';
    case 'brackets':
      yield* repeated('[', 30 * megabyte);
      return yield '\n{"name":"A"}\n';
    case 'elements':
      yield '[';
      yield* repeated('1,', 100_000);
      return yield '{"name":"A"}]';
    case 'cells':
      yield 'name,path\n';
      for (let row = 0; row < 40; row++) yield `${'"",'.repeat(80_000)}\n`;
      return yield 'A,a\n';
    case 'quotes':
      yield 'name,path\n';
      yield* repeated(`"${'x'.repeat(200)}\n`, 4 * megabyte);
      return yield 'A,a\n';
    case 'wide':
      yield `${Array.from({ length: 60 }, (_, at) => `${at}${'n'.repeat(1000)}`).join(',')}\n`;
      return yield* repeated(`${'x,'.repeat(59)}x\n`, 1.7 * megabyte);
    case 'large':
      yield 'name\n';
      return yield* repeated('x', 99 * megabyte);
  }
}

const headers = { Authorization: `Bearer ${key}`, 'Content-Type': type };
const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
  let body = '';
  response.setEncoding('utf8').on('data', (text) => (body += text));
  response.on('end', () => {
    process.stdout.write(JSON.stringify({ status: response.statusCode, ...JSON.parse(body) }));
    process.exit();
  });
});
// The service may answer, and close the connection, before the whole file has arrived.
sent.on('error', () => {});
Readable.from(contents())
  .on('error', () => {})
  .pipe(sent);
