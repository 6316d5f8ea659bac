import { DnsDomainRecords } from '../../../src/management-api/custom-domains/dns-domain-records';
import { freePort } from '../../support/process';
import { DnsServer, type Saying } from '../../support/dns-server';
import { promptMs } from '../../support/prompt';

let dns: DnsServer;
beforeAll(async () => {
  dns = await DnsServer.start();
});
afterAll(() => dns.stop());

const name = '_link-domain-challenge.links.example.com';

test.each<[string, Saying, string[] | null]>([
  ['a value', { texts: ['one'] }, ['one']],
  ['several values', { texts: ['one', 'two'] }, ['one', 'two']],
  ['a value in several strings', { texts: [['5f0c', '7f1c', '0a4d']] }, ['5f0c7f1c0a4d']],
  ['an empty value', { texts: [''] }, ['']],
  ['bytes, one character each', { texts: ['\u0000é'] }, ['\u0000Ã©']],
  ['a value behind an alias', { cname: 'proof.example.net', texts: ['one'] }, ['one']],
  [
    'more than fits into UDP',
    { truncated: Array.from({ length: 40 }, (_, at) => `${at}`.repeat(100)) },
    [...Array.from({ length: 40 }, (_, at) => `${at}`.repeat(100))],
  ],
  ['no such name', { status: 'NXDOMAIN' }, []],
  ['no such record', { status: 'NODATA' }, []],
  ['a failure of the server', { status: 'SERVFAIL' }, null],
  ['a refusal of the server', { status: 'REFUSED' }, null],
  ['garbage', { status: 'garbage' }, null],
  ['an answer with another id', { status: 'forged', texts: ['one'] }, null],
  ['nothing', { status: 'silence' }, null],
])('%s', async (_, saying, expected) => {
  dns.say(name, saying);
  const startedAt = performance.now();
  expect(await new DnsDomainRecords([dns.address]).textsOf(name)).toEqual(expected);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('a server that changes its mind is believed at once', async () => {
  const records = new DnsDomainRecords([dns.address]);
  const seen: unknown[] = [];
  for (const saying of [
    { texts: ['one'] },
    { status: 'NXDOMAIN' },
    { texts: ['two'] },
    { status: 'SERVFAIL' },
    { texts: ['one'] },
  ] as const) {
    dns.say(name, saying as Saying);
    seen.push(await records.textsOf(name));
  }
  expect(seen).toEqual([['one'], [], ['two'], null, ['one']]);
});

test('where nobody listens, or the first server does not, no answer and the other one’s', async () => {
  dns.publish(name, 'one');
  const nobody = `127.0.0.1:${await freePort()}`;
  expect(await new DnsDomainRecords([nobody]).textsOf(name)).toBeNull();
  expect(await new DnsDomainRecords([nobody, dns.address]).textsOf(name)).toEqual(['one']);
});

test('questions at once do not wait for each other, and one that is given up is no other’s end', async () => {
  const records = new DnsDomainRecords([dns.address]);
  dns.publish(name, 'one');
  dns.say(`silent.${name}`, { status: 'silence' });
  const startedAt = performance.now();
  const silent = records.textsOf(`silent.${name}`);
  const others = await Promise.all(Array.from({ length: 20 }, () => records.textsOf(name)));
  expect(performance.now() - startedAt).toBeLessThan(promptMs);
  expect(new Set(others.map((texts) => JSON.stringify(texts)))).toEqual(new Set(['["one"]']));
  expect(await silent).toBeNull();
});
