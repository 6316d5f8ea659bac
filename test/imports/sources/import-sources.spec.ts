import { importOptions } from '../../../src/imports/api/import-options';
import type { MappedRecord, SourceRecord } from '../../../src/imports/sources/import-source';
import { importSources } from '../../../src/imports/sources/import-sources';
import { context } from './source-context';

const hosts = new Set(['go.example.com', 'go.example.org']);
const map = (source: string, record: SourceRecord, options: Record<string, unknown> = {}): MappedRecord =>
  importSources.get(source)!.map(record, { ...context, hosts, options });

const url = 'https://shop.example.com/sale';

describe('firebase-dynamic-links', () => {
  const cells = [
    ...['https://go.example.com/summer', url, 'com.example.shop', '', '42', 'com.example.shop'],
    ...['https://shop.example.com/ios', '', '', '', '123456789', '2.0', '1', '', 'Summer', 'Everything must go.'],
    ...['https://shop.example.com/sale.png', 'mail', 'email', 'summer', '', '', '', '', '8', '118', 'TRUE'],
    ...['Summer sale', '2024-05-01 12:00:00 UTC'],
  ];
  const row = (headers: string): SourceRecord =>
    Object.fromEntries(headers.split(' · ').map((header, at) => [header, cells[at]]));
  const labels =
    'Short link · link · apn · afl · amv · ibi · ifl · ius · ipfl · ipbi · isi · imv · efr · ofl · st · sd · si · utm_source · utm_medium · utm_campaign · utm_term · utm_content · iTunes Connect at · ct · mt · pt · Archived? · Link name · Creation timestamp';
  const snakeCase = labels
    .toLowerCase()
    .replaceAll('?', '')
    .split(' · ')
    .map((label) => label.replaceAll(' ', '_'))
    .join(' · ');

  test('reads the 29 columns of Takeout', () => {
    expect(map('firebase-dynamic-links', row(labels))).toEqual({
      link: {
        host: 'go.example.com',
        path: 'summer',
        body: {
          name: 'Summer sale',
          desktop_url: url,
          android_app_id: 'android-app',
          ios_app_id: 'ios-app',
          ios_fallback_url: 'https://shop.example.com/ios',
          social_title: 'Summer',
          social_description: 'Everything must go.',
          social_image_url: 'https://shop.example.com/sale.png',
          referrer_params: { utm_source: 'mail', utm_medium: 'email', utm_campaign: 'summer', mt: '8', pt: '118' },
          archived: true,
        },
        origin: {
          importedFrom: 'firebase-dynamic-links',
          originalCreatedAt: new Date('2024-05-01T12:00:00Z'),
          originalClicks: null,
        },
      },
      unmapped: [
        { field: 'isi', value: '123456789' },
        { field: 'amv', value: '42' },
        { field: 'imv', value: '2.0' },
      ],
      refusals: [],
    });
  });

  test.each([
    ['snake case', snakeCase],
    ['capitals', labels.toUpperCase()],
    ['spaces around', labels.split(' · ').join('  · ')],
  ])('reads headers in %s', (_, headers) => {
    expect(map('firebase-dynamic-links', row(headers)).link).toEqual(map('firebase-dynamic-links', row(labels)).link);
  });

  test.each(['Short link', 'long link', 'dynamic_link', 'link'])('reads a long link in the column %s', (column) => {
    const long = `https://shop.page.link/?link=${encodeURIComponent(url)}&apn=com.example.shop&st=Summer&d=1`;
    expect(map('firebase-dynamic-links', { [column]: long })).toEqual({
      link: {
        host: null,
        path: null,
        body: { name: 'Summer', desktop_url: url, android_app_id: 'android-app', social_title: 'Summer' },
        origin: { importedFrom: 'firebase-dynamic-links', originalCreatedAt: null, originalClicks: null },
      },
      unmapped: [{ field: 'd', value: '1' }],
      refusals: [],
    });
  });

  test('keeps links of two domains with their hosts', () => {
    const hosts = ['go.example.com', 'go.example.org', 'shop.page.link'].map((host) => {
      const { link, unmapped } = map('firebase-dynamic-links', { 'Short link': `https://${host}/a1`, link: url });
      return [link!.host, unmapped.map(({ value }) => value)];
    });
    expect(hosts).toEqual([
      ['go.example.com', []],
      ['go.example.org', []],
      ['shop.page.link', ['https://shop.page.link/a1']],
    ]);
  });

  test('keeps the deep link for the phone without an app beside the destination of desktops', () => {
    const other = 'https://www.example.com/';
    const record = { link: url, ofl: other, ibi: 'com.example.shop', apn: 'com.example.missing' };
    expect(map('firebase-dynamic-links', record)).toMatchObject({
      link: { body: { desktop_url: other, ios_app_id: 'ios-app', android_fallback_url: url } },
      unmapped: [{ field: 'apn', value: 'com.example.missing' }],
    });
    expect(map('firebase-dynamic-links', { ...record, apn: 'com.example.shop' }).unmapped).toEqual([
      { field: 'link', value: url },
    ]);
  });
});

test('branch: fields of `data` are fields of the record, and the others are data for apps', () => {
  const data = {
    url: 'https://go.example.com/summer',
    $og_title: 'Summer',
    '~tags': ['a'],
    $desktop_url: url,
    product: 7,
    list: [1],
    $web_only: true,
  };
  const record = { data, campaign: 'summer', type: 0, alias: 'summer', tags: ['a'] };
  const mapped = map('branch', { ...record, tags: undefined });
  expect(mapped).toMatchObject({
    link: {
      path: 'summer',
      body: {
        name: 'Summer',
        social_title: 'Summer',
        referrer_params: { utm_campaign: 'summer' },
        app_data: { product: 7 },
        tags: ['a'],
      },
    },
    unmapped: [
      { field: 'data.list', value: '[1]' },
      { field: '$web_only', value: 'true' },
    ],
    refusals: [],
  });
  expect(map('branch', { ...record, tags: undefined, data: JSON.stringify(data) })).toEqual(mapped);
});

test('branch: fields of the app in `data` are not those of Branch with the same names', () => {
  const data = { url: 'https://go.example.com/summer', '~id': '914967', $desktop_url: url };
  const own = { alias: 'a/-b', campaign: 'x', id: 7, stage: 'two', tags: 3, type: 'shoe', canonical_url: 'shop://1' };
  const record = { type: 2, alias: 'summer', stage: 'one', campaign: 'summer' };
  const mapped = map('branch', { ...record, data: { ...own, ...data } });
  const plain = map('branch', { ...record, data });
  expect(mapped).toEqual({ ...plain, link: { ...plain.link!, body: { ...plain.link!.body, app_data: own } } });
  expect(plain.unmapped.map(({ field }) => field)).toEqual(['stage', 'type', '~id']);
});

test('branch: the fallback is for each platform without a destination on the web', () => {
  const record = { $ios_url: 'shop://sale', $android_url: url, $fallback_url: 'https://shop.example.com/fb' };
  expect(map('branch', record)).toMatchObject({
    link: {
      body: {
        desktop_url: 'https://shop.example.com/fb',
        ios_fallback_url: 'https://shop.example.com/fb',
        android_fallback_url: url,
      },
    },
    unmapped: [{ field: '$ios_url', value: 'shop://sale' }],
  });
});

test.each([
  [{ url: 'https://go.example.com/summer', $deeplink_path: 'sale/1' }, 'https://go.example.com/summer'],
  [{ alias: 'summer', $ios_url: url }, 'summer'],
  [{ alias: 'summer', $ios_url: 'shop://sale' }, 'summer'],
  [{ $deeplink_path: 'sale/1' }, 'sale/1'],
  [{ '~id': '914967' }, ''],
])('branch: %j is reported, because it leads computers nowhere', (record, value) => {
  const { link, unmapped, refusals } = map('branch', record);
  expect([link?.body['desktop_url'], refusals]).toEqual([undefined, []]);
  expect(unmapped.at(-1)).toEqual({ field: 'no desktop_url', value });
});

test.each([
  ['kutt', { target: url }, { id: 7, uuid: '5c1f9cbd' }],
  ['branch', { alias: 'a', $desktop_url: url }, { stage: 'one', '~stage': 'two' }],
  ['branch', { alias: 'a', $desktop_url: url }, { '~id': '914967', id: 7 }],
  ['short-io', { originalURL: url }, { id: 7, idString: 'lnk_1' }],
  ['dub', { url }, { updatedAt: '2024-05-01', 'Updated at': '2024-05-02' }],
])('%s: all values without a place are reported', (source, record, values) => {
  const { link, unmapped, refusals } = map(source, { ...record, ...values });
  expect([link, refusals]).toEqual([map(source, record).link, []]);
  const reports = Object.entries(values).map(([field, value]) => ({ field, value: String(value) }));
  expect(unmapped).toEqual(expect.arrayContaining(reports));
  expect(unmapped).toHaveLength(reports.length);
});

describe('columns whose names differ in signs alone', () => {
  const record = { 'Destination URL': url, 'Clicks (%)': '12', Clicks: '34' };

  test('the one nearer to the listed name counts, and the other one is reported', () => {
    const { link, unmapped, refusals } = map('dub', record);
    expect([link!.origin.originalClicks, unmapped, refusals]).toEqual([
      '34',
      [{ field: 'Clicks (%)', value: '12' }],
      [],
    ]);
    expect(map('dub', { ...record, Clicks: '' }).link!.origin.originalClicks).toBeNull();
    expect(map('dub', { url, 'Clicks (%)': '12' }).link!.origin.originalClicks).toBe('12');
  });

  test('two listed names with different values are refused', () => {
    expect(map('dub', { url, 'Destination URL': 'https://www.example.com/' }).refusals).toEqual([
      { field: 'Destination URL', reason: 'has another value than the field url' },
    ]);
  });

  test.each<[what: string, columns: Record<string, string | null>, clicks: string | null, reported: string[]]>([
    ['both named', { Clicks: 'original_clicks', 'Clicks (%)': null }, '34', []],
    ['both named, in the other order', { 'Clicks (%)': null, Clicks: 'original_clicks' }, '34', []],
    ['the other one named', { 'Clicks (%)': 'original_clicks' }, '12', ['Clicks']],
    ['one named', { Clicks: 'original_clicks' }, '34', ['Clicks (%)']],
    ['one named in other letters', { clicks: 'original_clicks' }, '34', ['Clicks (%)']],
    ['none named', {}, null, ['Clicks (%)', 'Clicks']],
  ])('csv, %s', (_, columns, clicks, reported) => {
    const mapped = map('csv', { desktop_url: url, 'Clicks (%)': '12', Clicks: '34' }, { columns });
    expect([mapped.link!.origin.originalClicks, mapped.unmapped.map(({ field }) => field)]).toEqual([clicks, reported]);
  });

  test('csv: a column keeps the target of its name beside one that differs in signs', () => {
    const mapped = map('csv', { title: 'a', 'Title (%)': 'b' }, { columns: { 'Title (%)': null } });
    expect([mapped.link!.body.title, mapped.unmapped]).toEqual(['a', []]);
  });
});

test('shlink: empty parts of a short URL are not reported', () => {
  const record = {
    shortCode: 'summer',
    shortUrl: 'https://go.example.com/summer',
    longUrl: url,
    dateCreated: '2024-05-01T12:00:00+00:00',
    visitsSummary: { total: 12, nonBots: 0, bots: 0 },
    tags: [],
    meta: { validSince: null, validUntil: null, maxVisits: null },
    domain: null,
    title: null,
    crawlable: false,
    forwardQuery: true,
    hasRedirectRules: true,
    redirectRules: [
      { longUrl: 'https://shop.example.com/ios', conditions: [{ type: 'device', matchKey: null, matchValue: 'ios' }] },
      { longUrl: 'https://shop.example.com/2', conditions: [{ type: 'device', matchKey: null, matchValue: 'ios' }] },
      'no rule',
    ],
  };
  expect(map('shlink', record)).toEqual({
    link: {
      host: 'go.example.com',
      path: 'summer',
      body: { name: 'summer', desktop_url: url, ios_fallback_url: 'https://shop.example.com/ios' },
      origin: { importedFrom: 'shlink', originalCreatedAt: new Date('2024-05-01T12:00:00Z'), originalClicks: '12' },
    },
    unmapped: [
      { field: 'redirectRules', value: JSON.stringify(record.redirectRules[1]) },
      { field: 'redirectRules', value: 'no rule' },
    ],
    refusals: [],
  });
});

test('bundle ids match without regard to letter case, and package names do not', () => {
  const record = { name: 'A', ios_bundle_id: 'com.Example.SHOP', android_package_name: 'com.Example.SHOP' };
  for (const source of ['csv', 'signpost'])
    expect(map(source, record)).toMatchObject({
      link: { body: { ios_app_id: 'ios-app' } },
      unmapped: [{ field: 'android_package_name', app: 'android' }],
    });
});

describe('addresses', () => {
  test.each([
    ['https://go.example.com/Summer', 'go.example.com', 'Summer'],
    ['HTTPS://GO.Example.COM/a/b', 'go.example.com', 'a/b'],
    ['go.example.com/a', 'go.example.com', 'a'],
    [' https://go.example.com:443/a ', 'go.example.com', 'a'],
    ['https://gö.example/a', 'xn--g-1ga.example', 'a'],
    ['https://go.example.com/summer/', 'go.example.com', 'summer'],
    ['go.example.com/a/b/', 'go.example.com', 'a/b'],
  ])('%s', (address, host, path) => {
    expect(map('bitly', { link: address, long_url: url }).link).toMatchObject({ host, path });
  });

  test.each([
    ['https://go.example.com', 'is the root of a host'],
    ['https://go.example.com//', 'is the root of a host'],
    ['https://go.example.com/a//', 'must consist of segments'],
    ['https://go.example.com/a?b=c', 'must be a URL such as'],
    ['https://ann@go.example.com/a', 'must be a URL such as'],
    ['ftp://go.example.com/a', 'must be a URL such as'],
    ['javascript:alert(1)', 'must be a URL such as'],
    ['https://go.example.com/robots.txt', 'is reserved'],
    [`https://go.example.com/${'a'.repeat(51)}`, 'must have at most 50 characters'],
    [42, 'must be a string'],
    [['https://go.example.com/a'], 'must be a string'],
  ])('%s is refused', (address, reason) => {
    const { link, refusals } = map('bitly', { link: address, long_url: url });
    expect([link, refusals]).toEqual([null, [{ field: 'link', reason: expect.stringContaining(reason) }]]);
  });

  test.each([
    ['dub', { key: 'summer/', url }],
    ['short-io', { path: '/summer/', originalURL: url }],
    ['firebase-dynamic-links', { 'Short link': 'https://go.example.com/summer/', link: url }],
    ['bitly', { custom_bitlinks: 'go.example.com/summer/', long_url: url }],
    ['csv', { short_url: 'https://go.example.com/summer/' }],
    ['signpost', { name: 'A', full_url: 'https://go.example.com/summer/' }],
  ])('%s: %j has the path summer, as a visit with a slash at its end', (source, record) => {
    expect(map(source, record)).toMatchObject({ link: { path: 'summer' }, refusals: [] });
  });

  test('an address that differs from host and path is reported', () => {
    const record = { domain: 'go.example.com', key: 'a', shortLink: 'https://go.example.org/b', url };
    expect(map('dub', record)).toMatchObject({
      link: { host: 'go.example.com', path: 'a' },
      unmapped: [
        { field: 'shortLink', value: 'https://go.example.org/b' },
        { field: 'shortLink', value: 'https://go.example.org/b' },
      ],
    });
  });
});

const [created, later] = ['2024-05-01T12:00:00.000Z', '2037-01-01T00:00:00.000Z'];
const limits = { clicksLimit: 100, clicks: 100, expiredURL: `${url}/over` };
const visits = { longUrl: url, visitsSummary: { total: 101 } };
test.each<[string, SourceRecord, ended: string]>([
  ['short-io', limits, '1970-01-01T00:00:00.000Z'],
  ['short-io', { ...limits, createdAt: created }, created],
  ['short-io', { ...limits, createdAt: created, expiresAt: later }, created],
  ['short-io', { ...limits, clicks: 99, createdAt: created, expiresAt: later }, later],
  ['shlink', { ...visits, dateCreated: created, meta: { maxVisits: 100, validUntil: later } }, created],
  [
    'shlink',
    { ...visits, dateCreated: created, meta: { maxVisits: 100, validSince: '2025-01-01T00:00:00.000Z' } },
    '2025-01-01T00:00:00.001Z',
  ],
])('a link of %s without clicks left, %j, has ended, and leads to its address for that', (source, record, ended) => {
  const { link, refusals, unmapped } = map(source, { originalURL: url, ...record });
  expect([link?.body['active_until'], refusals]).toEqual([ended, []]);
  expect(link?.body).not.toHaveProperty('disabled');
  if (source === 'short-io') expect([link?.body['expired_url'], unmapped]).toEqual([`${url}/over`, []]);
});

describe('destinations', () => {
  test.each([
    ['shop.example.com', 'must be an absolute http or https URL'],
    [
      'mailto:ann@example.com',
      'has the scheme mailto, which allowed_schemes of the project does not have; add it there, or use https',
    ],
    ['javascript:alert(1)', 'must be an absolute http or https URL'],
    [7, 'must be a string'],
  ])('%s is refused', (target, reason) => {
    expect(map('kutt', { target })).toEqual({ link: null, unmapped: [], refusals: [{ field: 'target', reason }] });
  });

  test.each([
    [{ desktop_url: 'tel:0800123' }, { desktop_url: 'tel:0800123' }],
    [{ desktop_url: ' SHOP://a b ' }, undefined],
    [{ desktop_url: ' SHOP://a/b c ' }, { desktop_url: 'shop://a/b%20c' }],
    [
      { desktop_url: url, ios_fallback_url: 'shop://a' },
      { desktop_url: url, ios_fallback_url: 'shop://a' },
    ],
    [{ desktop_url: url, android_fallback_url: 'other://a' }, { desktop_url: url }],
    [{ desktop_url: url, social_image_url: 'shop://a' }, { desktop_url: url }],
    [{ desktop_url: 'mailto:a' }, undefined],
    [{ desktop_url: 'javascript:alert(1)' }, undefined],
  ])('of a project that allows tel and shop, %j has the destinations %j', (record, destinations) => {
    const allowed = { ...context.allowed, allowedSchemes: ['tel', 'shop'] };
    const { link } = importSources.get('csv')!.map(record, { ...context, allowed });
    expect(link?.body).toEqual(destinations && { name: expect.any(String) as string, ...destinations });
  });

  test('a missing one is refused', () => {
    expect(map('kutt', { address: 'a', target: ' ' }).refusals).toEqual([{ field: 'target', reason: 'is required' }]);
  });
});

test('all faults of a record are refused at once, with the names of its fields', () => {
  const record = { Keyword: '-a', URL: 'x', title: ['x'] };
  expect(map('yourls', record).refusals.map(({ field }) => field)).toEqual(['Keyword', 'URL', 'title']);
});

describe('texts that programs write to CSV in place of nothing', () => {
  const nothing = ['NULL', 'null', 'Null', ' null ', 'undefined', '\\N'];

  test.each(nothing)('dub: %j is empty in each column', (value) => {
    const columns = ['disabledAt', 'Title', 'utm_source', 'externalId', 'ios', 'Tags', 'Archived', 'Clicks', 'geo'];
    const record = { 'Short link': 'go.example.com/a', 'Destination URL': url };
    const row = Object.fromEntries([...columns, 'Created at', 'Farbe'].map((column) => [column, value]));
    expect(map('dub', { ...record, ...row })).toEqual(map('dub', record));
  });

  test.each<[source: string, record: SourceRecord, column: string]>([
    ['firebase-dynamic-links', { link: url }, 'Archived?'],
    ['csv', { desktop_url: url }, 'notes'],
    ['signpost', { name: 'A' }, 'external_id'],
  ])('%s: %j with null in the column %s', (source, record, column) => {
    for (const value of nothing) expect(map(source, { ...record, [column]: value })).toEqual(map(source, record));
  });

  test.each([
    ['dub', 'key', { url }],
    ['csv', 'custom_path', { desktop_url: url }],
    ['signpost', 'custom_path', { name: 'A' }],
  ])('%s: a path NULL in the column %s is kept', (source, column, record) => {
    expect(map(source, { ...record, [column]: 'NULL' }).link!.path).toBe('NULL');
  });

  test('they are texts in JSON, and in the texts of a file of Signpost', () => {
    expect(map('bitly', { long_url: url, title: 'null', archived: false }).link!.body.title).toBe('null');
    expect(map('signpost', { name: 'Null', title: 'null', notes: 'undefined' }).link!.body).toEqual({
      name: 'Null',
      title: 'null',
      notes: 'undefined',
    });
  });
});

test.each([
  ['2024-05-01T12:00:00.000Z', true],
  ['2024-05-01 12:00', true],
  ['1714564800', true],
  ['TRUE', true],
  [true, true],
  ['no', undefined],
  ['0', undefined],
  [false, undefined],
])('dub: disabledAt %j disables: %s', (disabledAt, disabled) => {
  const { link, unmapped, refusals } = map('dub', { url, disabledAt });
  expect([link!.body.disabled, unmapped, refusals]).toEqual([disabled, [], []]);
});

test.each(['-', 'n/a', '05/01/2024', 'never', 7, { a: 1 }])('dub: disabledAt %j refuses the record', (disabledAt) => {
  const { link, refusals } = map('dub', { url, disabledAt });
  expect([link, refusals]).toEqual([
    null,
    [
      {
        field: 'disabledAt',
        reason: expect.stringMatching(/^must be a time such as 2024-05-01T12:00:00Z, .*, true or false$/),
      },
    ],
  ]);
});

test.each([
  ['go.example.com/summer', 'https://bit.ly/3xYz', 'go.example.com', 'summer', ['https://bit.ly/3xYz']],
  [
    'https://go.example.com/summer',
    'https://go.example.com/3xYz',
    'go.example.com',
    'summer',
    ['https://go.example.com/3xYz'],
  ],
  ['https://bit.ly/summer', 'bit.ly/3xYz', 'bit.ly', 'summer', ['https://bit.ly/summer', 'bit.ly/3xYz']],
  ['', 'https://go.example.com/3xYz', 'go.example.com', '3xYz', []],
])('bitly: the export of the console with the custom link %j', (custom, generated, host, path, reported) => {
  const { link, unmapped, refusals } = map('bitly', {
    Link: generated,
    'Custom Link': custom,
    'Date created': '2024-05-01 12:00:00',
    Title: 'Summer sale',
    'Destination URL': url,
    Engagements: '1,234',
    Status: 'Active',
  });
  expect(link).toEqual({
    host,
    path,
    body: { name: 'Summer sale', desktop_url: url, title: 'Summer sale' },
    origin: { importedFrom: 'bitly', originalCreatedAt: new Date('2024-05-01T12:00:00Z'), originalClicks: '1234' },
  });
  expect([unmapped.map(({ value }) => value).sort(), refusals]).toEqual([reported.sort(), []]);
});

test.each(['bitly', 'rebrandly'])('%s: a status other than active is reported', (source) => {
  const field = source === 'bitly' ? 'long_url' : 'destination';
  const reports = ['active', 'Active', 'Archived', 'expired'].map(
    (Status) => map(source, { [field]: url, Status }).unmapped,
  );
  expect(reports).toEqual([[], [], [{ field: 'Status', value: 'Archived' }], [{ field: 'Status', value: 'expired' }]]);
});

describe('times', () => {
  test.each([
    ['2024-05-01T12:00:00Z', 'UTC', '2024-05-01T12:00:00.000Z'],
    ['2024-05-01T12:00:00.123456+02:00', 'UTC', '2024-05-01T10:00:00.123Z'],
    ['2024-05-01T12:00:00+0530', 'UTC', '2024-05-01T06:30:00.000Z'],
    ['2024-05-01 12:00:00 GMT', 'Europe/Berlin', '2024-05-01T12:00:00.000Z'],
    ['2024-05-01 12:00:00', 'UTC', '2024-05-01T12:00:00.000Z'],
    ['2024-05-01 12:00:00', 'Europe/Berlin', '2024-05-01T10:00:00.000Z'],
    ['2024-12-01 12:00:00', 'Europe/Berlin', '2024-12-01T11:00:00.000Z'],
    // The clocks skip this hour, and repeat the next one.
    ['2024-03-31 02:30:00', 'Europe/Berlin', '2024-03-31T01:30:00.000Z'],
    ['2024-10-27 02:30:00', 'Europe/Berlin', '2024-10-27T00:30:00.000Z'],
    ['2024-05-01', 'America/New_York', '2024-05-01T04:00:00.000Z'],
    ['2024-05-01 12:00', 'UTC', '2024-05-01T12:00:00.000Z'],
    [1714564800, 'UTC', '2024-05-01T12:00:00.000Z'],
    ['1714564800', 'UTC', '2024-05-01T12:00:00.000Z'],
    [1714564800000, 'UTC', '2024-05-01T12:00:00.000Z'],
  ])('%s in %s is %s', (timestamp, zone, expected) => {
    const { link, unmapped } = map('yourls', { url, timestamp }, { time_zone: zone });
    expect([link!.origin.originalCreatedAt?.toISOString(), unmapped]).toEqual([expected, []]);
  });

  test.each(['03/04/2024', '3/4/24', '03-04-2024 12:00', '13.04.2024'])('%s is refused', (timestamp) => {
    expect(map('yourls', { url, timestamp }).refusals).toEqual([
      {
        field: 'timestamp',
        reason: 'can begin with the day or the month, so set the option date_format to day_first or month_first',
      },
    ]);
  });

  test.each([
    ['03/04/2024', 'day_first', '2024-04-03T00:00:00.000Z'],
    ['03/04/2024', 'month_first', '2024-03-04T00:00:00.000Z'],
    ['3.4.24', 'day_first', '2024-04-03T00:00:00.000Z'],
    ['3-4-2024 9:05', 'month_first', '2024-03-04T09:05:00.000Z'],
    ['13.04.2024, 12:30:15', 'day_first', '2024-04-13T12:30:15.000Z'],
    ['4/13/2024 1:05 PM', 'month_first', '2024-04-13T13:05:00.000Z'],
    ['4/13/2024 12:05:06 a.m.', 'month_first', '2024-04-13T00:05:06.000Z'],
    ['13/04/2024 12:00 +02:00', 'day_first', '2024-04-13T10:00:00.000Z'],
    // Other forms have one meaning.
    ['2024-04-03', 'day_first', '2024-04-03T00:00:00.000Z'],
    ['1714564800', 'month_first', '2024-05-01T12:00:00.000Z'],
  ])('%s in the format %s is %s', (timestamp, format, expected) => {
    const { link, unmapped } = map('yourls', { url, timestamp }, { date_format: format });
    expect([link?.origin.originalCreatedAt?.toISOString(), unmapped]).toEqual([expected, []]);
  });

  test.each([
    ['13/04/2024', 'month_first'],
    ['04/13/2024', 'day_first'],
    ['30.02.2024', 'day_first'],
    ['4/3/2024 13:05 PM', 'month_first'],
    ['4/3/2024 0:05 AM', 'month_first'],
    ['4/3/2024 soon', 'month_first'],
  ])('%s does not exist in the format %s', (timestamp, format) => {
    const { refusals } = map('yourls', { url, timestamp }, { date_format: format });
    expect(refusals.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(`^does not exist in the date_format ${format}; `),
    ]);
  });

  test.each(['2024-02-30 12:00:00', '1. Mai 2024', '2024-05-01T25:00:00Z', '12', 12, true, 'soon'])(
    '%s is reported',
    (timestamp) => {
      const { link, unmapped } = map('yourls', { url, timestamp });
      expect([link!.origin.originalCreatedAt, unmapped]).toEqual([
        null,
        [{ field: 'timestamp', value: String(timestamp) }],
      ]);
    },
  );
});

test.each(['-1', '1.5', '12,34', 'many', 1.5, -1, '99999999999999999999', true])(
  'clicks: %s are reported',
  (clicks) => {
    const { link, unmapped } = map('yourls', { url, clicks });
    expect([link!.origin.originalClicks, unmapped]).toEqual([null, [{ field: 'clicks', value: String(clicks) }]]);
  },
);

const isTrue = (word: string): [string, true] => [word, true];
const isFalse = (word: string): [string, undefined] => [word, undefined];

test.each<[unknown, true | undefined]>([
  [true, true],
  ['YES', true],
  [1, true],
  [' on ', true],
  ['False', undefined],
  ['no', undefined],
  [0, undefined],
  ['', undefined],
  // COPY … CSV of PostgreSQL
  ['t', true],
  ['f', undefined],
  // Spreadsheets in other languages
  ...['WAHR', 'vrai', 'VERDADERO', 'VERDADEIRO', 'VERO', 'CERT', 'ADEVĂRAT', 'WAAR', 'PRAWDA', 'PRAVDA'].map(isTrue),
  ...['RESNIČNO', 'ISTINA', 'IGAZ', 'SANT', 'SANN', 'SAND', 'TOSI', 'TÕENE', 'PATIESS', 'TIESA'].map(isTrue),
  ...['DOĞRU', 'ИСТИНА', 'ІСТИНА', '참'].map(isTrue),
  ...['FALSCH', 'faux', 'FALSO', 'FALS', 'ONWAAR', 'FAŁSZ', 'NEPRAVDA', 'NERESNIČNO', 'LAŽ', 'HAMIS'].map(isFalse),
  ...['FALSKT', 'USANN', 'FALSK', 'EPÄTOSI', 'EPA\u0308TOSI', 'VÄÄR', 'NEPATIESS', 'NETIESA'].map(isFalse),
  ...['YANLIŞ', 'yanlış', 'ЛОЖЬ', 'ХИБНІСТЬ', 'ЛЪЖА', '거짓'].map(isFalse),
])('the flag %s becomes %s', (archived, expected) => {
  expect(map('bitly', { long_url: url, archived }).link!.body.archived).toBe(expected);
});

test.each(['perhaps', 2, [true], { a: 1 }])('the flag %s is refused', (archived) => {
  expect(map('bitly', { long_url: url, archived }).refusals).toEqual([
    { field: 'archived', reason: 'must be true or false' },
  ]);
});

describe('tags', () => {
  test.each([
    ['a, b ,, A', ['a', 'b']],
    ['a|b', ['a', 'b']],
    ['["a, b"]', ['a, b']],
    [[{ id: 1, name: 'a' }], ['a']],
    [
      [' a', 'a', ''],
      [' a', 'a'],
    ],
  ])('%j are %j', (tags, expected) => {
    expect(map('bitly', { long_url: url, tags }).link!.body.tags).toEqual(expected);
  });

  test('those that break the rule are reported, and so are those beyond twenty', () => {
    const tags = [...Array.from({ length: 22 }, (_, at) => `t${at}`), 'x'.repeat(51), 7, null];
    const { link, unmapped } = map('bitly', { long_url: url, tags });
    expect(link!.body.tags).toHaveLength(20);
    expect(unmapped.map(({ value }) => value)).toEqual(['t20', 't21', 'x'.repeat(51), '7', 'null']);
  });

  test('other types are refused', () => {
    expect(map('bitly', { long_url: url, tags: 7 }).refusals).toEqual([
      { field: 'tags', reason: 'must be a list of tags' },
    ]);
  });
});

describe('hostile cells', () => {
  test('texts of megabytes are cut by characters, and reports about them stay small', () => {
    const title = '😀'.repeat(1_000_000);
    const { link, unmapped } = map('bitly', { long_url: url, title, other: title, ['x'.repeat(1_000_000)]: '1' });
    expect([link!.body.name, link!.body.title]).toEqual(['😀'.repeat(100), '😀'.repeat(200)]);
    expect(unmapped.map(({ field }) => field.slice(0, 5))).toEqual(['other', 'xxxxx', 'title']);
    for (const { field, value } of unmapped) expect(field.length + value.length).toBeLessThan(1300);
  });

  test('reports can be stored', () => {
    const { unmapped } = map('bitly', { long_url: url, 'a\0': 'b\0\ud800' });
    expect(unmapped).toEqual([{ field: 'a\u{fffd}', value: 'b\u{fffd}\u{fffd}' }]);
  });

  test('names of prototypes are fields as any other', () => {
    const record = JSON.parse(
      `{"long_url":"${url}","__proto__":{"archived":true},"constructor":"a","hasOwnProperty":"b","toString":"c"}`,
    ) as SourceRecord;
    const { link, unmapped } = map('bitly', record);
    expect(link!.body).toEqual({ name: 'shop.example.com', desktop_url: url });
    expect(unmapped).toEqual([
      { field: '__proto__', value: '{"archived":true}' },
      { field: 'constructor', value: 'a' },
      { field: 'hasOwnProperty', value: 'b' },
      { field: 'toString', value: 'c' },
    ]);
  });

  test('names of prototypes are columns and parameters as any other', () => {
    const options = JSON.parse('{"columns":{"__proto__":"referrer_params.__proto__"}}') as Record<string, unknown>;
    const record = JSON.parse('{"__proto__":"x"}') as SourceRecord;
    expect(Object.entries(map('csv', record, options).link!.body.referrer_params as object)).toEqual([
      ['__proto__', 'x'],
    ]);
  });

  test('a column without a name is reported', () => {
    expect(map('bitly', { long_url: url, '': 'x', ' ': 'y', $: '' }).unmapped).toEqual([
      { field: '', value: 'x' },
      { field: ' ', value: 'y' },
    ]);
  });
});

describe('signpost', () => {
  test('keeps empty texts and objects, which differ from null there', () => {
    const record = { name: 'Summer', title: '', notes: null, referrer_params: {}, desktop_url: '', tags: [] };
    expect(map('signpost', record).link!.body).toEqual({ name: 'Summer', title: '', referrer_params: {} });
  });

  test('reads empty cells of CSV as null', () => {
    const record = { name: 'Summer', title: '', notes: '', referrer_params: '', tags: '[]', archived: 'false' };
    expect(map('signpost', record).link!.body).toEqual({ name: 'Summer' });
  });

  test('cuts nothing', () => {
    expect(map('signpost', { name: 'x'.repeat(101) }).refusals).toEqual([
      { field: 'name', reason: 'must have at most 100 characters' },
    ]);
  });

  test('keeps the order of parameters, and the first origin', () => {
    const record = {
      name: 'Summer',
      referrer_params: { b: '1', a: '2' },
      imported_from: 'bitly',
      original_created_at: '2020-01-01T00:00:00.000Z',
      original_clicks: 7,
      created_at: '2024-01-01T00:00:00.000Z',
    };
    const { link } = map('signpost', record);
    expect(Object.keys(link!.body.referrer_params as object)).toEqual(['b', 'a']);
    expect(link!.origin).toEqual({
      importedFrom: 'bitly',
      originalCreatedAt: new Date('2020-01-01'),
      originalClicks: '7',
    });
  });
});

test.each(['csv', 'branch'])('a row of %s without a known field is refused', (source) => {
  const { link, refusals } = map(source, { Spalte: 'Wert' });
  expect([link, refusals]).toEqual([
    null,
    [{ field: 'row', reason: 'has no field that the source or the mapping knows' }],
  ]);
});

describe('csv', () => {
  const options = {
    columns: { 'Kurz-URL': 'short_url', Ziel: 'desktop_url', 'Nr.': null, Kampagne: 'referrer_params.utm_campaign' },
  };

  test('reads the named columns and those with names of targets, and reports the others', () => {
    const record = { 'KURZ URL': 'go.example.com/a', ziel: url, 'Nr.': '7', Tags: 'a', Kampagne: 'x', Farbe: 'rot' };
    expect(map('csv', record, options)).toMatchObject({
      link: {
        host: 'go.example.com',
        path: 'a',
        body: { desktop_url: url, tags: ['a'], referrer_params: { utm_campaign: 'x' } },
      },
      unmapped: [{ field: 'Farbe', value: 'rot' }],
    });
  });

  test('reports a second value of a target, also of those that no link shows', () => {
    const columns = {
      Clicks: 'original_clicks',
      Scans: 'original_clicks',
      Created: 'original_created_at',
      Made: 'original_created_at',
    };
    const record = { desktop_url: url, Clicks: '10', Scans: '7', Created: '2024-05-01', Made: '2024-05-02' };
    const { link, unmapped } = map('csv', record, { columns });
    expect(link!.origin).toMatchObject({ originalClicks: '10', originalCreatedAt: new Date('2024-05-01') });
    expect(unmapped).toEqual([
      { field: 'Scans', value: '7' },
      { field: 'Made', value: '2024-05-02' },
    ]);
    expect(map('csv', { ...record, Scans: '10', Made: '2024-05-01' }, { columns }).unmapped).toEqual([]);
  });

  test('reads the forwarding of parameters in any letter case, and a list twice', () => {
    const record = { desktop_url: url, query_forwarding: ' None ', forwarded_params: 'a,b', Names: 'a,b' };
    expect(map('csv', record, { columns: { Names: 'forwarded_params' } })).toMatchObject({
      link: { body: { query_forwarding: 'none', forwarded_params: ['a', 'b'] } },
      unmapped: [],
    });
  });

  test('reads a column that has the name of one target as another', () => {
    expect(map('csv', { title: 'a' }, { columns: { title: 'notes' } }).link!.body).toEqual({
      name: 'Imported link',
      notes: 'a',
    });
  });
});

test.each<[options: unknown, path: string[]]>([
  [{ time_zone: 'Mars/Olympus' }, ['time_zone']],
  [{ time_zone: 7 }, ['time_zone']],
  [{ encoding: 'latin1' }, ['encoding']],
  [{ encoding: null }, ['encoding']],
  [{ date_format: 'day' }, ['date_format']],
  [{ date_format: null }, ['date_format']],
  [{ zone: 'UTC' }, ['zone']],
  [{ columns: 'title' }, ['columns']],
  [{ columns: { a: 'titel' } }, ['columns', 'a']],
  [{ columns: { a: 'referrer_params.' } }, ['columns', 'a']],
  [{ columns: { a: 7 } }, ['columns', 'a']],
  [{ columns: { a: 'constructor' } }, ['columns', 'a']],
  [{ columns: { ['x'.repeat(201)]: 'title' } }, ['columns']],
  [{ columns: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`c${at}`, null])) }, ['columns']],
  ['title', []],
  ...['\0', '\ud800', 'x\udc00'].flatMap((text): [object, string[]][] => [
    [{ columns: { [text]: 'name' } }, []],
    [{ columns: { name: text } }, []],
  ]),
])('options: %j are refused', (options, path) => {
  const read = importOptions.safeParse(options);
  expect('problems' in read && read.problems.map((problem) => problem.path)).toEqual([path]);
});

test.each(['C:\\udata', 'a literal \\u0000', 'ünïcode 🎉'])('options: the column %j can be stored', (column) => {
  const columns = { [column]: 'name' };
  expect(importOptions.safeParse({ columns })).toEqual({ value: { columns } });
});

test.each([
  ['Summer, Mail|Web', ['Summer', 'Mail', 'Web']],
  ['"Sommer, spät", +plus, "the ""best""', ['Sommer, spät', '+plus', 'the "best"']],
  ['" a", a ', [' a', 'a']],
  ['"open, x', ['"open', 'x']],
  ['say "hi", b', ['say "hi"', 'b']],
  [',a,,', ['a']],
])('the cell %s has the tags %j', (tags, expected) => {
  const { link } = map('bitly', { link: 'https://go.example.com/a', long_url: 'https://a.example/', tags });
  expect(link!.body['tags']).toEqual(expected);
});

test('a record lists a limited number of values without a place, and of refusals', () => {
  const record = { target: url, ...Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`extra-${at}`, 'x'])) };
  const { unmapped, link } = map('kutt', record);
  expect(link).not.toBeNull();
  expect(unmapped).toHaveLength(201);
  expect(unmapped.slice(-2)).toEqual([
    { field: 'extra-199', value: 'x' },
    { field: '…', value: '50 further values' },
  ]);
  const names = Array.from({ length: 30 }, (_, at) => `a${at}`);
  const columns = Object.fromEntries(names.map((name) => [name, `referrer_params.${name}`]));
  const wrong = Object.fromEntries(names.map((name) => [name, { wrong: true }]));
  expect(map('csv', wrong, { columns }).refusals).toHaveLength(20);
  const long = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`extra-${at}`, 'x'.repeat(1000)]));
  expect(map('kutt', { target: url, ...long }).unmapped.at(-1)).toEqual({ field: '…', value: '27 further values' });
});
