import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { EarlyRefusals } from '../../../src/platform/http/early-refusals';
import { Log } from '../../../src/platform/observability/log';

test('malformed HTTP during a response ends the connection and adds nothing to the response', async () => {
  const server = createServer((_request, response) => void response.write('begun'));
  new EarlyRefusals(new Log('silent', { write: () => {} }).logger).watch(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    const isFirst = !received.includes('begun');
    received += chunk.toString();
    if (isFirst && received.includes('begun')) socket.write('garbage\r\n\r\n');
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await closed;
  await new Promise((resolve) => server.close(resolve));
  expect(received).toContain('begun');
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
});
