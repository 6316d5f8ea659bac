import { hostProofOf, hostProofPath } from '../../../src/link-paths/paths/host-proof';
import { LinkHosts } from '../../../src/link-paths/paths/link-hosts';
import { subdomainOfOpenLabel } from '../../../src/link-paths/paths/open-label';
import type { LinkPath } from '../../../src/link-paths/paths/custom-path';
import type { Subdomain } from '../../../src/links/projects/subdomain';

const hostsOf = (link: string, api: string) => new LinkHosts(new URL(link), new URL(api));

const local = hostsOf('http://localhost:3000', 'http://localhost:3000');
const otherDomains = hostsOf('https://go.example.com', 'https://api.example.net');
const apiSubdomain = hostsOf('https://example.com', 'https://api.example.com');
const deepApiSubdomain = hostsOf('https://example.com', 'https://signpost.api.example.com:8443');

test.each<[string, LinkHosts, string | undefined, string | null]>([
  ['a link host', local, 'summer.localhost', 'summer'],
  ['a link host with the port', local, 'summer.localhost:3000', 'summer'],
  ['a link host with another port', local, 'summer.localhost:80', 'summer'],
  ['a link host with an empty port', local, 'summer.localhost:', 'summer'],
  ['a link host in upper case', local, 'SUMMER.LocalHost:3000', 'summer'],
  ['a link host with a trailing dot', local, 'summer.localhost.', 'summer'],
  ['a link host with a trailing dot and a port', local, 'summer.localhost.:3000', 'summer'],
  ['a link host with two trailing dots', local, 'summer.localhost..', null],
  ['a link host with an invalid port', local, 'summer.localhost:80x', null],
  ['a link host with two labels', local, 'a.b.localhost', 'a.b'],
  ['a link host with an invalid subdomain', local, '-_-.localhost', '-_-'],
  ['a link host with an empty label', local, '.localhost', ''],
  ['the link domain', local, 'localhost:3000', null],
  ['an IPv4 address', local, '127.0.0.1:3000', null],
  ['an IPv6 address', local, '[::1]:3000', null],
  ['an absent host', local, undefined, null],
  ['an empty host', local, '', null],
  ['a name with the same ending', local, 'evillocalhost', null],
  ['a name with the same beginning', local, 'summer.localhost.example', null],
  ['a host on another domain', otherDomains, 'summer.go.example.com', 'summer'],
  ['the other domain', otherDomains, 'go.example.com', null],
  ['the parent of the link domain', otherDomains, 'example.com', null],
  ['a sibling of the link domain', otherDomains, 'www.example.com', null],
  ['a name that ends with the link domain', otherDomains, 'summer.ago.example.com', null],
  ['the API on another domain', otherDomains, 'api.example.net', null],
  ['a name under the API on another domain', otherDomains, 'summer.api.example.net', null],
  ['the API under the link domain', apiSubdomain, 'api.example.com', null],
  ['the API under the link domain with a port', apiSubdomain, 'api.example.com:443', null],
  ['the API under the link domain in upper case with a dot', apiSubdomain, 'API.Example.com.', null],
  ['a project next to the API', apiSubdomain, 'summer.example.com', 'summer'],
  ['a name under the API', apiSubdomain, 'x.api.example.com', 'x.api'],
  ['the API two labels down', deepApiSubdomain, 'signpost.api.example.com', null],
  ['the parent of the API', deepApiSubdomain, 'api.example.com', 'api'],
])('labelOf returns the subdomain or null for %s', (_, hosts, host, label) => {
  expect(hosts.labelOf(host)).toBe(label);
});

test.each([
  ['[::1]:3000', true],
  ['[::1]', true],
  ['[::2]:3000', false],
])('isApi of %s returns %p for an API at [::1]', (host, isApi) => {
  expect(hostsOf('http://localhost:3000', 'http://[::1]:3000').isApi(host)).toBe(isApi);
});

test.each<[LinkHosts, string | null, string]>([
  [local, null, 'http://summer.localhost:3000/sale'],
  [otherDomains, null, 'https://summer.go.example.com/sale'],
  [hostsOf('https://go.example.com:443', 'https://x.example'), null, 'https://summer.go.example.com/sale'],
  [hostsOf('HTTP://GO.EXAMPLE.COM:8080/', 'https://x.example'), null, 'http://summer.go.example.com:8080/sale'],
  [local, 'links.shop.com', 'http://links.shop.com:3000/sale'],
  [otherDomains, 'links.shop.com', 'https://links.shop.com/sale'],
])('urlOf returns the URL of a link (%#)', (hosts, customDomain, url) => {
  const project = { subdomain: 'summer' as Subdomain, customDomain };
  expect(hosts.urlOf(project, 'sale' as LinkPath)).toBe(url);
  expect(new URL(url).host).toBe(hosts.hostOf(project));
});

test.each<[string, LinkHosts, string, boolean]>([
  ['the API', otherDomains, 'api.example.net', true],
  ['the link domain', otherDomains, 'go.example.com', true],
  ['a project', otherDomains, 'summer.go.example.com', true],
  ['two labels under the link domain', otherDomains, 'a.b.go.example.com', true],
  ['the parent of the link domain', otherDomains, 'example.com', false],
  ['a sibling of the link domain', otherDomains, 'www.example.com', false],
  ['a name with the same ending', otherDomains, 'notgo.example.com', false],
  ['a name under the API', otherDomains, 'x.api.example.net', false],
  ['any other name', otherDomains, 'links.shop.com', false],
])('isOwn recognises the hosts of the service: %s', (_, hosts, hostname, own) => {
  expect(hosts.isOwn(hostname)).toBe(own);
});

const maxSubdomain = 'x'.repeat(58);

test.each<[string, LinkHosts, string, string | null, boolean, object | null]>([
  ['the domain that is set', local, 'summer', 'o.shop.com', true, { subdomain: 'summer', customDomain: 'o.shop.com' }],
  ['another label', local, 'summer', null, false, { subdomain: 'summer-open', customDomain: null }],
  ['none if another project has the label', local, 'summer', null, true, null],
  ['the longest label', local, maxSubdomain, null, false, { subdomain: `${maxSubdomain}-open`, customDomain: null }],
  ['none if the label would be too long', local, `${maxSubdomain}x`, null, false, null],
  [
    'none if the label is the host of the API',
    hostsOf('https://go.com', 'https://api-open.go.com'),
    'api',
    null,
    false,
    null,
  ],
])('links open apps on %s', (_, hosts, subdomain, openDomain, openLabelTaken, expected) => {
  const facts = { openDomain, openLabelTaken };
  expect(hosts.openHostOf({ subdomain: subdomain }, facts)).toEqual(expected);
});

test('the label of an open host names its subdomain', () => {
  expect(['summer-open', '-open', 'summer-opens', 'open'].map(subdomainOfOpenLabel)).toEqual([
    'summer',
    '',
    null,
    null,
  ]);
});

test('the proof of a host has a fixed path and differs by project', () => {
  expect(hostProofPath).toBe('.well-known/signpost-host');
  const [one, other] = ['a', 'b'].map(hostProofOf);
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(other).not.toBe(one);
});
