import { CustomDomain } from '../../../src/links/custom-domains/custom-domain';
import type { Hostname } from '../../../src/links/custom-domains/hostname';
import { addressCheck, ownershipCheck, type RecordState } from '../../../src/links/custom-domains/record-check';

const host = 'links.example.com';
const edge = { host: 'edge.example.net', addresses: ['192.0.2.1', '192.0.2.2', '2001:db8::1'] };

test.each<[string, string[] | null, string[] | null, RecordState, RecordState]>([
  ['a CNAME to the target', ['edge.example.net'], ['192.0.2.1'], 'ok', 'unknown'],
  ['a CNAME to the target, whose addresses are unknown', ['edge.example.net'], null, 'ok', 'unknown'],
  ['the addresses of the target', [], ['2001:db8::1', '192.0.2.2', '192.0.2.1'], 'ok', 'unknown'],
  ['one address of the target', [], ['192.0.2.2'], 'ok', 'unknown'],
  ['a CNAME that leads to the target through another', ['www.example.com'], ['192.0.2.1'], 'ok', 'unknown'],
  ['an address of the target and another', [], ['192.0.2.1', '198.51.100.1'], 'different', 'unknown'],
  ['another address', [], ['198.51.100.1'], 'different', 'unknown'],
  ['a CNAME to another host', ['parking.example.org'], ['198.51.100.1'], 'different', 'unknown'],
  ['a CNAME to a name without addresses', ['gone.example.org'], [], 'different', 'unknown'],
  ['a CNAME to a name below the target', ['x.edge.example.net'], [], 'different', 'unknown'],
  ['no record', [], [], 'missing', 'missing'],
  ['no answer', null, null, 'unknown', 'unknown'],
  ['no answer about addresses', [], null, 'unknown', 'unknown'],
  ['no answer about the CNAME', null, ['192.0.2.1'], 'unknown', 'unknown'],
])('the address of a domain with %s is right', (_, aliases, addresses, withTarget, withoutTarget) => {
  const found = { aliases, addresses };
  expect(addressCheck(host, edge, found).state).toBe(withTarget);
  expect(addressCheck(host, null, found).state).toBe(withoutTarget);
});

test('the addresses of a target that does not resolve are unknown', () => {
  const found = { aliases: [], addresses: ['192.0.2.1'] };
  expect(addressCheck(host, { ...edge, addresses: null }, found).state).toBe('unknown');
  expect(addressCheck(host, { ...edge, addresses: [] }, found).state).toBe('different');
});

const domain = CustomDomain.claim('project', host as Hostname) as CustomDomain;

test.each<[string, string[] | null, RecordState]>([
  ['the value', [domain.challenge], 'ok'],
  ['the value among others', ['v=spf1', domain.challenge], 'ok'],
  ['another value', ['v=spf1'], 'different'],
  ['no value', [], 'missing'],
  ['no answer', null, 'unknown'],
])('a TXT record with %s is right', (_, texts, state) => {
  expect(ownershipCheck(domain, texts)).toEqual({
    purpose: 'ownership',
    type: 'TXT',
    name: '_link-domain-challenge.links.example.com',
    value: domain.challenge,
    addresses: [],
    found: texts ?? [],
    state,
  });
});
