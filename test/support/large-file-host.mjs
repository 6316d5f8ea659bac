// node large-file-host.mjs KEY_FILE CERTIFICATE_FILE: serves a large file over HTTPS on loopback until it is killed. It is a separate
// process, so that its CPU time does not count for the measured clients. It prints its port and the highest number of open requests.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { constants, setPriority } from 'node:os';
import { setInterval, setTimeout } from 'node:timers';

setPriority(constants.priority.PRIORITY_LOW);

const [key, cert] = process.argv.slice(2).map((file) => readFileSync(file));
/** More than the service reads of a file. */
const body = Buffer.alloc(1024 * 1024 + 1, '[');

let open = 0;
let maxOpen = 0;
const server = createServer({ key, cert }, (request, response) => {
  maxOpen = Math.max(maxOpen, ++open);
  request.socket.once('close', () => open--);
  response.writeHead(200, { 'Content-Type': 'application/json' });
  setTimeout(() => response.end(body), 500);
});
server.on('tlsClientError', () => {});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
setInterval(() => console.log(JSON.stringify({ maxOpen })), 200);
