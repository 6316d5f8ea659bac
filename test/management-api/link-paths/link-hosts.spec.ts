import { LinkHosts } from '../../../src/management-api/link-paths/link-hosts';
import type { LinkPath } from '../../../src/management-api/link-paths/custom-path';
import type { Subdomain } from '../../../src/management-api/projects/project';

const hostsOf = (link: string, api: string) => new LinkHosts(new URL(link), new URL(api));

const local = hostsOf('http://localhost:3000', 'http://localhost:3000');
const apart = hostsOf('https://go.example.com', 'https://api.example.net');
const inside = hostsOf('https://example.com', 'https://api.example.com');
const deeper = hostsOf('https://example.com', 'https://signpost.api.example.com:8443');

test.each<[string, LinkHosts, string | undefined, string | null]>([
  ['a link host', local, 'summer.localhost', 'summer'],
  ['with the port', local, 'summer.localhost:3000', 'summer'],
  ['with another port', local, 'summer.localhost:80', 'summer'],
  ['with an empty port', local, 'summer.localhost:', 'summer'],
  ['in upper case', local, 'SUMMER.LocalHost:3000', 'summer'],
  ['with a trailing dot', local, 'summer.localhost.', 'summer'],
  ['with a trailing dot and a port', local, 'summer.localhost.:3000', 'summer'],
  ['with two labels', local, 'a.b.localhost', 'a.b'],
  ['with a label that no project can have', local, '-_-.localhost', '-_-'],
  ['with an empty label', local, '.localhost', ''],
  ['the link domain', local, 'localhost:3000', null],
  ['an address', local, '127.0.0.1:3000', null],
  ['an IPv6 address', local, '[::1]:3000', null],
  ['none', local, undefined, null],
  ['empty', local, '', null],
  ['a name that only ends alike', local, 'evillocalhost', null],
  ['a name that only begins alike', local, 'summer.localhost.example', null],
  ['a host on another domain', apart, 'summer.go.example.com', 'summer'],
  ['another domain itself', apart, 'go.example.com', null],
  ['its parent', apart, 'example.com', null],
  ['its sibling', apart, 'www.example.com', null],
  ['a longer name', apart, 'summer.ago.example.com', null],
  ['the API elsewhere', apart, 'api.example.net', null],
  ['beside the API elsewhere', apart, 'summer.api.example.net', null],
  ['the API under the link domain', inside, 'api.example.com', null],
  ['the API with a port', inside, 'api.example.com:443', null],
  ['the API in upper case with a dot', inside, 'API.Example.com.', null],
  ['a project beside the API', inside, 'summer.example.com', 'summer'],
  ['a name under the API', inside, 'x.api.example.com', 'x.api'],
  ['the API two labels down', deeper, 'signpost.api.example.com', null],
  ['one label above it', deeper, 'api.example.com', 'api'],
])('%s', (_, hosts, host, label) => {
  expect(hosts.labelOf(host)).toBe(label);
});

test.each([
  ['[::1]:3000', true],
  ['[::1]', true],
  ['[::2]:3000', false],
])('%s is the host of an API at an IPv6 address: %p', (host, isApi) => {
  expect(hostsOf('http://localhost:3000', 'http://[::1]:3000').isApi(host)).toBe(isApi);
});

test.each<[LinkHosts, string | null, string]>([
  [local, null, 'http://summer.localhost:3000/sale'],
  [apart, null, 'https://summer.go.example.com/sale'],
  [hostsOf('https://go.example.com:443', 'https://x.example'), null, 'https://summer.go.example.com/sale'],
  [hostsOf('HTTP://GO.EXAMPLE.COM:8080/', 'https://x.example'), null, 'http://summer.go.example.com:8080/sale'],
  [local, 'links.shop.com', 'http://links.shop.com:3000/sale'],
  [apart, 'links.shop.com', 'https://links.shop.com/sale'],
])('a link has its URL', (hosts, customDomain, url) => {
  const project = { subdomain: 'summer' as Subdomain, customDomain };
  expect(hosts.urlOf(project, 'sale' as LinkPath)).toBe(url);
  expect(new URL(url).host).toBe(hosts.hostOf(project));
});

test.each<[string, LinkHosts, string, boolean]>([
  ['the API', apart, 'api.example.net', true],
  ['the link domain', apart, 'go.example.com', true],
  ['a project', apart, 'summer.go.example.com', true],
  ['two labels under the link domain', apart, 'a.b.go.example.com', true],
  ['the parent of the link domain', apart, 'example.com', false],
  ['a sibling', apart, 'www.example.com', false],
  ['a name that only ends alike', apart, 'notgo.example.com', false],
  ['a name under the API', apart, 'x.api.example.net', false],
  ['anything else', apart, 'links.shop.com', false],
])("whether a host is the service's own: %s", (_, hosts, hostname, own) => {
  expect(hosts.isOwn(hostname)).toBe(own);
});
