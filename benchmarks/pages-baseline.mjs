import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// Runs the baseline of bench:pages: a bare node:http server that sends recorded answers, by path.
const answers = Object.fromEntries(
  JSON.parse(readFileSync(process.env.ANSWERS_FILE, 'utf8')).map(({ path, status, headers, body }) => [
    path,
    { status, headers, body: Buffer.from(body, 'base64') },
  ]),
);

const server = createServer((request, response) => {
  const { status, headers, body } = answers[request.url];
  response.writeHead(status, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`{"port":${server.address().port}}\n`));
process.on('SIGTERM', () => process.exit(0));
