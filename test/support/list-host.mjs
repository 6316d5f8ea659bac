// node list-host.mjs KEY_FILE CERTIFICATE_FILE: serves lists as Kutt does, over HTTPS on loopback until it is killed. The first label of
// the host names the kind. It is a separate process, so that its CPU time does not count for the measured clients. It prints its port.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { constants, setPriority } from 'node:os';

setPriority(constants.priority.PRIORITY_LOW);

const [key, cert] = process.argv.slice(2).map((file) => readFileSync(file));
const page = (title) => `{"total":1000000,"data":[${title}]}`;
const link = (title) => `{"target":"https://example.com/","address":"a","title":"${title}"}`;
const bodies = {
  control: page(link('\x01'.repeat(1_950_000))),
  newlines: page(link('\n'.repeat(1_950_000))),
  objects: page(`${'{},'.repeat(640_000)}{}`),
  quotes: page('"'.repeat(1_950_000)),
  good: `{"total":1,"data":[${link('Good')}]}`,
};

const server = createServer({ key, cert }, (request, response) => {
  const kind = (request.headers.host ?? '').split(/[-.]/, 1)[0];
  if (kind === 'limited') return response.writeHead(429, { 'Retry-After': '7000' }).end();
  if (kind === 'silent') return;
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(bodies[kind]);
});
server.on('tlsClientError', () => {});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
