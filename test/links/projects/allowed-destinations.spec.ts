import { DestinationRefused, hostProblem, requireAllowedHosts } from '../../../src/links/projects/allowed-destinations';
import type { DestinationHost } from '../../../src/shared/destination-host';
import { destinationUrl } from '../../../src/shared/destination-url';

const destinationHosts = ['example.com', '*.example.com', 'xn--bcher-kva.example', 'a.example:8443'];
const elsewhere = { destinationHosts: [], hostsOfKey: null };

test.each<[url: string, host: string | null]>([
  ['https://example.com/', null],
  ['http://example.com:80/a', null],
  ['HTTPS://SHOP.EXAMPLE.COM/?to=https://evil.example', null],
  ['https://a.b.example.com/#@evil.example', null],
  ['https://xn--bcher-kva.example/', null],
  ['https://example.com./', null],
  ['https://ex%61mple.com/', null],
  ['https://a.example:8443/', null],
  ['shop://evil.example/', null],
  ['https://evil.example/', 'evil.example'],
  ['https://example.com:8443/', 'example.com:8443'],
  ['https://a.example/', 'a.example'],
  ['https://notexample.com/', 'notexample.com'],
  ['https://example.com.evil.example/', 'example.com.evil.example'],
  ['https://evil.example/example.com', 'evil.example'],
  ['https://evil.example?.example.com', 'evil.example'],
  ['https://evil.example#.example.com', 'evil.example'],
  ['https://evil.example\\.example.com', 'evil.example'],
  ['https://evil.example./', 'evil.example.'],
  ['https://example.com../', 'example.com..'],
  ['https://ｅvil.example/', 'evil.example'],
  ['https://exаmple.com/', 'xn--exmple-4nf.com'],
  ['https://evil。example/', 'evil.example'],
  ['https://127.0.0.1/', '127.0.0.1'],
  ['https://2130706433/', '127.0.0.1'],
  ['https://[::1]/', '[::1]'],
])('%s leads to the refused host %j', (given, host) => {
  const { value } = destinationUrl.safeParse(given) as { value: string };
  const details = (limited_by: string) => ({ destination_host: host, field: 'desktop_url', limited_by });
  const refusal = (limits: object): unknown => {
    try {
      requireAllowedHosts({ ...elsewhere, ...limits }, { desktop_url: value });
      return null;
    } catch (error) {
      expect(error).toBeInstanceOf(DestinationRefused);
      return (error as DestinationRefused).details;
    }
  };
  expect(refusal({ destinationHosts })).toEqual(host === null ? null : details('project'));
  expect(refusal({ hostsOfKey: destinationHosts })).toEqual(host === null ? null : details('api_key'));
  expect(refusal({})).toBeNull();
});

test('an empty list of a key allows nothing', () => {
  const limits = { destinationHosts: ['evil.example' as DestinationHost], hostsOfKey: [] };
  expect(hostProblem(limits, 'https://evil.example/')).not.toBeNull();
});

test.each([
  'https://example.com@evil.example/',
  'https:evil.example',
  'https:///evil.example',
  ' https://evil.example',
])('%j is no destination', (given) => {
  expect(destinationUrl.safeParse(given)).toHaveProperty('problems');
});
