// node hostile-client.mjs PORT KEY KIND: sends hostile requests to a service until it is killed. It is a separate process, so that
// its CPU time does not count for the other clients. Once per second it prints its statistics as JSON.
import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { clearInterval, setInterval, setTimeout } from 'node:timers';

// A low priority keeps its CPU use from slowing down the measured clients.
setPriority(constants.priority.PRIORITY_LOW);

const [port, key, kind] = [Number(process.argv[2]), process.argv[3], process.argv[4]];

/** The number of connections that are open and that were opened so far, and of responses by status. */
const statistics = { open: 0, opened: 0, answers: {} };

/** Opens a connection, and opens it again `pauseMs` after it closes. */
function reconnecting(pauseMs, onConnect) {
  const socket = connect(port, '127.0.0.1', () => {
    statistics.open++;
    statistics.opened++;
    onConnect(socket);
    socket.once('close', () => statistics.open--);
  });
  socket.on('data', (data) => {
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1')) ?? [];
    if (status) statistics.answers[status] = (statistics.answers[status] ?? 0) + 1;
  });
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(() => reconnecting(pauseMs, onConnect), pauseMs));
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

/** Sends 30 MB as fast as the service reads. */
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

/** Sends a request head that never ends, one header every 500 ms. */
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
    for (let at = 0; at < 8; at++) reconnecting(100, (socket) => largeBody(socket, at % 2 === 1));
  },
  'slow-heads': () => {
    for (let at = 0; at < 1000; at++) setTimeout(() => reconnecting(100, slowHead), at);
  },
  // Half of the connections send one request, half send nothing.
  'idle-connections': () => {
    const visit = 'GET /known HTTP/1.1\r\nHost: victim-0.localhost\r\n\r\n';
    for (let at = 0; at < 10_000; at++)
      setTimeout(() => reconnecting(100, (socket) => at % 2 === 1 && socket.write(visit)), at / 2);
  },
  'deep-json': () => {
    const bodies = ['['.repeat(99_999), `{"name":${'['.repeat(49_000)}${']'.repeat(49_000)}}`, '{"a":'.repeat(19_999)];
    for (const body of [...bodies, ...bodies]) reconnecting(50, (socket) => deepJson(socket, body));
  },
};

kinds[kind]();
setInterval(() => process.stdout.write(`${JSON.stringify(statistics)}\n`), 1000);
