import type { Subdomain } from '../../../src/links/projects/subdomain';
import { ReservedSubdomains } from '../../../src/links/projects/reserved-subdomains';

const reservedOn = (link: string, api: string) => {
  const names = new ReservedSubdomains(new URL(link), new URL(api));
  return (name: string) => names.has(name as Subdomain);
};

const onOtherDomains = reservedOn('https://go.example.com', 'https://api.example.net');

test.each(['www', 'api', 'app', 'admin', 'mail', 'localhost', 'autodiscover', 'wpad'])(
  'the subdomain %s is reserved',
  (name) => {
    expect(onOtherDomains(name)).toBe(true);
  },
);

test.each(['summer', 'www2', 'my-api', 'apis', 'go', 'constructor', 'has', '__proto__'])(
  'the subdomain %s is not reserved',
  (name) => {
    expect(onOtherDomains(name)).toBe(false);
  },
);

test.each([
  ['https://example.com', 'https://manage.example.com', 'manage', true],
  ['https://example.com', 'https://MANAGE.example.com:8443', 'manage', true],
  ['https://example.com', 'https://manage.example.com', 'manages', false],
  ['https://go.example.com', 'https://manage.example.com', 'manage', false],
  ['https://example.com', 'https://example.com', 'example', false],
  ['https://example.com', 'https://a.manage.example.com', 'manage', false],
])('with links on %s and the API on %s, %s is reserved: %p', (link, api, name, expected) => {
  expect(reservedOn(link, api)(name)).toBe(expected);
});
