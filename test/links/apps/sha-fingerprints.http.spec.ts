import type { SignpostClient } from '../../../clients/typescript/src/index';
import { aFingerprint, anAndroidApp, aProject, unique } from '../../support/builders';
import { aClient } from '../../support/client';
import { problem } from '../../support/problem';
import { aService, type TestAccount, type TestService } from '../../support/service';

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

const [a, b, c] = [aFingerprint(170), aFingerprint(11), aFingerprint(204)];
const fingerprints = (count: number) => Array.from({ length: count }, (_, at) => aFingerprint(at));

test.each([
  ['one fingerprint', [a], [a]],
  ['50 fingerprints', fingerprints(50), fingerprints(50)],
  ['lower-case fingerprints as upper-case', [a.toLowerCase(), b], [a, b]],
  ['mixed-case fingerprints as upper-case', [a.replaceAll('A', 'a')], [a]],
  ['duplicates once, in the order of first use', [b, a, b, c, a], [b, a, c]],
  ['duplicates in another letter case once', [c.toLowerCase(), a, c, a.toLowerCase()], [c, a]],
  ['50 equal fingerprints once', Array<string>(50).fill(a), [a]],
  ['a fingerprint without colons', [a.replaceAll(':', '').toLowerCase(), a], [a]],
  ['the lines of keytool', [`SHA256: ${a}`, `\t SHA256: ${b}`], [a, b]],
  [
    'the lines of apksigner',
    [
      `SHA-256 digest: ${a.replaceAll(':', '')}`,
      `Signer #1 certificate SHA-256 digest: ${b.replaceAll(':', '').toLowerCase()}`,
    ],
    [a, b],
  ],
  [
    'the lines of other versions of apksigner',
    [
      `V3.0 Signer: certificate SHA-256 digest: ${a.replaceAll(':', '').toLowerCase()}`,
      `V2 Signer: certificate SHA-256 digest: ${b.replaceAll(':', '').toLowerCase()}`,
      `Signer (minSdkVersion=33 (dev release=true), maxSdkVersion=2147483647) certificate SHA-256 digest: ${c.replaceAll(':', '').toLowerCase()}`,
    ],
    [a, b, c],
  ],
  ['the line of the signing report of Gradle', [`SHA-256: ${a}`], [a]],
  ['a label without white space', [`sha256:${a}`], [a]],
])('sha_fingerprints stores %s', async (_, sent, stored) => {
  expect((await create({ sha_fingerprints: sent })).data?.data.sha_fingerprints).toEqual(stored);
  expect((await update({ sha_fingerprints: sent })).data?.data.sha_fingerprints).toEqual(stored);
  const read = await client.GET('/projects/{projectId}/android-apps/{appId}', { params: appParams });
  expect(read.data?.data.sha_fingerprints).toEqual(stored);
});

test('sha_fingerprints can be empty on update, but not on create', async () => {
  expect(await create({ sha_fingerprints: [] })).toBeRefusedWith('INVALID_INPUT', [
    problem('too_small', 'sha_fingerprints'),
  ]);
  const before = await client.GET('/projects/{projectId}/android-apps/{appId}', { params: appParams });
  const changed = await update({ sha_fingerprints: [] });
  expect(changed.data).toEqual({
    data: { ...before.data!.data, sha_fingerprints: [], updated_at: expect.any(String) },
  });
});

test.each([
  ['51 fingerprints', fingerprints(51)],
  ['51 equal fingerprints', Array<string>(51).fill(a)],
])('sha_fingerprints refuses %s', async (_, sent) => {
  const details = [problem('too_big', 'sha_fingerprints')];
  expect(await create({ sha_fingerprints: sent })).toBeRefusedWith('INVALID_INPUT', details);
  expect(await update({ sha_fingerprints: sent })).toBeRefusedWith('INVALID_INPUT', details);
});

test.each([
  ['an empty string', ''],
  ['31 pairs', a.slice(3)],
  ['33 pairs', `${a}:00`],
  ['SHA-1', a.slice(0, 59)],
  ['31 pairs without colons', a.slice(3).replaceAll(':', '')],
  ['a missing colon', a.replace(':', '')],
  ['a digest with another label', `SHA1: ${a}`],
  ['a label without a digest', 'SHA256: '],
  ['hyphens', a.replaceAll(':', '-')],
  ['a letter that is not a hex digit', `G${a.slice(1)}`],
  ['leading white space', ` ${a}`],
  ['a line break', `${a}\n`],
  ['NUL', `${a}\0`],
  ['another prefix', `SHA512:${a}`],
  ['the signer of a source stamp', `Source Stamp Signer certificate SHA-256 digest: ${a.replaceAll(':', '')}`],
])('the error path contains the index of an invalid fingerprint: %s', async (_, invalid) => {
  const details = [problem('invalid_format', 'sha_fingerprints', 1)];
  expect(await create({ sha_fingerprints: [a, invalid, b] })).toBeRefusedWith('INVALID_INPUT', details);
  expect(await update({ sha_fingerprints: [a, invalid, b] })).toBeRefusedWith('INVALID_INPUT', details);
});

test('the error details contain every invalid fingerprint', async () => {
  const response = await on
    .api('post', list, account.key)
    .send({ ...valid(), sha_fingerprints: ['x', a, null, 7, ['y'], {}] });
  expect(response).toBeRefusedWith('INVALID_INPUT', [
    problem('invalid_format', 'sha_fingerprints', 0),
    ...[2, 3, 4, 5].map((at) => problem('invalid_type', 'sha_fingerprints', at)),
  ]);
});

test.each([[a], [{ 0: a }]])('sha_fingerprints refuses a value other than an array: %j', async (sent) => {
  const details = [problem('invalid_type', 'sha_fingerprints')];
  const created = await on.api('post', list, account.key).send({ ...valid(), sha_fingerprints: sent });
  expect(created).toBeRefusedWith('INVALID_INPUT', details);
  const changed = await on.api('put', app, account.key).send({ sha_fingerprints: sent });
  expect(changed).toBeRefusedWith('INVALID_INPUT', details);
});

test('sha_fingerprints refuses a lone surrogate', async () => {
  const details = [problem('invalid_format', 'sha_fingerprints', 0)];
  const fields = JSON.stringify(valid()).replace(/\[.*\]/, '["\\ud800"]');
  for (const [method, path] of [
    ['post', list],
    ['put', app],
  ] as const)
    expect(await on.api(method, path, account.key).type('json').send(fields)).toBeRefusedWith('INVALID_INPUT', details);
});

test.each([
  ['SHA-1', a.slice(0, 59)],
  ['SHA-1', a.slice(0, 59).replaceAll(':', '').toLowerCase()],
  ['SHA-1', `SHA1: ${a.slice(0, 59)}`],
  ['SHA-1', `V3.0 Signer: certificate SHA-1 digest: ${a.slice(0, 59).replaceAll(':', '')}`],
  ['SHA-1', `Signer #1 certificate SHA-1 digest: ${a.slice(0, 59).replaceAll(':', '')}`],
  ['MD5', `MD5: ${a.slice(0, 47)}`],
])('the message names the digest %s of %j', async (digest, sent) => {
  expect((await create({ sha_fingerprints: [sent] })).error?.error.details).toEqual([
    {
      ...problem('invalid_format', 'sha_fingerprints', 0),
      message: `sha_fingerprints.0 is the ${digest} fingerprint; send the SHA-256 fingerprint, which has 32 bytes`,
    },
  ]);
});
