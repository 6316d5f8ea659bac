import { normalizeIp } from '@nestjs/throttler';
import { clientNetworkOf, sharedNetworkOf } from '../../../src/platform/http/network';
import { fc, runs } from '../../support/properties';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8::1', '2001:db8::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::1'],
  ['::', '::/64'],
  ['::192.0.2.7', '::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b::/64'],
  ['1:0:0:4:5:6:7:8', '1:0:0:4::/64'],
  ['198.51.100.7:51234', '198.51.100.7'],
  ['[2001:db8::1]:51234', '2001:db8::/64'],
  ['[2001:db8::1]', '2001:db8::/64'],
  ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
  ['[fe80::1%eth0]:80', 'fe80::/64'],
])('%s counts as %s', (address, network) => {
  expect(clientNetworkOf(address, '203.0.113.1')).toBe(network);
});

test.each(['', 'unknown', '192.0.2:80', '192.0.2.7:port', '[192.0.2]:80', '[2001:db8::1', '1:2'])(
  '%p counts as the address of the connection',
  (text) => {
    expect(clientNetworkOf(text, '203.0.113.1')).toBe('203.0.113.1');
    expect(clientNetworkOf(text, undefined)).toBe('');
  },
);

test('both listeners count an address under the same key', () => {
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.ipV4().map((v4) => `::ffff:${v4}`),
    fc.ipV4().map((v4) => `::${v4}`),
    fc
      .array(fc.constantFrom('0', '1', 'ab', 'FFFF', '0db8'), { minLength: 8, maxLength: 8 })
      .map((all) => all.join(':')),
  );
  fc.assert(
    fc.property(address, (given) => {
      expect(clientNetworkOf(given, undefined)).toBe(normalizeIp(given));
    }),
    runs(2000),
  );
});

test.each([
  ['198.51.100.7', '198.51.100.0'],
  ['2001:db8:1:2::3', '2001:db8:1::'],
  ['2001:db8::1', '2001:db8::'],
  ['fe80::1%eth0', 'fe80::'],
  ['::192.0.2.1', '::'],
  ['none', ''],
])('%s is in the shared network %s', (address, network) => {
  expect(sharedNetworkOf(address)).toBe(network);
});
