import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { requireUsableAddresses } from '../../src/app/listen-addresses';

const host = '127.0.0.1';

test('addresses that are free stay free', async () => {
  await requireUsableAddresses({ host, port: 0, metricsPort: 0 });
  await requireUsableAddresses({ host: undefined, port: 0, metricsPort: undefined });
});

test('a port that another program listens on is named', async () => {
  const other = createServer().listen(0, host);
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(requireUsableAddresses({ host, port, metricsPort: undefined })).rejects.toThrow(
    `PORT: another program listens on ${port}; end it, or choose another port`,
  );
  await expect(requireUsableAddresses({ host, port: 0, metricsPort: port })).rejects.toThrow(
    `METRICS_PORT: another program listens on ${port}`,
  );
  other.close();
  await once(other, 'close');
  await requireUsableAddresses({ host, port, metricsPort: undefined });
});

test.each([
  ['nope.invalid', 'HOST: the name nope.invalid has no address; set an address of this machine'],
  // An address for documentation (RFC 5737).
  ['192.0.2.1', 'HOST: 192.0.2.1 is no address of this machine; set one that it has, or none for all'],
])('the host %s is refused', async (wrong, message) => {
  await expect(requireUsableAddresses({ host: wrong, port: 0, metricsPort: undefined })).rejects.toThrow(message);
});
