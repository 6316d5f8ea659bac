import { aDynamicLink, aProject } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { unstorable } from '../../support/json';
import { aService, type TestAccount, type TestService } from '../../support/service';

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

const problemAt = (code: string, ...path: (string | number)[]) => [{ code, path, message: expect.any(String) }];

/** Writes the field and expects its value in the response and in a later GET. */
async function expectStored(write: typeof create, field: string, value: unknown): Promise<void> {
  const response = await write({ [field]: value });
  expect(response.body).toEqual({ data: expect.objectContaining({ [field]: value }) });
  const read = await on.api('get', `/projects/${projectId}/links/${response.body.data.id}`, owner.key).expect(200);
  expect(read.body.data[field]).toEqual(value);
}

describe.each(writes)('referrer_params on %s', (_, write) => {
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, `v${at}`]));

  test.each([
    ['no pairs', {}],
    ['50 pairs', pairs(50)],
    ['a key of one character', { k: 'v' }],
    ['a key of 100 characters', { ['k'.repeat(100)]: 'v' }],
    ['a key of 100 emoji', { ['😀'.repeat(100)]: 'v' }],
    ['an empty value', { k: '' }],
    ['a value of 500 characters', { k: 'v'.repeat(500) }],
    ['a value of 500 emoji', { k: '😀'.repeat(500) }],
    ['characters with a meaning in URLs', { '&=#?%20+ ': '&=#?%20+ ' }],
    ['control characters', { '\n\t\u0001': '\r\n' }],
    ['names of JavaScript object properties', { constructor: 'a', toString: 'b', hasOwnProperty: 'c', prototype: 'd' }],
  ])('can be %s', (_, value) => expectStored(write, 'referrer_params', value));

  test('keep their order and accept __proto__ as a key', async () => {
    const params = '{"z":"1","__proto__":"2","a":"3","constructor":"4","Z":"5","m":"6"}';
    const response = await write(`{"name":"x","referrer_params":${params}}`);
    expect(response.text).toContain(`"referrer_params":${params}`);
    const read = await on.api('get', `/projects/${projectId}/links/${response.body.data.id}`, owner.key).expect(200);
    expect(read.text).toContain(`"referrer_params":${params}`);
  });

  test.each([
    ['51 pairs', pairs(51), problemAt('too_big', 'referrer_params')],
    ['an empty key', { '': 'v' }, problemAt('too_small', 'referrer_params', '')],
    ['a key of 101 characters', { ['k'.repeat(101)]: 'v' }, problemAt('too_big', 'referrer_params', 'k'.repeat(101))],
    ['a value of 501 characters', { k: 'v'.repeat(501) }, problemAt('too_big', 'referrer_params', 'k')],
    ['a value of 501 emoji', { k: '😀'.repeat(501) }, problemAt('too_big', 'referrer_params', 'k')],
    ['a number as value', { k: 1 }, problemAt('invalid_type', 'referrer_params', 'k')],
    ['a boolean as value', { k: true }, problemAt('invalid_type', 'referrer_params', 'k')],
    ['null as value', { k: null }, problemAt('invalid_type', 'referrer_params', 'k')],
    ['an object as value', { k: {} }, problemAt('invalid_type', 'referrer_params', 'k')],
    ['an array as value', { k: ['v'] }, problemAt('invalid_type', 'referrer_params', 'k')],
    [
      'an invalid value under a key of 100 emoji',
      { ['😀'.repeat(100)]: 1 },
      problemAt('invalid_type', 'referrer_params', '😀'.repeat(100)),
    ],
    [
      'several invalid values',
      { a: 'fine', b: 1, c: 'v'.repeat(501) },
      [...problemAt('invalid_type', 'referrer_params', 'b'), ...problemAt('too_big', 'referrer_params', 'c')],
    ],
  ])('cannot be %s', async (_, value, details) => {
    const response = await changingNothing(on, () => write({ referrer_params: value }));
    expect(response).toBeRefusedWith('INVALID_INPUT', details);
  });

  test.each(unstorable)('cannot contain %s in a value', async (_, source) => {
    const response = await changingNothing(on, () => write(`{"name":"x","referrer_params":{"k":${source}}}`));
    expect(response).toBeRefusedWith('INVALID_INPUT', problemAt('invalid_format', 'referrer_params', 'k'));
  });

  test.each(unstorable)('cannot contain %s in a key', async (_, source) => {
    const response = await changingNothing(on, () => write(`{"name":"x","referrer_params":{${source}:"v"}}`));
    expect(response).toBeRefusedWith(
      'INVALID_INPUT',
      problemAt('invalid_format', 'referrer_params', expect.any(String)),
    );
  });
});
