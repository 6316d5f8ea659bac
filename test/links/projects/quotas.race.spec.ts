import type { Response } from 'supertest';
import { aDynamicLink, aProject, unique } from '../../support/builders';
import { rowsOf } from '../../support/content';
import { serviceFixture } from '../../support/fixtures';
import type { TestAccount } from '../../support/service';
import { rounds } from '../../support/scale';

const on = serviceFixture({
  QUOTA_FREE_PROJECTS: '2',
  QUOTA_FREE_DYNAMIC_LINKS: '3',
  QUOTA_PRO_PROJECTS: '5',
  QUOTA_PRO_DYNAMIC_LINKS: '7',
  QUOTA_ENTERPRISE_PROJECTS: '6',
  QUOTA_ENTERPRISE_DYNAMIC_LINKS: 'unlimited',
});

const createProject = ({ key }: TestAccount) =>
  on.api('post', '/projects', key).send({ name: 'One more', subdomain: unique('q') });
const createLink = ({ key }: TestAccount, projectId: string) =>
  on.api('post', `/projects/${projectId}/links`, key).send({ name: 'One more' });

/** Expects one creation, and refusals because of the quota. */
function expectOneCreated(responses: Response[], limit: number): void {
  const details = { limit, used: limit, current_plan: 'pro', required_plan: 'enterprise' };
  const refused = responses.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(responses.length - 1);
  for (const response of refused) expect(response).toBeRefusedWith('ACCESS_DENIED', details);
}

test.each(rounds(5))('one of 20 concurrent project creations succeeds at the quota minus one (round %d)', async () => {
  const account = await on.anAccount();
  for (let made = 0; made < 4; made++) await aProject(on, account.key);
  expectOneCreated(await Promise.all(Array.from({ length: 20 }, () => createProject(account))), 5);
  const list = await on.api('get', '/projects', account.key).expect(200);
  expect(list.body.pagination.total).toBe(5);
});

test.each(rounds(5))(
  'one of 20 concurrent link creations in two projects succeeds at the quota minus one (round %d)',
  async () => {
    const account = await on.anAccount();
    const projects = [await aProject(on, account.key), await aProject(on, account.key)];
    for (let made = 0; made < 6; made++) await aDynamicLink(on, account.key, projects[made % 2]!.id);
    const creations = Array.from({ length: 20 }, (_, at) => createLink(account, projects[at % 2]!.id));
    expectOneCreated(await Promise.all(creations), 7);
    const rows = await Promise.all(projects.map(({ id }) => rowsOf(on, id)));
    expect(rows.reduce((sum, row) => sum + row['dynamic_links']!, 0)).toBe(7);
  },
);

test('a deleted project or link no longer counts towards the quota', async () => {
  const account = await on.anAccount('free');
  const [one, other] = [await aProject(on, account.key), await aProject(on, account.key)];
  const link = await aDynamicLink(on, account.key, one.id);
  await aDynamicLink(on, account.key, one.id);
  await aDynamicLink(on, account.key, other.id);
  expect(await createLink(account, other.id)).toBeRefusedWith('ACCESS_DENIED');
  await on.api('delete', `/projects/${one.id}/links/${link.id}`, account.key).expect(200);
  await createLink(account, other.id).expect(201);
  expect(await createLink(account, other.id)).toBeRefusedWith('ACCESS_DENIED');
  expect(await createProject(account)).toBeRefusedWith('ACCESS_DENIED');
  await on.api('delete', `/projects/${one.id}`, account.key).expect(200);
  await createLink(account, other.id).expect(201);
  await createProject(account).expect(201);
});

test('an account over its quota after a downgrade can still update and delete its resources', async () => {
  const account = await on.anAccount('pro');
  const { id } = await aProject(on, account.key);
  for (let made = 1; made < 4; made++) await aProject(on, account.key);
  const link = await aDynamicLink(on, account.key, id);
  await on.setPlan(account.accountId, 'free');
  // Reads wait for the notification of the new plan, and writes do not.
  await on.api('get', '/projects', account.key).expect(200);
  expect(await createProject(account)).toBeRefusedWith('ACCESS_DENIED', {
    limit: 2,
    used: 4,
    current_plan: 'free',
    required_plan: 'pro',
  });
  await on.api('put', `/projects/${id}`, account.key).send({ name: 'Changed' }).expect(200);
  await on.api('put', `/projects/${id}/links/${link.id}`, account.key).send({ name: 'Changed' }).expect(200);
  await on.api('delete', `/projects/${id}`, account.key).expect(200);
});
