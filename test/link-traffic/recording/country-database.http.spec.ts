import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CountryDatabase } from '../../../src/link-traffic/recording/country-database';
import { aDynamicLink, aProject } from '../../support/builders';
import { countryFile } from '../../support/country-file';
import { sendRequest } from '../../support/raw-http';
import { aService } from '../../support/service';

let folder: string;
let path: string;
let warnings: string[];
let built: Date[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signpost-countries-'));
  path = join(folder, 'country.mmdb');
  warnings = [];
  built = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (content: Buffer) => {
  writeFileSync(path, content);
  return new CountryDatabase(
    path,
    (message) => void warnings.push(message),
    (builtAt) => void built.push(builtAt),
  );
};

const networks = {
  '192.0.2.0/24': { country: { iso_code: 'DE' } },
  '198.51.100.0/25': { country_code: 'AT' },
  '2001:db8::/32': { country: { iso_code: 'FR' } },
  '203.0.113.0/24': { country: { iso_code: 'Europe' } },
  '203.0.112.0/24': { continent: 'EU' },
};

test.each([
  ['192.0.2.7', 'DE'],
  ['198.51.100.127', 'AT'],
  ['198.51.100.128', null],
  ['2001:db8:1::1', 'FR'],
  ['2001:db9::1', null],
  ['203.0.113.1', null],
  ['203.0.112.1', null],
])('%s is in %s', (address, country) => {
  expect(open(countryFile(networks)).countryOf(address)).toBe(country);
});

test('a file of IPv4 addresses knows no IPv6 address', () => {
  const countries = open(countryFile({ '32.0.0.0/8': { country_code: 'US' } }, 4));
  expect([countries.countryOf('32.1.2.3'), countries.countryOf('2001:db8::1')]).toEqual(['US', null]);
});

test.each([
  ['no file', null],
  ['an empty file', Buffer.of()],
  ['another file', Buffer.from('x'.repeat(1000))],
])('refuses %s at the start', (_, content) => {
  if (content) writeFileSync(path, content);
  const ignore = () => undefined;
  expect(() => new CountryDatabase(path, ignore, ignore)).toThrow(/^COUNTRY_DATABASE: cannot be read/);
});

test('a changed file is read again, and an invalid one is not', async () => {
  const countries = open(countryFile(networks));
  writeFileSync(path, 'damaged');
  await countries.reload();
  expect([countries.countryOf('192.0.2.7'), warnings.length]).toEqual(['DE', 1]);
  writeFileSync(`${path}.new`, countryFile({ '192.0.2.0/24': { country_code: 'CH' } }));
  renameSync(`${path}.new`, path);
  await countries.reload();
  expect([countries.countryOf('192.0.2.7'), warnings.length, built.length]).toEqual(['CH', 1, 2]);
});

test('rules know the country of an address, and a header comes first', async () => {
  writeFileSync(path, countryFile(networks));
  const on = await aService({ COUNTRY_DATABASE: path, COUNTRY_HEADER: 'X-Country', TRUSTED_PROXIES: '127.0.0.1' });
  const line = on.logLines.find((one) => one.includes('countries come from COUNTRY_DATABASE'))!;
  expect(JSON.parse(line)).toMatchObject({ level: 'info', built_at: '1970-01-01T00:00:00.000Z' });
  const { key } = await on.anAccount('enterprise');
  const project = await aProject(on, key);
  await aDynamicLink(on, key, project.id, {
    custom_path: 'a',
    desktop_url: 'https://example.com/own',
    rules: [{ when: { countries: ['DE'] }, then: { url: 'https://example.com/de' } }],
  });
  const visit = async (headers: Record<string, string>) => {
    const sent = { Host: `${project.subdomain}.localhost`, ...headers };
    return (await sendRequest(on.url, 'GET /a', sent)).headers['location'];
  };
  const found = [
    await visit({ 'X-Forwarded-For': '192.0.2.7' }),
    await visit({ 'X-Forwarded-For': '198.51.100.1' }),
    await visit({ 'X-Forwarded-For': '192.0.2.7', 'X-Country': 'FR' }),
  ];
  await on.stop();
  expect(found.map((location) => location?.split('/').at(-1))).toEqual(['de', 'own', 'own']);
});
