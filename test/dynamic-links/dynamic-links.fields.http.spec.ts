import { randomUUID } from 'node:crypto';
import { aDynamicLink, aProject, unique } from '../support/builders';
import { changingNothing } from '../support/content';
import { jsonTypes, unstorable } from '../support/json';
import { aService, type TestAccount, type TestService } from '../support/service';

let on: TestService;
let owner: TestAccount;
let projectId: string;
let linkId: string;
beforeAll(async () => {
  on = await aService();
  owner = await on.anAccount();
  projectId = (await aProject(on, owner.key)).id;
  linkId = (await aDynamicLink(on, owner.key, projectId)).id;
});
afterAll(() => on.stop());

const send = (method: 'post' | 'put', path: string, body: object | string) =>
  on.api(method, path, owner.key).set('Content-Type', 'application/json').send(body);

const create = (fields: object | string) =>
  send('post', `/projects/${projectId}/links`, typeof fields === 'string' ? fields : { name: 'A link', ...fields });
const update = (fields: object | string) => send('put', `/projects/${projectId}/links/${linkId}`, fields);
const writes = [
  ['create', create],
  ['update', update],
] as const;

const because = (code: string, ...path: (string | number)[]) => [{ code, path, message: expect.any(String) }];

const urlFields = ['desktop_url', 'ios_fallback_url', 'android_fallback_url', 'social_image_url'];
const appFields = ['ios_app_id', 'android_app_id'];
const stringFields = ['name', 'custom_path', 'social_title', 'social_description', ...urlFields, ...appFields];
const nullableFields = [...urlFields, ...appFields, 'social_title', 'social_description', 'referrer_params'];

/** Field and value are taken, and are there when the link is read again. */
async function expectStored(write: typeof create, field: string, value: unknown): Promise<void> {
  const response = await write({ [field]: value });
  expect(response.body).toEqual({ data: expect.objectContaining({ [field]: value }) });
  const read = await on.api('get', `/projects/${projectId}/links/${response.body.data.id}`, owner.key).expect(200);
  expect(read.body.data[field]).toEqual(value);
}

describe.each(writes)('on %s', (_, write) => {
  describe('texts', () => {
    test.each([
      ['name', 'a'],
      ['name', 'a'.repeat(100)],
      ['name', '😀'.repeat(100)],
      ['name', ' <b>"name"</b>\t '],
      ['social_title', ''],
      ['social_title', ' '],
      ['social_title', 'a'.repeat(200)],
      ['social_title', '😀'.repeat(200)],
      ['social_title', '"><script>alert(1)</script>'],
      ['social_description', ''],
      ['social_description', 'a'.repeat(1000)],
      ['social_description', '😀'.repeat(1000)],
      ['social_description', 'two\nlines\u0001\u0085'],
    ])('%s: %j is stored as it was sent', (field, value) => expectStored(write, field, value));

    test.each([
      ['name', '', 'too_small'],
      ['name', '\u3000\t', 'too_small'],
      ['name', 'a'.repeat(101), 'too_big'],
      ['name', '😀'.repeat(101), 'too_big'],
      ['social_title', 'a'.repeat(201), 'too_big'],
      ['social_title', '😀'.repeat(201), 'too_big'],
      ['social_description', 'a'.repeat(1001), 'too_big'],
      ['social_description', '😀'.repeat(1001), 'too_big'],
    ])('%s: %j is refused', async (field, value, code) => {
      expect(await changingNothing(on, () => write({ [field]: value }))).toBeRefusedWith(
        'INVALID_INPUT',
        because(code, field),
      );
    });
  });

  describe('custom_path', () => {
    test.each([
      'a',
      '7',
      'summer',
      'Summer',
      'a/b',
      'a/b/c/d/e/f',
      'a-b_c.d~e',
      'a-',
      'a.',
      'a..',
      'a...b',
      'a/...',
      'a/.b',
      'a/..b',
      'a/b..',
      'a/-',
      'a/_/~',
      'robots.txt2',
      'robots.txt/a',
      'a/robots.txt',
      'Robots.txt',
      'FAVICON.ICO',
      'api',
      'null',
      'constructor',
      'b'.repeat(50),
      `c/${'d'.repeat(48)}`,
    ])('%j is a path', async (path) => {
      const elsewhere = await aProjectOfItsOwn();
      const response = await (write === create
        ? send('post', elsewhere.links, { name: 'A link', custom_path: path })
        : send('put', elsewhere.link, { custom_path: path }));
      expect(response.body).toEqual({ data: expect.objectContaining({ custom_path: path }) });
      expect(new URL(response.body.data.full_url).pathname).toBe(`/${path}`);
    });

    test.each([
      ['', 'too_small'],
      ['a'.repeat(51), 'too_big'],
      [`a/${'b'.repeat(49)}`, 'too_big'],
      ['/a', 'invalid_format'],
      ['a/', 'invalid_format'],
      ['/', 'invalid_format'],
      ['a//b', 'invalid_format'],
      ['.', 'invalid_format'],
      ['..', 'invalid_format'],
      ['a/.', 'invalid_format'],
      ['a/..', 'invalid_format'],
      ['a/./b', 'invalid_format'],
      ['a/../b', 'invalid_format'],
      ['../a', 'invalid_format'],
      ['.a', 'invalid_format'],
      ['-a', 'invalid_format'],
      ['_a', 'invalid_format'],
      ['~a', 'invalid_format'],
      ['.well-known/assetlinks.json', 'invalid_format'],
      ['a b', 'invalid_format'],
      [' a', 'invalid_format'],
      ['a\n', 'invalid_format'],
      ['a\t', 'invalid_format'],
      ['a%20b', 'invalid_format'],
      ['a%2e%2e', 'invalid_format'],
      ['a?b', 'invalid_format'],
      ['a#b', 'invalid_format'],
      ['a\\b', 'invalid_format'],
      ['a:b', 'invalid_format'],
      ['a@b', 'invalid_format'],
      ['a+b', 'invalid_format'],
      ['a&b', 'invalid_format'],
      ['é', 'invalid_format'],
      ['aé', 'invalid_format'],
      ['a😀', 'invalid_format'],
      ['а', 'invalid_format'],
      ['ａ', 'invalid_format'],
      ['a\u200b', 'invalid_format'],
      ['robots.txt', 'invalid_format'],
      ['favicon.ico', 'invalid_format'],
      ['apple-app-site-association', 'invalid_format'],
    ])('%j is none', async (path, code) => {
      const response = await changingNothing(on, () => write({ custom_path: path }));
      expect(response).toBeRefusedWith('INVALID_INPUT', because(code, 'custom_path'));
    });

    test('takes up to 50 characters, whatever they are: a longer text of emoji is too big first', async () => {
      expect(await write({ custom_path: '😀'.repeat(51) })).toBeRefusedWith(
        'INVALID_INPUT',
        because('too_big', 'custom_path'),
      );
      expect(await write({ custom_path: '😀'.repeat(50) })).toBeRefusedWith(
        'INVALID_INPUT',
        because('invalid_format', 'custom_path'),
      );
    });
  });

  describe('referrer_params', () => {
    const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, `v${at}`]));

    test.each([
      ['no pair', {}],
      ['50 pairs', pairs(50)],
      ['a key of one character', { k: 'v' }],
      ['a key of 100 characters', { ['k'.repeat(100)]: 'v' }],
      ['a key of 100 emoji', { ['😀'.repeat(100)]: 'v' }],
      ['an empty value', { k: '' }],
      ['a value of 500 characters', { k: 'v'.repeat(500) }],
      ['a value of 500 emoji', { k: '😀'.repeat(500) }],
      ['characters that mean something in a URL', { '&=#?%20+ ': '&=#?%20+ ' }],
      ['control characters', { '\n\t\u0001': '\r\n' }],
      ['names of a JavaScript object', { constructor: 'a', toString: 'b', hasOwnProperty: 'c', prototype: 'd' }],
    ])('%s is stored', (_, value) => expectStored(write, 'referrer_params', value));

    test('keep their order, and __proto__ is a key like others', async () => {
      const params = '{"z":"1","__proto__":"2","a":"3","constructor":"4","Z":"5","m":"6"}';
      const response = await write(`{"name":"x","referrer_params":${params}}`);
      expect(response.text).toContain(`"referrer_params":${params}`);
      const read = await on.api('get', `/projects/${projectId}/links/${response.body.data.id}`, owner.key).expect(200);
      expect(read.text).toContain(`"referrer_params":${params}`);
    });

    test.each([
      ['51 pairs', pairs(51), because('too_big', 'referrer_params')],
      ['an empty key', { '': 'v' }, because('too_small', 'referrer_params', '')],
      ['a key of 101 characters', { ['k'.repeat(101)]: 'v' }, because('too_big', 'referrer_params', 'k'.repeat(100))],
      ['a value of 501 characters', { k: 'v'.repeat(501) }, because('too_big', 'referrer_params', 'k')],
      ['a value of 501 emoji', { k: '😀'.repeat(501) }, because('too_big', 'referrer_params', 'k')],
      ['a number', { k: 1 }, because('invalid_type', 'referrer_params', 'k')],
      ['a boolean', { k: true }, because('invalid_type', 'referrer_params', 'k')],
      ['null', { k: null }, because('invalid_type', 'referrer_params', 'k')],
      ['an object', { k: {} }, because('invalid_type', 'referrer_params', 'k')],
      ['an array', { k: ['v'] }, because('invalid_type', 'referrer_params', 'k')],
      [
        'a bad value under a long key, whose detail has the whole key',
        { ['😀'.repeat(100)]: 1 },
        because('invalid_type', 'referrer_params', '😀'.repeat(100)),
      ],
      [
        'several',
        { a: 'fine', b: 1, c: 'v'.repeat(501) },
        [...because('invalid_type', 'referrer_params', 'b'), ...because('too_big', 'referrer_params', 'c')],
      ],
    ])('%s is refused', async (_, value, details) => {
      const response = await changingNothing(on, () => write({ referrer_params: value }));
      expect(response).toBeRefusedWith('INVALID_INPUT', details);
    });

    test.each(unstorable)('%s in a value is refused', async (_, source) => {
      const response = await changingNothing(on, () => write(`{"name":"x","referrer_params":{"k":${source}}}`));
      expect(response).toBeRefusedWith('INVALID_INPUT', because('invalid_format', 'referrer_params', 'k'));
    });

    test.each(unstorable)('%s in a key is refused', async (_, source) => {
      const response = await changingNothing(on, () => write(`{"name":"x","referrer_params":{${source}:"v"}}`));
      expect(response).toBeRefusedWith(
        'INVALID_INPUT',
        because('invalid_format', 'referrer_params', expect.any(String)),
      );
    });
  });

  describe('ios_deferred_deep_link', () => {
    test.each([true, false])('%s is stored', (value) => expectStored(write, 'ios_deferred_deep_link', value));
  });

  describe.each(appFields)('%s', (field) => {
    test.each([
      '',
      'nonsense',
      `{${randomUUID()}}`,
      randomUUID().replaceAll('-', ''),
      `${randomUUID()}\n`,
      ` ${randomUUID()}`,
      `urn:uuid:${randomUUID()}`,
    ])('%j is refused', async (value) => {
      expect(await changingNothing(on, () => write({ [field]: value }))).toBeRefusedWith(
        'INVALID_INPUT',
        because('invalid_format', field),
      );
    });
  });

  const typed: [string, string][] = [
    ...stringFields.map((field): [string, string] => [field, 'a string']),
    ['ios_deferred_deep_link', 'a boolean'],
    ['referrer_params', 'an object'],
  ];
  test.each(typed)('%s must be %s: nothing is coerced', async (field, type) => {
    for (const [given, value] of jsonTypes) {
      if (given === type || (given === 'null' && write === update && nullableFields.includes(field))) continue;
      expect(await changingNothing(on, () => write({ [field]: value }))).toBeRefusedWith(
        'INVALID_INPUT',
        because('invalid_type', field),
      );
    }
  });

  test.each(stringFields.flatMap((field) => unstorable.map(([what, source]) => [field, what, source])))(
    '%s: %s is refused',
    async (field, _, source) => {
      const body = field === 'name' ? `{"name":${source}}` : `{"name":"x","${field}":${source}}`;
      const response = await changingNothing(on, () => write(body));
      expect(response).toBeRefusedWith('INVALID_INPUT', because('invalid_format', field));
    },
  );

  test('every broken field has its detail', async () => {
    const response = await write({ name: '', custom_path: '/', desktop_url: 'x', ios_deferred_deep_link: 'true' });
    expect(response).toBeRefusedWith('INVALID_INPUT', [
      ...because('too_small', 'name'),
      ...because('invalid_format', 'custom_path'),
      ...because('invalid_format', 'desktop_url'),
      ...because('invalid_type', 'ios_deferred_deep_link'),
    ]);
  });

  describe("a field that is not the caller's to set", () => {
    test.each([
      'id',
      'project_id',
      'full_url',
      'created_at',
      'updated_at',
      'ios_apps',
      'android_apps',
      'user_id',
      'slug',
      'source',
      'customPath',
      'Name',
    ])('%s is refused', async (field) => {
      const response = await changingNothing(on, () => write({ [field]: null }));
      expect(response).toBeRefusedWith('FORBIDDEN_FIELD', because('unrecognized_key', field));
    });

    test.each(['__proto__', 'constructor', 'toString'])('%s is no way in', async (field) => {
      const response = await changingNothing(on, () => write(`{"name":"x","${field}":{"name":"y"}}`));
      expect(response).toBeRefusedWith('FORBIDDEN_FIELD', because('unrecognized_key', field));
    });

    test('each one has its detail, and they go before every other complaint', async () => {
      const response = await write({ full_url: 'x', name: 7, id: 'x', custom_path: '/', ios_app_id: randomUUID() });
      expect(response).toBeRefusedWith('FORBIDDEN_FIELD', [
        ...because('unrecognized_key', 'full_url'),
        ...because('unrecognized_key', 'id'),
      ]);
    });
  });
});

/** A project whose paths are all free but one link's. */
async function aProjectOfItsOwn(): Promise<{ links: string; link: string }> {
  await on.database.query('DELETE FROM dynamic_links WHERE project_id = $1 AND id <> $2', [projectId, linkId]);
  await on.database.query('UPDATE dynamic_links SET custom_path = $2 WHERE id = $1', [linkId, unique('own')]);
  const links = `/projects/${projectId}/links`;
  return { links, link: `${links}/${linkId}` };
}

describe('null', () => {
  test.each([...stringFields, 'ios_deferred_deep_link', 'referrer_params'])(
    'for %s is refused on create',
    async (field) => {
      const response = await changingNothing(on, () => create({ [field]: null }));
      expect(response).toBeRefusedWith('INVALID_INPUT', because('invalid_type', field));
    },
  );

  test.each(['name', 'custom_path', 'ios_deferred_deep_link'])('for %s is refused on update', async (field) => {
    const response = await changingNothing(on, () => update({ [field]: null }));
    expect(response).toBeRefusedWith('INVALID_INPUT', because('invalid_type', field));
  });

  test.each(nullableFields)('for %s is accepted on update', async (field) => {
    const response = await update({ [field]: null }).expect(200);
    expect(response.body.data[field]).toBeNull();
  });
});

test('a name is required on create, and there alone', async () => {
  const response = await changingNothing(on, () => send('post', `/projects/${projectId}/links`, {}));
  expect(response).toBeRefusedWith('INVALID_INPUT', because('required', 'name'));
  await update({}).expect(200);
});
