import { normalizeIp } from '@nestjs/throttler';
import { networkOf } from '../../../src/platform/http/network';
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
  ['not an address', 'not an address'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

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
      expect(networkOf(given)).toBe(normalizeIp(given));
    }),
    runs(2000),
  );
});
