import type { SignpostClient } from '../../clients/typescript/src/index';
import { anIosApp, aProject, unique } from '../support/builders';
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
  const { id: appId } = await anIosApp(on, account.key, projectId);
  list = `/projects/${projectId}/ios-apps`;
  app = `${list}/${appId}`;
  params = { path: { projectId } };
  appParams = { path: { projectId, appId } };
});
afterAll(() => on.stop());

const valid = () => ({ name: 'Shop', bundle_id: `com.example.${unique('app')}`, team_id: 'ABCDE12345' });

test.each([
  ['name', 'x'],
  ['name', 'x'.repeat(100)],
  ['name', '😀'.repeat(100)],
  ['name', ' kept as sent '],
  ['name', "<b>&amp; 'Robert'); DROP TABLE ios_apps;--"],
  ['name', 'e\u0301\u202e\ufeff'],
  ['bundle_id', 'a'],
  ['bundle_id', 'Com.Example.Shop-2'],
  ['bundle_id', 'b'.repeat(155)],
  ['bundle_id', '0-.-0'],
  ['team_id', '0123456789'],
  ['team_id', 'ZZZZZZZZZZ'],
  ['appstore_id', '0'],
  ['appstore_id', '007'],
  ['appstore_id', '9'.repeat(20)],
] as const)('%s takes %j, and keeps it', async (field, value) => {
  const created = await client.POST('/projects/{projectId}/ios-apps', { params, body: { ...valid(), [field]: value } });
  expect(created.data?.data[field]).toBe(value);
  const appId = created.data!.data.id;
  await client.PUT('/projects/{projectId}/ios-apps/{appId}', {
    params: { path: { ...params.path, appId } },
    body: { ...valid(), appstore_id: '1' },
  });
  const changed = await client.PUT('/projects/{projectId}/ios-apps/{appId}', {
    params: { path: { ...params.path, appId } },
    body: { [field]: value },
  });
  expect(changed.data?.data[field]).toBe(value);
  await client.DELETE('/projects/{projectId}/ios-apps/{appId}', { params: { path: { ...params.path, appId } } });
});

const refusedTexts = [
  ['name', '', 'too_small'],
  ['name', ' \t\u00a0', 'too_small'],
  ['name', 'x'.repeat(101), 'too_big'],
  ['name', '😀'.repeat(101), 'too_big'],
  ['name', 'a\0b', 'invalid_format'],
  ['bundle_id', '', 'too_small'],
  ['bundle_id', 'b'.repeat(156), 'too_big'],
  ['bundle_id', 'com.example.my_app', 'invalid_format'],
  ['bundle_id', 'com.example.my app', 'invalid_format'],
  ['bundle_id', 'com.example.ü', 'invalid_format'],
  ['bundle_id', 'com.example.*', 'invalid_format'],
  ['bundle_id', 'com.example\n', 'invalid_format'],
  ['bundle_id', 'com\0example', 'invalid_format'],
  ['team_id', '', 'too_small'],
  ['team_id', 'ABCDE1234', 'too_small'],
  ['team_id', 'ABCDE123456', 'too_big'],
  ['team_id', 'abcde12345', 'invalid_format'],
  ['team_id', 'ABCDE-1234', 'invalid_format'],
  ['team_id', 'ABCDE1234\n', 'invalid_format'],
  ['team_id', 'ABCDE1234Ä', 'invalid_format'],
  ['appstore_id', '', 'too_small'],
  ['appstore_id', '1'.repeat(21), 'too_big'],
  ['appstore_id', 'id123', 'invalid_format'],
  ['appstore_id', '-1', 'invalid_format'],
  ['appstore_id', '1.0', 'invalid_format'],
  ['appstore_id', ' 1', 'invalid_format'],
  ['appstore_id', '１２', 'invalid_format'],
] as const;

test.each(refusedTexts)('%s does not take %j: %s', async (field, value, code) => {
  const details = [problem(code, field)];
  const body = { [field]: value };
  expect(
    await client.POST('/projects/{projectId}/ios-apps', { params, body: { ...valid(), ...body } }),
  ).toBeRefusedWith('INVALID_INPUT', details);
  expect(await client.PUT('/projects/{projectId}/ios-apps/{appId}', { params: appParams, body })).toBeRefusedWith(
    'INVALID_INPUT',
    details,
  );
});

const fields = ['name', 'bundle_id', 'team_id', 'appstore_id'] as const;

test.each(fields.flatMap((field) => [1, true, {}, ['x']].map((value) => [field, value] as const)))(
  '%s is not made of %j',
  async (field, value) => {
    const details = [problem('invalid_type', field)];
    const created = await on.api('post', list, account.key).send({ ...valid(), [field]: value });
    expect(created).toBeRefusedWith('INVALID_INPUT', details);
    const changed = await on.api('put', app, account.key).send({ [field]: value });
    expect(changed).toBeRefusedWith('INVALID_INPUT', details);
  },
);

test.each(fields)('%s takes no lone surrogate', async (field) => {
  const body = JSON.stringify({ ...valid(), [field]: 'MARK' }).replace('MARK', 'ABCDE\\ud80045');
  const created = await on.api('post', list, account.key).type('json').send(body);
  expect(created).toBeRefusedWith('INVALID_INPUT', [problem('invalid_format', field)]);
  const changed = await on.api('put', app, account.key).type('json').send(`{"${field}":"\\udc00"}`);
  expect(changed).toBeRefusedWith('INVALID_INPUT', [problem('invalid_format', field)]);
});

test.each(['name', 'bundle_id', 'team_id'] as const)('%s is required, and never null', async (field) => {
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

test('appstore_id is cleared by null on update, which create does not take', async () => {
  const created = await on.api('post', list, account.key).send({ ...valid(), appstore_id: null });
  expect(created).toBeRefusedWith('INVALID_INPUT', [problem('invalid_type', 'appstore_id')]);
  const set = await client.PUT('/projects/{projectId}/ios-apps/{appId}', {
    params: appParams,
    body: { appstore_id: '5' },
  });
  expect(set.data!.data.appstore_id).toBe('5');
  const cleared = await client.PUT('/projects/{projectId}/ios-apps/{appId}', {
    params: appParams,
    body: { appstore_id: null },
  });
  expect(cleared.data!.data.appstore_id).toBeNull();
});

test('every bad field is named', async () => {
  const response = await on.api('post', list, account.key).send({ name: '', team_id: 'x', appstore_id: 5 });
  expect(response).toBeRefusedWith(
    'INVALID_INPUT',
    expect.arrayContaining([
      problem('too_small', 'name'),
      problem('required', 'bundle_id'),
      problem('too_small', 'team_id'),
      problem('invalid_type', 'appstore_id'),
    ]),
  );
});

test.each(['[]', 'null', '"x"', '1', '{', '', '{"name":"a",}', '\u0000'])('%j is no body', async (body) => {
  expect(await on.api('post', list, account.key).type('json').send(body)).toBeRefusedWith('INVALID_INPUT');
  expect(await on.api('put', app, account.key).type('json').send(body)).toBeRefusedWith('INVALID_INPUT');
});
