// An HTTPS server on loopback in a separate process, so that it does not slow down the test. It answers every request with a large
// body after half a second, and prints its port, then the highest number of open requests.
// node large-file-host.mjs KEY_FILE CERTIFICATE_FILE
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

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
