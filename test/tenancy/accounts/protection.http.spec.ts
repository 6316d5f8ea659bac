import { AccountsService } from '../../../src/tenancy/accounts/accounts.service';
import { ImportsService } from '../../../src/imports/api/imports.service';
import { ImportProcesses } from '../../../src/imports/model/import-processes';
import type { Project } from '../../../src/links/projects/project';
import { ImportRequests, ndjson } from '../../imports/api/import-requests';
import { aDynamicLink, anApiKey, aProject, created } from '../../support/builders';
import { until } from '../../support/eventually';
import { startImports } from '../../support/imports';
import { signInFixture } from '../../support/sign-in-service';
import { fixtureOfEach } from '../../support/fixtures';

const on = signInFixture();
const account = fixtureOfEach(() => on.anAccount('enterprise'));
const project = fixtureOfEach(() => aProject(on, account.key));
let token: string;
beforeEach(() => void (token = on.provider.token(account.accountId)));

const protect = (body: object) => on.api('put', '/account/protection', token).send(body);
const change = (credential = account.key) =>
  on.api('post', `/projects/${project.id}/links`, credential).send({ name: 'A link' });

describe('a frozen account', () => {
  test('refuses changes of keys and people, and nothing else', async () => {
    const { custom_path } = await aDynamicLink(on, account.key, project.id);
    const { body } = await protect({ frozen: true }).expect(200);
    expect(body).toMatchObject({ data: { frozen: true, max_key_age_days: null } });
    await until(async () => (await change()).status === 403);
    const changes: [method: 'post' | 'put' | 'delete', path: string][] = [
      ['post', `/projects/${project.id}/links/bulk`],
      ['delete', `/projects/${project.id}`],
      ['put', `/projects/${project.id}`],
      ['post', '/account/api-keys'],
      ['post', '/account/members'],
    ];
    for (const [method, path] of changes)
      expect(await on.api(method, path, token)).toBeRefusedWith('ACCESS_DENIED', { reason: 'frozen' });
    expect(await change()).toBeRefusedWith('ACCESS_DENIED', { reason: 'frozen' });
    await on.api('get', `/projects/${project.id}/links`, account.key).expect(200);
    await on.api('get', '/account/api-keys', token).expect(200);
    await on.api('post', `/projects/${project.id}/explain?platform=ios`, account.key).send({ name: 'N' }).expect(200);
    expect((await on.visit(project.subdomain, `/${custom_path}`)).status).toBe(302);
    await protect({ frozen: false }).expect(200);
    await until(async () => (await change()).status === 201);
  });

  test('lets running imports wait', async () => {
    await startImports(on);
    const imports = new ImportRequests(on, account, project.id);
    const { id } = await imports.check(ndjson([{ name: 'A', custom_path: 'a' }]));
    await protect({ frozen: true }).expect(200);
    // A run that began before.
    await on.service.app.get(ImportsService, { strict: false }).run(project as unknown as Project, 'enterprise', id);
    const later = "queue = 'slices' AND start_after > now() + interval '3 seconds'";
    await until(async () => (await on.database.query(`SELECT FROM import_jobs WHERE ${later}`)).length > 0);
    expect(await imports.get(id)).toMatchObject({ state: 'running', processed: 0, counts: { created: 0 } });
    await protect({ frozen: false }).expect(200);
    await on.database.query(`UPDATE import_jobs SET start_after = now() WHERE ${later}`);
    on.service.app.get(ImportProcesses).wake();
    expect(await imports.done(id)).toMatchObject({ state: 'completed', counts: { created: 1 } });
  });

  test('is an entry of the journal', async () => {
    await protect({ frozen: true, max_key_age_days: 30 }).expect(200);
    const { body } = await on.api('get', '/account/audit-log?type=account.updated', account.key).expect(200);
    expect(body).toMatchObject({
      data: [{ before: { frozen: false, max_key_age_days: null }, after: { frozen: true, max_key_age_days: 30 } }],
    });
  });
});

test('a disabled account is refused, and its links work', async () => {
  const { custom_path } = await aDynamicLink(on, account.key, project.id);
  const set = (disabled: boolean) =>
    on.service.app.get(AccountsService, { strict: false }).update(account.accountId, { disabled });
  await set(true);
  for (const credential of [account.key, token]) {
    const read = () => on.api('get', '/account', credential);
    await until(async () => (await read()).status === 403);
    expect(await read()).toBeRefusedWith('ACCESS_DENIED', { reason: 'disabled' });
    expect(await change(credential)).toBeRefusedWith('ACCESS_DENIED', { reason: 'disabled' });
  }
  expect(await protect({ frozen: false })).toBeRefusedWith('ACCESS_DENIED', { reason: 'disabled' });
  expect((await on.visit(project.subdomain, `/${custom_path}`)).status).toBe(302);
  await set(false);
  await until(async () => (await change()).status === 201);
});

describe('the maximum age of keys', () => {
  const day = 86_400_000;
  const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
  const daysOf = (key: { expires_at: string | null }) => Math.round((Date.parse(key.expires_at!) - Date.now()) / day);

  beforeEach(() => protect({ max_key_age_days: 30 }).expect(200));

  test('limits new keys and successors', async () => {
    const tooLong = on.api('post', '/account/api-keys', token).send({ name: 'Key', expires_at: inDays(31) });
    expect(await tooLong).toBeRefusedWith('INVALID_INPUT');
    expect(daysOf(await anApiKey(on, token, { expires_at: inDays(29) }))).toBe(29);
    const key = await anApiKey(on, token);
    expect(daysOf(key)).toBe(30);
    for (const expiry of ['NULL', "now() + interval '1 year'"]) {
      await on.database.query(`UPDATE api_keys SET expires_at = ${expiry} WHERE id = $1`, [key.id]);
      expect(daysOf(await created(on, token, `/account/api-keys/${key.id}/rotate`, {}))).toBe(30);
    }
  });

  test.each([
    [29, 200],
    [31, 401],
  ])('a key that is %i days old gets %i', async (age, status) => {
    const { key } = await anApiKey(on, token);
    await on.database.query(
      `UPDATE api_keys SET expires_at = NULL, created_at = now() - make_interval(days => $2) WHERE account_id = $1`,
      [account.accountId, age],
    );
    expect((await on.api('get', '/account', key)).status).toBe(status);
  });
});
