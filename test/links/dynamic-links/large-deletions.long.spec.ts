import { DynamicLinkPurge } from '../../../src/links/dynamic-links/dynamic-link-purge';
import { TransactionContext } from '../../../src/platform/postgres/transaction-context';
import { aDynamicLink, aProject, aShortLink, type ProjectBody, unique } from '../../support/builders';
import { rowsOf } from '../../support/content';
import { atEndOfTest } from '../../support/end-of-test';
import { eventually } from '../../support/eventually';
import { notificationsOf } from '../../support/other-session';
import { accountFixture, serviceFixture } from '../../support/fixtures';

/** More than one deletion removes itself. */
const many = 3000;

const on = serviceFixture();
const owner = accountFixture(on, 'pro');

const get = (path: string) => on.api('get', path, owner.key);

interface LargeLink {
  project: ProjectBody;
  path: string;
  id: string;
}

/** Creates a link with many short links, whose slugs are a prefix and a number. */
async function aLargeLink(fields: object = {}): Promise<LargeLink> {
  const project = await aProject(on, owner.key);
  const { id } = await aDynamicLink(on, owner.key, project.id, { custom_path: 'large', ...fields });
  await on.database.query(
    `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source)
     SELECT gen_random_uuid(), $1, $2, 'slug' || n, 'api' FROM generate_series(1, $3) n`,
    [project.id, id, many],
  );
  return { project, path: `/projects/${project.id}`, id };
}

/** Keeps the purge from running, as if the process had crashed after the deletion. */
async function withoutPurge<T>(work: () => Promise<T>): Promise<T> {
  const sweep = jest.spyOn(on.service.app.get(DynamicLinkPurge, { strict: false }), 'sweep').mockResolvedValue();
  return work().finally(() => sweep.mockRestore());
}

const purge = () => on.service.app.get(DynamicLinkPurge, { strict: false }).sweep();

describe('a deleted link with many short links', () => {
  test('is gone at once for API, counts and visitors, and its rows are purged afterwards', async () => {
    const { project, path, id } = await aLargeLink();
    const other = await aDynamicLink(on, owner.key, project.id);
    const kept = await aShortLink(on, owner.key, project.id, other.id);
    const doomed = await get(`${path}/short-links?limit=1&page=2`);
    await on.visit(project.subdomain, '/large').expect(302);
    await on.visit(project.subdomain, '/slug7').expect(302);

    await withoutPurge(async () => {
      await on.api('delete', `${path}/links/${id}`, owner.key).expect(200);
      expect(await get(`${path}/links/${id}`)).toBeRefusedWith('NOT_FOUND');
      expect(await get(`${path}/short-links/${doomed.body.data[0].id}`)).toBeRefusedWith('NOT_FOUND');
      const deletion = on.api('delete', `${path}/short-links/${doomed.body.data[0].id}`, owner.key);
      expect(await deletion).toBeRefusedWith('NOT_FOUND');
      expect((await get(`${path}/links`)).body).toMatchObject({ data: [{ id: other.id }], pagination: { total: 1 } });
      expect((await get(`${path}/short-links`)).body).toMatchObject({ data: [kept], pagination: { total: 1 } });
      expect((await get(`${path}/short-links?dynamic_link_id=${id}`)).body).toMatchObject({
        data: [],
        pagination: { total: 0 },
      });
      await eventually(async () => (await on.visit(project.subdomain, '/slug7')).status === 404);
      await on.visit(project.subdomain, '/large').expect(404);
      await on.visit(project.subdomain, '/slug8').expect(404);
      expect(await on.api('delete', `${path}/links/${id}`, owner.key)).toBeRefusedWith('NOT_FOUND');
      expect(await on.api('put', `${path}/links/${id}`, owner.key).send({ name: 'New' })).toBeRefusedWith('NOT_FOUND');
      const create = on.api('post', `${path}/short-links`, owner.key).send({ dynamic_link_id: id });
      expect(await create).toBeRefusedWith('NOT_FOUND');
      await aDynamicLink(on, owner.key, project.id, { custom_path: 'large' });
      expect(await rowsOf(on, project.id)).toMatchObject({ short_links: many + 1 });
    });

    await purge();
    expect(await rowsOf(on, project.id)).toMatchObject({ dynamic_links: 2, short_links: 1, link_paths: 3 });
    expect((await get(`${path}/short-links`)).body.pagination.total).toBe(1);
    await aShortLink(on, owner.key, project.id, other.id, { slug: 'slug7' });
  });

  test('is purged after the commit of a bulk request with Idempotency-Key', async () => {
    const { path, id } = await aLargeLink();
    const transactions = on.service.app.get(TransactionContext, { strict: false });
    const purges: boolean[] = [];
    const sweep = jest
      .spyOn(on.service.app.get(DynamicLinkPurge, { strict: false }), 'sweep')
      .mockImplementation(async () => void purges.push(transactions.isOpen));
    atEndOfTest(() => sweep.mockRestore());
    const bulk = on.api('post', `${path}/links/bulk`, owner.key).set('Idempotency-Key', unique('deletion'));
    await bulk.send({ operations: [{ op: 'delete', id }] }).expect(200);
    expect(purges).toEqual([false]);
  });

  test('notifies caches once, and not of each purged path', async () => {
    const { path, id } = await aLargeLink();
    const notifications = await notificationsOf(on.database, async () => {
      await withoutPurge(async () => {
        await on.api('delete', `${path}/links/${id}`, owner.key).expect(200);
      });
      await purge();
    });
    expect(notifications).toContainEqual({ links: [id] });
    expect(notifications).not.toContain('everything');
    expect(JSON.stringify(notifications)).not.toContain('slug');
  });
});
