import { DomainRecords } from '../../../src/links/custom-domains/domain-records';
import { freePort } from '../../support/free-port';
import { steadyNow } from '../../support/steady-now';
import type { DnsResponse } from '../../support/dns-server';
import { dnsFixture } from '../../support/fixtures';
import { immediateMs } from '../../support/immediate';

const dns = dnsFixture();

const name = '_link-domain-challenge.links.example.com';

test.each<[string, DnsResponse, string[] | null]>([
  ['a value', { texts: ['one'] }, ['one']],
  ['several values', { texts: ['one', 'two'] }, ['one', 'two']],
  ['a value in several strings', { texts: [['5f0c', '7f1c', '0a4d']] }, ['5f0c7f1c0a4d']],
  ['an empty value', { texts: [''] }, ['']],
  ['bytes, one character each', { texts: ['\u0000é'] }, ['\u0000Ã©']],
  ['a value behind a CNAME', { cname: 'proof.example.net', texts: ['one'] }, ['one']],
  [
    'a response that needs TCP',
    { truncated: Array.from({ length: 40 }, (_, at) => `${at}`.repeat(100)) },
    [...Array.from({ length: 40 }, (_, at) => `${at}`.repeat(100))],
  ],
  ['NXDOMAIN', { status: 'NXDOMAIN' }, []],
  ['NODATA', { status: 'NODATA' }, []],
  ['SERVFAIL', { status: 'SERVFAIL' }, null],
  ['REFUSED', { status: 'REFUSED' }, null],
  ['an invalid message', { status: 'garbage' }, null],
  ['a response with another id', { status: 'forged', texts: ['one'] }, null],
  ['no response', { status: 'silence' }, null],
])('textsOf returns the TXT records of %s, or null without a valid response', async (_, response, expected) => {
  dns.setResponse(name, response);
  const startedAt = steadyNow();
  expect(await new DomainRecords({ resolvers: [dns.address] }).textsOf(name)).toEqual(expected);
  expect(steadyNow() - startedAt).toBeLessThan(10_000);
});

test('textsOf does not cache responses', async () => {
  const records = new DomainRecords({ resolvers: [dns.address] });
  const seen: unknown[] = [];
  for (const response of [
    { texts: ['one'] },
    { status: 'NXDOMAIN' },
    { texts: ['two'] },
    { status: 'SERVFAIL' },
    { texts: ['one'] },
  ] as const) {
    dns.setResponse(name, response as DnsResponse);
    seen.push(await records.textsOf(name));
  }
  expect(seen).toEqual([['one'], [], ['two'], null, ['one']]);
});

test('textsOf falls back to the second server, and returns null if none responds', async () => {
  dns.publish(name, 'one');
  const unusedAddress = `127.0.0.1:${await freePort()}`;
  expect(await new DomainRecords({ resolvers: [unusedAddress] }).textsOf(name)).toBeNull();
  expect(await new DomainRecords({ resolvers: [unusedAddress, dns.address] }).textsOf(name)).toEqual(['one']);
});

test('concurrent queries do not wait for each other, and a time-out ends only its query', async () => {
  const records = new DomainRecords({ resolvers: [dns.address] });
  dns.publish(name, 'one');
  dns.setResponse(`silent.${name}`, { status: 'silence' });
  const startedAt = steadyNow();
  const silent = records.textsOf(`silent.${name}`);
  const others = await Promise.all(Array.from({ length: 20 }, () => records.textsOf(name)));
  expect(steadyNow() - startedAt).toBeLessThan(immediateMs);
  expect(new Set(others.map((texts) => JSON.stringify(texts)))).toEqual(new Set(['["one"]']));
  expect(await silent).toBeNull();
});
