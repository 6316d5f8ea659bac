import type { SignpostClient } from '../../clients/typescript/src/index';
import { aFingerprint, anAndroidApp, aProject, unique } from '../support/builders';
import { aClient } from '../support/client';
import { problem } from '../support/problem';
import { aService, type TestAccount, type TestService } from '../support/service';

let on: TestService;
let account: TestAccount;
let client: SignpostClient;
let list: string;
let app: string;
let params: { path: { projectId: string } };
let appParams: { path: { projectId: string; appId: string } };
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount();
  client = aClient(on, account.key);
  const { id: projectId } = await aProject(on, account.key);
  const { id: appId } = await anAndroidApp(on, account.key, projectId);
  list = `/projects/${projectId}/android-apps`;
  app = `${list}/${appId}`;
  params = { path: { projectId } };
  appParams = { path: { projectId, appId } };
});
afterAll(() => on.stop());

const valid = () => ({
  name: 'Shop',
  package_name: `com.example.${unique('app').replaceAll('-', '_')}`,
  sha_fingerprints: [aFingerprint(0)],
});

const create = (body: Partial<ReturnType<typeof valid>>) =>
  client.POST('/projects/{projectId}/android-apps', { params, body: { ...valid(), ...body } });
const update = (body: Partial<ReturnType<typeof valid>>) =>
  client.PUT('/projects/{projectId}/android-apps/{appId}', { params: appParams, body });

test.each([
  ['name', 'x'],
  ['name', 'x'.repeat(100)],
  ['name', '😀'.repeat(100)],
  ['name', ' kept as sent '],
  ['package_name', 'a.b'],
  ['package_name', 'Com.Example_2.shop__'],
  ['package_name', 'a.b1.c_.D9'],
  ['package_name', `a.${'b'.repeat(253)}`],
  ['package_name', Array.from({ length: 128 }, () => 'a').join('.')],
] as const)('%s takes %j, and keeps it', async (field, value) => {
  expect((await update({ [field]: value })).data?.data[field]).toBe(value);
  await update(valid());
  const created = await create({ [field]: value });
  expect(created.data?.data[field]).toBe(value);
});

test.each([
  ['name', '', 'too_small'],
  ['name', ' \n', 'too_small'],
  ['name', 'x'.repeat(101), 'too_big'],
  ['name', '😀'.repeat(101), 'too_big'],
  ['name', 'a\0b', 'invalid_format'],
  ['package_name', '', 'invalid_format'],
  ['package_name', 'shop', 'invalid_format'],
  ['package_name', '.com.example', 'invalid_format'],
  ['package_name', 'com.example.', 'invalid_format'],
  ['package_name', 'com..example', 'invalid_format'],
  ['package_name', '1com.example', 'invalid_format'],
  ['package_name', 'com.2example', 'invalid_format'],
  ['package_name', 'com._example', 'invalid_format'],
  ['package_name', 'com.exam-ple', 'invalid_format'],
  ['package_name', 'com.exam ple', 'invalid_format'],
  ['package_name', 'com.exämple', 'invalid_format'],
  ['package_name', 'com.example\n', 'invalid_format'],
  ['package_name', ' com.example', 'invalid_format'],
  ['package_name', 'com.exam\0ple', 'invalid_format'],
  ['package_name', `a.${'b'.repeat(254)}`, 'too_big'],
] as const)('%s does not take %j: %s', async (field, value, code) => {
  const details = [problem(code, field)];
  expect(await create({ [field]: value })).toBeRefusedWith('INVALID_INPUT', details);
  expect(await update({ [field]: value })).toBeRefusedWith('INVALID_INPUT', details);
});

describe('sha_fingerprints', () => {
  const [a, b, c] = [aFingerprint(170), aFingerprint(11), aFingerprint(204)];
  const many = (count: number) => Array.from({ length: count }, (_, at) => aFingerprint(at));

  test.each([
    ['one', [a], [a]],
    ['fifty', many(50), many(50)],
    ['lower-case ones, stored upper', [a.toLowerCase(), b], [a, b]],
    ['mixed case', [a.replaceAll('A', 'a')], [a]],
    ['duplicates, dropped in order', [b, a, b, c, a], [b, a, c]],
    ['duplicates in other letters', [c.toLowerCase(), a, c, a.toLowerCase()], [c, a]],
    ['fifty of the same', Array<string>(50).fill(a), [a]],
  ])('takes %s', async (_, sent, stored) => {
    expect((await create({ sha_fingerprints: sent })).data?.data.sha_fingerprints).toEqual(stored);
    expect((await update({ sha_fingerprints: sent })).data?.data.sha_fingerprints).toEqual(stored);
    const read = await client.GET('/projects/{projectId}/android-apps/{appId}', { params: appParams });
    expect(read.data?.data.sha_fingerprints).toEqual(stored);
  });

  test('an empty list is for updates only', async () => {
    expect(await create({ sha_fingerprints: [] })).toBeRefusedWith('INVALID_INPUT', [
      problem('too_small', 'sha_fingerprints'),
    ]);
    expect((await update({ sha_fingerprints: [] })).data?.data.sha_fingerprints).toEqual([]);
  });

  test.each([
    ['fifty-one', many(51)],
    ['fifty-one of the same', Array<string>(51).fill(a)],
  ])('%s are too many', async (_, sent) => {
    const details = [problem('too_big', 'sha_fingerprints')];
    expect(await create({ sha_fingerprints: sent })).toBeRefusedWith('INVALID_INPUT', details);
    expect(await update({ sha_fingerprints: sent })).toBeRefusedWith('INVALID_INPUT', details);
  });

  test.each([
    ['an empty string', ''],
    ['31 pairs', a.slice(3)],
    ['33 pairs', `${a}:00`],
    ['SHA-1', a.slice(0, 59)],
    ['no colons', a.replaceAll(':', '')],
    ['hyphens', a.replaceAll(':', '-')],
    ['another letter', `G${a.slice(1)}`],
    ['white space around', ` ${a}`],
    ['a line break', `${a}\n`],
    ['NUL', `${a}\0`],
    ['a prefix', `SHA256:${a}`],
  ])('a bad item is named by its place: %s', async (_, bad) => {
    const details = [problem('invalid_format', 'sha_fingerprints', 1)];
    expect(await create({ sha_fingerprints: [a, bad, b] })).toBeRefusedWith('INVALID_INPUT', details);
    expect(await update({ sha_fingerprints: [a, bad, b] })).toBeRefusedWith('INVALID_INPUT', details);
  });

  test('so is every bad item', async () => {
    const response = await on
      .api('post', list, account.key)
      .send({ ...valid(), sha_fingerprints: ['x', a, null, 7, ['y'], {}] });
    expect(response).toBeRefusedWith('INVALID_INPUT', [
      problem('invalid_format', 'sha_fingerprints', 0),
      ...[2, 3, 4, 5].map((at) => problem('invalid_type', 'sha_fingerprints', at)),
    ]);
  });

  test.each([[a], [{ 0: a }], [null], [1], [true]])('%j is no list', async (sent) => {
    const details = [problem('invalid_type', 'sha_fingerprints')];
    const created = await on.api('post', list, account.key).send({ ...valid(), sha_fingerprints: sent });
    expect(created).toBeRefusedWith('INVALID_INPUT', details);
    const changed = await on.api('put', app, account.key).send({ sha_fingerprints: sent });
    expect(changed).toBeRefusedWith('INVALID_INPUT', details);
  });
});

test.each(['name', 'package_name', 'sha_fingerprints'] as const)('%s is required, and never null', async (field) => {
  const { [field]: _, ...without } = valid();
  expect(await on.api('post', list, account.key).send(without)).toBeRefusedWith('INVALID_INPUT', [
    problem('required', field),
  ]);
  expect(await on.api('post', list, account.key).send({ ...valid(), [field]: null })).toBeRefusedWith('INVALID_INPUT', [
    problem('invalid_type', field),
  ]);
  expect(await on.api('put', app, account.key).send({ [field]: null })).toBeRefusedWith('INVALID_INPUT', [
    problem('invalid_type', field),
  ]);
});

test.each(['name', 'package_name'].flatMap((field) => [1, false, {}, ['a.b']].map((value) => [field, value] as const)))(
  '%s is not made of %j',
  async (field, value) => {
    const details = [problem('invalid_type', field)];
    const created = await on.api('post', list, account.key).send({ ...valid(), [field]: value });
    expect(created).toBeRefusedWith('INVALID_INPUT', details);
    expect(await on.api('put', app, account.key).send({ [field]: value })).toBeRefusedWith('INVALID_INPUT', details);
  },
);

test.each([
  ['name', '"a\\ud800"', ['name']],
  ['package_name', '"com.example\\udfff"', ['package_name']],
  ['sha_fingerprints', '["\\ud800"]', ['sha_fingerprints', 0]],
])('%s takes no lone surrogate', async (field, json, path) => {
  const body = JSON.stringify({ ...valid(), [field]: 'MARK' }).replace('"MARK"', json);
  const details = [problem('invalid_format', ...path)];
  expect(await on.api('post', list, account.key).type('json').send(body)).toBeRefusedWith('INVALID_INPUT', details);
  expect(await on.api('put', app, account.key).type('json').send(`{"${field}":${json}}`)).toBeRefusedWith(
    'INVALID_INPUT',
    details,
  );
});
