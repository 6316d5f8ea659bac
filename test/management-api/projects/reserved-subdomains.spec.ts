import type { Subdomain } from '../../../src/management-api/projects/project';
import { ReservedSubdomains } from '../../../src/management-api/projects/reserved-subdomains';

const reservedOn = (link: string, api: string) => {
  const names = new ReservedSubdomains(new URL(link), new URL(api));
  return (name: string) => names.has(name as Subdomain);
};

const elsewhere = reservedOn('https://go.example.com', 'https://api.example.net');

test.each(['www', 'api', 'app', 'admin', 'mail', 'localhost', 'autodiscover', 'wpad'])('%s is reserved', (name) => {
  expect(elsewhere(name)).toBe(true);
});

test.each(['summer', 'www2', 'my-api', 'apis', 'go', 'constructor', 'has', '__proto__'])('%s is not', (name) => {
  expect(elsewhere(name)).toBe(false);
});

test.each([
  ['https://example.com', 'https://manage.example.com', 'manage', true],
  ['https://example.com', 'https://MANAGE.example.com:8443', 'manage', true],
  ['https://example.com', 'https://manage.example.com', 'manages', false],
  ['https://go.example.com', 'https://manage.example.com', 'manage', false],
  ['https://example.com', 'https://example.com', 'example', false],
  ['https://example.com', 'https://a.manage.example.com', 'manage', false],
])('links on %s, the API on %s: %s is reserved: %p', (link, api, name, expected) => {
  expect(reservedOn(link, api)(name)).toBe(expected);
});
