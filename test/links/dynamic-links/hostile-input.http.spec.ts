import type { Response } from 'supertest';
import { linkFieldEntries } from '../../../src/links/dynamic-links/link-fields';
import { dynamicLinkFields } from '../../contracts/fields';
import { aDynamicLink, aProject, unique } from '../../support/builders';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { fc, runs } from '../../support/properties';

let on: TestService;
let owner: TestAccount;
let project: string;
let link: string;
beforeAll(async () => {
  on = await aService({ QUOTA_PRO_PROJECTS: 'unlimited', QUOTA_PRO_DYNAMIC_LINKS: 'unlimited' });
  owner = await on.anAccount();
  project = `/projects/${(await aProject(on, owner.key)).id}`;
  link = `${project}/links/${(await aDynamicLink(on, owner.key, project.slice('/projects/'.length))).id}`;
});
afterAll(() => on.stop());

const sixtyRuns = runs(60);

const send = (method: 'post' | 'put', path: string, json: string) =>
  on.api(method, path, owner.key).set('Content-Type', 'application/json').send(json);

/** Texts with arbitrary code units, lone surrogates, NUL, and syntax of SQL, HTML, URLs or JavaScript. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        ...[
          '\0',
          '\ud800',
          '\udfff',
          "'",
          '"',
          '\\',
          '%',
          '_',
          '$1',
          ':name',
          '--',
          ';',
          '/*',
          '\r\n',
          '\u2028',
          '\u202e',
          '\ufeff',
        ],
        ...[
          '<script>',
          '{{7*7}}',
          '${7*7}',
          '__proto__',
          'constructor',
          '../..',
          '/./',
          '//',
          '@',
          '#',
          '?',
          '😀',
          'e\u0301',
          ' ',
          'a',
        ],
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join('')),
  fc
    .constantFrom('javascript:', 'https://', 'http:', 'https://a@b/', 'https://[', 'https://%')
    .chain((start) => fc.string({ unit: 'binary', maxLength: 60 }).map((rest) => start + rest)),
);

const hostileValue = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(hostileText, fc.oneof(hostileText, fc.jsonValue({ maxDepth: 1 }))),
);

const wellFormed = (value: string): boolean => value.isWellFormed() && !value.includes('\0');
const codePoints = (value: string): number => [...value].length;

/** Rules of texts (docs/contract.md, “Bodies and fields”). */
const textRules: Record<string, (value: string) => boolean> = {
  ...Object.fromEntries(
    linkFieldEntries.flatMap(([name, { kind, rule }]) =>
      kind === 'text'
        ? [[name, (value: string) => wellFormed(value) && codePoints(value) <= rule.schema.maxLength!]]
        : [],
    ),
  ),
  name: (value) => wellFormed(value) && codePoints(value) <= 100 && value.trim() !== '',
  external_id: (value) =>
    wellFormed(value) &&
    codePoints(value) <= 255 &&
    value.trim() !== '' &&
    !/[\u0000-\u001f\u007f-\u009f]/.test(value) &&
    value !== '.' &&
    value !== '..',
};

function expectDetailAt(response: Response, field: string): void {
  expect(response).toBeRefusedWith('INVALID_INPUT', expect.any(Array));
  for (const detail of response.body.error.details) {
    expect(detail.path[0]).toBe(field);
    expect(Object.keys(detail)).toEqual(['code', 'path', 'message']);
  }
}

test.each(Object.keys(textRules))('the field %s stores any text unchanged or refuses it', async (field) => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (value) => {
      const body = JSON.stringify({ [field]: value });
      const response = await send('put', link, body);
      if (!textRules[field]!(value)) return expectDetailAt(response, field);
      expect([response.status, response.body.data?.[field]]).toEqual([200, value]);
      const read = await on.api('get', link, owner.key).expect(200);
      expect(read.body.data[field]).toBe(value);
    }),
    sixtyRuns,
  );
});

test("a project's name stores any text unchanged or refuses it", async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (value) => {
      const response = await send('put', project, JSON.stringify({ name: value }));
      if (!textRules['name']!(value)) return expectDetailAt(response, 'name');
      const read = await on.api('get', project, owner.key).expect(200);
      expect([response.status, response.body.data?.name, read.body.data.name]).toEqual([200, value, value]);
    }),
    sixtyRuns,
  );
});

test('referrer_params stores any pairs unchanged or refuses them', async () => {
  const isValid = (key: string, value: unknown) =>
    typeof value === 'string' &&
    wellFormed(key) &&
    wellFormed(value) &&
    key !== '' &&
    codePoints(key) <= 100 &&
    codePoints(value) <= 500;
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(
        hostileText,
        fc.oneof({ weight: 9, arbitrary: hostileText }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) }),
        { maxKeys: 4 },
      ),
      async (params) => {
        const response = await send('put', link, JSON.stringify({ referrer_params: params }));
        if (!Object.entries(params).every(([key, value]) => isValid(key, value)))
          return expectDetailAt(response, 'referrer_params');
        expect([response.status, response.body.data?.referrer_params]).toEqual([200, params]);
        expect(Object.keys(response.body.data.referrer_params)).toEqual(Object.keys(params));
      },
    ),
    sixtyRuns,
  );
});

const linkFields = Object.keys(dynamicLinkFields);

const expectedStatuses = [200, 201, 400, 404, 409];

test('a link field with any value is accepted, or refused with the path of the field', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...linkFields), hostileValue, fc.boolean(), async (field, value, creating) => {
      const body = JSON.stringify(creating ? { name: 'x', [field]: value } : { [field]: value });
      const response = creating ? await send('post', `${project}/links`, body) : await send('put', link, body);
      expect(expectedStatuses).toContain(response.status);
      if (response.status === 400) expectDetailAt(response, field);
    }),
    runs(150),
  );
});

test('an accepted URL is http or https, in ASCII, and has no user information', async () => {
  const url = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc
      .tuple(fc.constantFrom('https://', 'http://', 'HTTPS://', 'https:/', 'https:\\\\'), hostileText)
      .map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('https://example.com/', 'https://example.com?', 'https://example.com/#'), hostileText)
      .map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(url, async (value) => {
      const response = await send('put', link, JSON.stringify({ desktop_url: value }));
      if (response.status !== 200) return expectDetailAt(response, 'desktop_url');
      const stored = response.body.data.desktop_url as string;
      expect(stored).toMatch(/^https?:\/\/[^/@?#]+(?:[/?#][\x21-\x7e]*)$/);
      expect(stored).toBe(new URL(value).href);
      expect(stored.length).toBeLessThanOrEqual(2048);
    }),
    runs(120),
  );
});

test('a project field with any value is accepted, or refused with the path of the field', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('name', 'subdomain'), hostileValue, async (field, value) => {
      const body = JSON.stringify({ name: 'x', subdomain: unique('h'), [field]: value });
      const response = await send('post', '/projects', body);
      expect([201, 400, 409]).toContain(response.status);
      if (response.status === 400) expectDetailAt(response, field);
    }),
    sixtyRuns,
  );
});

test('a body with any JSON never returns 5xx', async () => {
  const body = fc.oneof(
    fc.json({ maxDepth: 5 }),
    fc
      .dictionary(fc.oneof(fc.constantFrom(...linkFields), hostileText), hostileValue)
      .map((value) => JSON.stringify(value)),
    hostileText,
  );
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.constantFrom<['post' | 'put', string]>(
        ['post', '/projects'],
        ['put', project],
        ['post', `${project}/links`],
        ['put', link],
      ),
      async (json, [method, path]) => {
        const response = await send(method, path, json || '""');
        expect(expectedStatuses).toContain(response.status);
        if (response.status === 400) expect(['INVALID_INPUT', 'FORBIDDEN_FIELD']).toContain(response.body.error.code);
      },
    ),
    runs(80),
  );
});

test('a query with any values never returns 5xx', async () => {
  const parameter = fc.constantFrom('page', 'limit', 'search', 'sortBy', 'sortOrder', 'ios_app_id', '__proto__', 'x');
  const text = hostileText.map((value) => value.toWellFormed());
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(parameter, text), { maxLength: 3 }),
      fc.constantFrom('/projects', `${project}/links`),
      async (pairs, path) => {
        const response = await on.api('get', `${path}?${new URLSearchParams(pairs).toString()}`, owner.key);
        expect([200, 400]).toContain(response.status);
        if (response.status === 400) expect(response).toBeRefusedWith('INVALID_INPUT');
      },
    ),
    runs(80),
  );
});

test('a search for any text without NUL finds the link with that text in its name', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((text) => textRules['name']!(text)),
      async (text) => {
        await send('put', link, JSON.stringify({ name: `<${text}>` })).expect(200);
        const search = new URLSearchParams({ search: text, limit: '100', sortBy: 'updated_at' });
        const response = await on.api('get', `${project}/links?${search.toString()}`, owner.key).expect(200);
        expect(response.body.data.map(({ name }: { name: string }) => name)).toContain(`<${text}>`);
      },
    ),
    sixtyRuns,
  );
});
