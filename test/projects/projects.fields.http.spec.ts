import { aProject, unique } from '../support/builders';
import { changingNothing } from '../support/content';
import { jsonTypes, unstorable } from '../support/json';
import { aService, type TestAccount, type TestService } from '../support/service';

let on: TestService;
let owner: TestAccount;
let projectId: string;
beforeAll(async () => {
  on = await aService({ QUOTA_PRO_PROJECTS: 'unlimited' });
  owner = await on.anAccount();
  projectId = (await aProject(on, owner.key)).id;
});
afterAll(() => on.stop());

const json = (method: 'post' | 'put', path: string, body: object | string) =>
  on.api(method, path, owner.key).set('Content-Type', 'application/json').send(body);

const create = (fields: object | string) =>
  json(
    'post',
    '/projects',
    typeof fields === 'string' ? fields : { name: 'A project', subdomain: unique('f'), ...fields },
  );
const update = (fields: object | string) => json('put', `/projects/${projectId}`, fields);
const writes = [
  ['create', create],
  ['update', update],
] as const;

const because = (code: string, ...path: string[]) => [{ code, path, message: expect.any(String) }];

describe.each(writes)('on %s', (_, write) => {
  describe('name', () => {
    test.each([
      ['one character', 'a'],
      ['100 characters', 'a'.repeat(100)],
      ['100 emoji, each two UTF-16 units', '😀'.repeat(100)],
      ['100 combining marks', 'e\u0301'.repeat(50)],
      ['white space around it, which is kept', ' \ta name\n '],
      ['HTML', '<script>alert(1)</script>'],
      ['SQL', "'; DROP TABLE projects; --"],
      ['control characters', 'a\u0001\u001f\u007f\u0085'],
      ['noncharacters and private use', '\uffff\ufdd0\ue000'],
      ['right-to-left marks', '\u202eevil'],
      ['a zero-width space alone', '\u200b'],
    ])('%s is stored as it was sent', async (_, name) => {
      const response = await write({ name });
      expect([response.status, response.body.data.name]).toEqual([
        response.request.method === 'POST' ? 201 : 200,
        name,
      ]);
      const read = await on.api('get', `/projects/${response.body.data.id}`, owner.key).expect(200);
      expect(read.body.data.name).toBe(name);
    });

    test.each([
      ['empty', '', 'too_small'],
      ['101 characters', 'a'.repeat(101), 'too_big'],
      ['101 emoji', '😀'.repeat(101), 'too_big'],
      ['a space', ' ', 'too_small'],
      ['white space of many kinds', ' \t\r\n\u00a0\u2003\u3000', 'too_small'],
    ])('%s is refused', async (_, name, code) => {
      expect(await changingNothing(on, () => write({ name }))).toBeRefusedWith('INVALID_INPUT', because(code, 'name'));
    });
  });

  describe('subdomain', () => {
    const short = write === create ? 'q1' : 'q2';

    test.each([
      ['two characters', () => short],
      ['63 characters', () => unique('long').padEnd(63, 'x')],
      ['digits alone', () => String(Date.now())],
      ['hyphens inside', () => unique('a--b')],
      ['xn-- not at its start', () => unique('a-xn--b')],
    ])('%s is taken', async (_, subdomain) => {
      const value = subdomain();
      const response = await write({ subdomain: value });
      expect([response.body.data?.subdomain, response.status < 300]).toEqual([value, true]);
    });

    test.each([
      ['empty', '', 'too_small'],
      ['one character', 'a', 'too_small'],
      ['64 characters', 'a'.repeat(64), 'too_big'],
      ['a hyphen first', '-ab', 'invalid_format'],
      ['a hyphen last', 'ab-', 'invalid_format'],
      ['hyphens alone', '--', 'invalid_format'],
      ['upper case', 'Summer', 'invalid_format'],
      ['an underscore', 'a_b', 'invalid_format'],
      ['a dot', 'a.b', 'invalid_format'],
      ['a space after it', 'summer ', 'invalid_format'],
      ['a newline after it', 'summer\n', 'invalid_format'],
      ['a letter outside ASCII', 'sümmer', 'invalid_format'],
      ['a Cyrillic look-alike', 'ѕummer', 'invalid_format'],
      ['full-width letters', 'ａｂｃ', 'invalid_format'],
      ['the Kelvin sign', 'a\u212ab', 'invalid_format'],
      ['a slash', 'a/b', 'invalid_format'],
      ['a punycode prefix', 'xn--bcher-kva', 'invalid_format'],
    ])('%s is refused', async (_, subdomain, code) => {
      const response = await changingNothing(on, () => write({ subdomain }));
      expect(response).toBeRefusedWith('INVALID_INPUT', because(code, 'subdomain'));
    });

    test.each(['www', 'api', 'app', 'admin', 'mail'])('%s is reserved', async (subdomain) => {
      expect(await changingNothing(on, () => write({ subdomain }))).toBeRefusedWith('SUBDOMAIN_TAKEN');
    });
  });

  test.each(['name', 'subdomain'])('%s must be a string: nothing is coerced', async (field) => {
    for (const [type, value] of jsonTypes.filter(([type]) => type !== 'a string'))
      expect([type, await changingNothing(on, () => write({ [field]: value }))]).toEqual([
        type,
        expect.objectContaining({
          status: 400,
          body: { error: expect.objectContaining({ code: 'INVALID_INPUT', details: because('invalid_type', field) }) },
        }),
      ]);
  });

  test.each(unstorable)('%s in a string is refused', async (_, source) => {
    for (const field of ['name', 'subdomain']) {
      const others = field === 'name' ? `"subdomain":"${unique('u')}"` : '"name":"x"';
      const response = await changingNothing(on, () => write(`{${others},"${field}":${source}}`));
      expect(response).toBeRefusedWith('INVALID_INPUT', because(expect.any(String), field));
    }
  });

  test('every broken field has its detail', async () => {
    expect(await write({ name: '', subdomain: 7 })).toBeRefusedWith('INVALID_INPUT', [
      ...because('too_small', 'name'),
      ...because('invalid_type', 'subdomain'),
    ]);
  });

  describe("a field that is not the caller's to set", () => {
    test.each([
      'id',
      'user_id',
      'account_id',
      'created_at',
      'updated_at',
      '_count',
      'deleted_at',
      'Name',
      'toString',
      '',
    ])('%j is refused', async (field) => {
      const response = await changingNothing(on, () => write({ [field]: null }));
      expect(response).toBeRefusedWith('FORBIDDEN_FIELD', because('unrecognized_key', field));
    });

    test.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty'])('%s is no way in', async (field) => {
      const source = `{"name":"x","subdomain":"${unique('p')}","${field}":{"name":"y"}}`;
      const response = await changingNothing(on, () => write(source));
      expect(response).toBeRefusedWith('FORBIDDEN_FIELD', because('unrecognized_key', field));
    });

    test('each one has its detail, and they go before every other complaint', async () => {
      const response = await write({ user_id: 'x', name: 7, id: 'x', subdomain: 'www' });
      expect(response).toBeRefusedWith('FORBIDDEN_FIELD', [
        ...because('unrecognized_key', 'user_id'),
        ...because('unrecognized_key', 'id'),
      ]);
    });
  });
});

describe('create', () => {
  test.each([
    ['both', {}, ['name', 'subdomain']],
    ['the name', { subdomain: 'ok-then' }, ['name']],
    ['the subdomain', { name: 'Ok then' }, ['subdomain']],
  ])('without %s is refused', async (_, body, missing) => {
    const response = await changingNothing(on, () => on.api('post', '/projects', owner.key).send(body));
    expect(response).toBeRefusedWith(
      'INVALID_INPUT',
      missing.flatMap((field) => because('required', field)),
    );
  });
});
