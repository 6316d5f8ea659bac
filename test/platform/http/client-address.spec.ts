import type { IncomingMessage } from 'node:http';
import { ClientAddresses } from '../../../src/platform/http/client-address';

const addresses = new ClientAddresses(['10.0.0.0/8']);
const aRequest = (remoteAddress: string | undefined, forwardedFor?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwardedFor } }) as unknown as IncomingMessage;

test.each<[remoteAddress: string | undefined, forwardedFor: string | undefined, network: string]>([
  ['192.0.2.7', undefined, '192.0.2.7'],
  ['192.0.2.7', '198.51.100.7', '192.0.2.7'],
  ['10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['10.0.0.1', '198.51.100.7:51234', '198.51.100.7'],
  ['10.0.0.1', '203.0.113.5:5000, 10.0.0.2:4431', '203.0.113.5'],
  ['10.0.0.1', 'unknown', '10.0.0.1'],
  // The client has closed the connection.
  [undefined, undefined, ''],
  [undefined, '198.51.100.7', ''],
])('a client on %p with the header %p counts as %p', (remoteAddress, forwardedFor, network) => {
  expect(addresses.networkOf(aRequest(remoteAddress, forwardedFor))).toBe(network);
});
