import { Client } from 'pg';
import type { Plan } from '../../../src/tenancy/accounts/plan';
import { aDynamicLink, aProject } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { untilLocked } from '../../support/lock-waits';
import { aService, type TestAccount, type TestService } from '../../support/service';

let on: TestService;
beforeAll(async () => {
  on = await aService();
});
afterAll(() => on.stop());

const details = { feature: 'deferred_deep_links', current_plan: 'free', required_plan: 'pro' };

/** Changes the plan and waits until the service no longer caches the old one. */
async function setPlan(account: TestAccount, plan: Plan): Promise<void> {
  await on.setPlan(account.accountId, plan);
  // A read waits for the notification of the change.
  await on.api('get', '/projects', account.key).expect(200);
}

test('ios_deferred_deep_link cannot be enabled on the free plan, by create or update', async () => {
  const { key } = await on.anAccount('free');
  const { id } = await aProject(on, key);
  const links = `/projects/${id}/links`;
  const create = () => on.api('post', links, key).send({ name: 'x', ios_deferred_deep_link: true });
  expect(await changingNothing(on, create)).toBeRefusedWith('FORBIDDEN_PLAN', details);
  const link = await aDynamicLink(on, key, id, { ios_deferred_deep_link: false });
  const update = () => on.api('put', `${links}/${link.id}`, key).send({ name: 'Never', ios_deferred_deep_link: true });
  expect(await changingNothing(on, update)).toBeRefusedWith('FORBIDDEN_PLAN', details);
  await on.api('put', `${links}/${link.id}`, key).send({ ios_deferred_deep_link: false }).expect(200);
});

test('a link keeps ios_deferred_deep_link after a downgrade, but cannot enable it again', async () => {
  const account = await on.anAccount('pro');
  const { key } = account;
  const project = await aProject(on, key);
  const link = await aDynamicLink(on, key, project.id, {
    ios_deferred_deep_link: true,
    custom_path: 'kept',
    desktop_url: 'https://example.com/kept',
  });
  await setPlan(account, 'free');

  const path = `/projects/${project.id}/links/${link.id}`;
  expect((await on.api('get', path, key).expect(200)).body.data.ios_deferred_deep_link).toBe(true);
  const kept = await on.api('put', path, key).send({ name: 'Renamed', ios_deferred_deep_link: true }).expect(200);
  expect(kept.body.data).toMatchObject({ name: 'Renamed', ios_deferred_deep_link: true });
  expect((await on.visit(project.subdomain, '/kept').expect(302)).headers['location']).toBe('https://example.com/kept');

  await on.api('put', path, key).send({ ios_deferred_deep_link: false }).expect(200);
  expect(await on.api('put', path, key).send({ ios_deferred_deep_link: true })).toBeRefusedWith(
    'FORBIDDEN_PLAN',
    details,
  );

  await setPlan(account, 'pro');
  await on.api('put', path, key).send({ ios_deferred_deep_link: true }).expect(200);
  await setPlan(account, 'free');
  const operations = [true, false, true].map((value) => ({
    op: 'update',
    id: link.id,
    link: { ios_deferred_deep_link: value },
  }));
  const bulk = await on.api('post', `/projects/${project.id}/links/bulk`, key).send({ operations }).expect(200);
  expect(bulk.body.data.results.map(({ status }: { status: number }) => status)).toEqual([200, 200, 403]);
});

test('a request that would keep ios_deferred_deep_link does not enable it after another one disabled it', async () => {
  const account = await on.anAccount('pro');
  const project = await aProject(on, account.key);
  const { id } = await aDynamicLink(on, account.key, project.id, { ios_deferred_deep_link: true });
  await setPlan(account, 'free');
  const other = new Client({ connectionString: on.database.url });
  await other.connect();
  await other.query('BEGIN');
  await other.query('UPDATE dynamic_links SET ios_deferred_deep_link = false WHERE id = $1', [id]);
  const path = `/projects/${project.id}/links/${id}`;
  const answer = on.api('put', path, account.key).send({ ios_deferred_deep_link: true }).then();
  await untilLocked(on.database, 'dynamic_links');
  await other.query('COMMIT');
  await other.end();
  expect(await answer).toBeRefusedWith('FORBIDDEN_PLAN', details);
  expect((await on.api('get', path, account.key)).body.data.ios_deferred_deep_link).toBe(false);
});
