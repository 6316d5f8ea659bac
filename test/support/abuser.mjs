// node abuser.mjs PORT KEY KIND: a program that does to a service what a hostile client may do, until it is killed. It is one of its
// own, so that what it costs is not charged to the clients beside it. Once a second it prints what it has been answered, as JSON.
import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { clearInterval, setInterval, setTimeout } from 'node:timers';

// Where processors are few, what it needs itself must not be what others feel.
setPriority(constants.priority.PRIORITY_LOW);

const [port, key, kind] = [Number(process.argv[2]), process.argv[3], process.argv[4]];

/** Connections that are open, and answers by status. */
const said = { open: 0, answers: {} };

/** A connection that does something, and is made again a moment after it was closed. */
function again(pause, onConnect) {
  const socket = connect(port, '127.0.0.1', () => {
    said.open++;
    onConnect(socket);
    socket.once('close', () => said.open--);
  });
  socket.on('data', (data) => {
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1')) ?? [];
    if (status) said.answers[status] = (said.answers[status] ?? 0) + 1;
  });
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(() => again(pause, onConnect), pause));
}

const post = (...headers) =>
  [
    'POST /api/v1/projects HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
  ]
    .concat(headers)
    .join('\r\n') + '\r\n\r\n';

const megabyte = Buffer.alloc(1_000_000, '[');

/** 30 MB, as fast as they are taken. */
function largeBody(socket, chunked) {
  socket.write(post(chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${30 * megabyte.length}`));
  let left = 30;
  const send = () => {
    while (left > 0 && !socket.destroyed) {
      left--;
      if (chunked) socket.write(`${megabyte.length.toString(16)}\r\n`);
      const taken = socket.write(megabyte);
      if (chunked) socket.write(left > 0 ? '\r\n' : '\r\n0\r\n\r\n');
      if (!taken) return void socket.once('drain', send);
    }
    socket.end();
  };
  send();
}

/** A head that goes on and on, a line every half second. */
function slowHead(socket) {
  socket.write('GET /api/v1/projects HTTP/1.1\r\nHost: localhost\r\n');
  const timer = setInterval(() => socket.write('X-More: and more\r\n'), 500);
  socket.once('close', () => clearInterval(timer));
}

function deepJson(socket, json) {
  socket.write(post(`Content-Length: ${json.length}`, 'Connection: close') + json);
}

const kinds = {
  'large-bodies': () => {
    for (let at = 0; at < 8; at++) again(100, (socket) => largeBody(socket, at % 2 === 1));
  },
  'slow-heads': () => {
    for (let at = 0; at < 1000; at++) setTimeout(() => again(100, slowHead), at);
  },
  // Half of them have asked something once, half have never said anything.
  'idle-connections': () => {
    const visit = 'GET /known HTTP/1.1\r\nHost: abused.localhost\r\n\r\n';
    for (let at = 0; at < 10_000; at++)
      setTimeout(() => again(100, (socket) => at % 2 === 1 && socket.write(visit)), at / 2);
  },
  'deep-json': () => {
    const bodies = ['['.repeat(99_999), `{"name":${'['.repeat(49_000)}${']'.repeat(49_000)}}`, '{"a":'.repeat(19_999)];
    for (const body of [...bodies, ...bodies]) again(50, (socket) => deepJson(socket, body));
  },
};

kinds[kind]();
setInterval(() => process.stdout.write(`${JSON.stringify(said)}\n`), 1000);
