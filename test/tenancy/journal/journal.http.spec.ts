import type { ErrorCode } from '../../../src/shared/domain-error';
import type { JournalEntryDto } from '../../../src/tenancy/journal/journal.dto';
import { PgJournalRepository } from '../../../src/tenancy/journal/pg-journal.repository';
import {
  aCustomDomain,
  aDynamicLink,
  anAndroidApp,
  anIosApp,
  aProject,
  aShortLink,
  aTag,
  dataAt,
  unique,
} from '../../support/builders';
import { needsImports } from '../../support/imports';
import { eventually } from '../../support/eventually';
import { serviceFixture, fixtureOfEach } from '../../support/fixtures';

const on = serviceFixture({ APPS_PER_PROJECT: '2', SHORT_LINKS_PER_LINK: '2' });
const account = fixtureOfEach(() => on.anAccount('enterprise'));
const project = fixtureOfEach(() => aProject(on, account.key));

type Entry = JournalEntryDto & { before: Record<string, unknown> | null; after: Record<string, unknown> | null };

const at = (path: string) => `/projects/${project.id}${path}`;
const read = <T>(path: string) => dataAt<T>(on, account.key, at(path));
const auditLog = (query = '') => dataAt<Entry[]>(on, account.key, `/account/audit-log?limit=100${query}`);
const history = (resourceId: string) => read<Entry[]>(`/history?resource_id=${resourceId}`);
/** Restores the last entry of a resource. */
const restoreLast = async (resourceId: string) => await restore((await history(resourceId))[0]!.sequence);
const restore = (sequence: number, body: object = {}) =>
  on.api('post', at(`/history/${sequence}/restore`), account.key).send(body);
const change = (method: 'post' | 'put' | 'delete', path: string, body: object = {}) =>
  on.api(method, at(path), account.key).send(method === 'delete' ? undefined : body);

interface Row {
  /** Creates the resource, and returns its path below the project and its id. */
  create: () => Promise<{ path: string; id: string }>;
  update?: { body: object; before: object; after: object };
}
const of = (path: string, resource: { id: string }) => ({ path: `${path}/${resource.id}`, id: resource.id });

const resources: Record<string, Row> = {
  link: {
    create: async () => of('/links', await aDynamicLink(on, account.key, project.id)),
    update: {
      body: { desktop_url: 'https://example.com/new', notes: 'N' },
      before: { desktop_url: 'https://example.com/desktop', notes: null },
      after: { desktop_url: 'https://example.com/new', notes: 'N' },
    },
  },
  short_link: {
    create: async () => {
      const { id } = await aDynamicLink(on, account.key, project.id);
      return of('/short-links', await aShortLink(on, account.key, project.id, id));
    },
  },
  ios_app: {
    create: async () => of('/ios-apps', await anIosApp(on, account.key, project.id)),
    update: { body: { name: 'B' }, before: { name: 'An iOS app' }, after: { name: 'B' } },
  },
  android_app: {
    create: async () => of('/android-apps', await anAndroidApp(on, account.key, project.id)),
    update: { body: { name: 'B' }, before: { name: 'An Android app' }, after: { name: 'B' } },
  },
  domain: { create: async () => of('/custom-domains', await aCustomDomain(on, account.key, project.id)) },
  tag: {
    create: async () => of('/tags', await aTag(on, account.key, project.id, { name: 'Old' })),
    update: { body: { name: 'New' }, before: { name: 'Old' }, after: { name: 'New' } },
  },
  project: {
    create: async () => ({ path: '', id: project.id }),
    update: { body: { name: 'B' }, before: { name: 'A project' }, after: { name: 'B' } },
  },
};

test.each(Object.keys(resources))('each change of a resource is one entry: %s', async (kind) => {
  const { create, update } = resources[kind]!;
  const { path, id } = await create();
  const expected = [`${kind}.created`];
  if (update) {
    await change('put', path, update.body).expect(200);
    await change('put', path, update.body).expect(200); // changes nothing
    expected.unshift(`${kind}.updated`);
  }
  const names = async () => new Set((await auditLog(`&resource_id=${id}`)).map((entry) => entry.resource_name));
  const before = await names();
  expect([before.size, before.has(null)]).toEqual([1, false]);
  await change('delete', path).set('X-Request-Id', 'the-request').expect(200);
  expected.unshift(`${kind}.deleted`);
  const entries = await auditLog(`&resource_id=${id}`);
  expect(entries.map(({ type }) => type)).toEqual(expected);
  expect(entries[0]!.resource_name).toBe([...before][0]);
  for (const entry of entries) {
    expect(entry).toMatchObject({ resource_id: id, resource_count: 1, project_id: project.id, actor_name: 'Test' });
    const { apiKeyId: api_key_id, userId: user_id } = account;
    expect(entry.actor).toMatchObject({ kind: 'key', api_key_id, user_id, address: '127.0.0.0' });
  }
  const [deleted, ...others] = entries;
  expect(deleted).toMatchObject({ actor: { request_id: 'the-request' }, after: null });
  expect(deleted!.before).toMatchObject({ id, ...update?.after });
  if (update) expect(others[0]).toMatchObject({ before: update.before, after: update.after });
  expect(others.at(-1)).toMatchObject({ before: null, after: { id } });
});

test('parallel creations are entries of their requests', async () => {
  const names = Array.from({ length: 20 }, (_, number) => `request-${number}`);
  await Promise.all(names.map((name) => change('post', '/links', { name }).set('X-Request-Id', name).expect(201)));
  const entries = await auditLog('&type=link.created');
  expect(entries.map(({ after, actor }) => [after!['name'], actor.request_id]).sort()).toEqual(
    names.map((name) => [name, name]).sort(),
  );
});

test('a batch is one entry, which the history of each resource has', async () => {
  const links = await Promise.all(['A', 'B', 'C'].map((name) => aDynamicLink(on, account.key, project.id, { name })));
  const link = (number: number) => ({ desktop_url: `https://example.com/${number}` });
  const operations = links.map(({ id }, number) => ({ op: 'update', id, link: link(number) }));
  await change('post', '/links/bulk', { operations }).expect(200);
  const [batch] = await auditLog('&type=link.updated');
  expect(batch).toMatchObject({ resource_id: null, resource_count: 3, before: null, after: null });
  const [ofSecond] = await history(links[1]!.id);
  expect(ofSecond).toMatchObject({
    sequence: batch!.sequence,
    before: { desktop_url: 'https://example.com/desktop' },
    after: { desktop_url: 'https://example.com/1' },
  });
  const { text } = await on.api('get', '/account/audit-log/export?type=link.updated', account.key).expect(200);
  const line = JSON.parse(text) as { sequence: number; rows: { id: string }[] };
  expect(line.rows.map(({ id }) => id).sort()).toEqual(links.map(({ id }) => id).sort());
  await restore(batch!.sequence, { resource_id: links[0]!.id }).expect(200, { data: { restored: 1 } });
  const urls = () =>
    Promise.all(links.map(async ({ id }) => (await read<{ desktop_url: string }>(`/links/${id}`)).desktop_url));
  expect(await urls()).toEqual(['https://example.com/desktop', 'https://example.com/1', 'https://example.com/2']);
  await restore(batch!.sequence).expect(200, { data: { restored: 3 } });
  expect(await urls()).toEqual(Array(3).fill('https://example.com/desktop'));
});

test.each(['link', 'short_link', 'ios_app', 'android_app'])(
  'a change and a deletion can be undone: %s',
  async (kind) => {
    const { create, update } = resources[kind]!;
    const { path, id } = await create();
    const content = async () => {
      const { updated_at: _, ...data } = await read<Record<string, unknown>>(path);
      return data;
    };
    const first = await content();
    if (update) {
      await change('put', path, update.body).expect(200);
      expect((await restoreLast(id)).body).toEqual({ data: { restored: 1 } });
      expect(await content()).toEqual(first);
    }
    await change('delete', path).expect(200);
    const [deleted] = await history(id);
    await restore(deleted!.sequence).expect(200, { data: { restored: 1 } });
    expect(await content()).toEqual(first);
    expect(await restore(deleted!.sequence)).toBeRefusedWith('INVALID_INPUT');
  },
);

test('the bin has the last deletions that are not undone, of 30 days', async () => {
  const bin = async () => {
    const entries = await read<Entry[]>('/history?restorable=true&limit=100');
    return entries.map(({ type, resource_id, resource_count }) => [type, resource_id ?? resource_count]);
  };
  const link = await aDynamicLink(on, account.key, project.id);
  const [one, two] = [await aDynamicLink(on, account.key, project.id), await aDynamicLink(on, account.key, project.id)];
  const { path, id: appId } = await resources['ios_app']!.create();
  await change('put', path, { name: 'Changed' }).expect(200);
  expect(await bin()).toEqual([]);
  await change('delete', path).expect(200);
  const operations = [one, two].map(({ id }) => ({ op: 'delete', id }));
  await change('post', '/links/bulk', { operations }).expect(200);
  await change('delete', `/links/${link.id}`).expect(200);
  expect(await bin()).toEqual([
    ['link.deleted', link.id],
    ['link.deleted', 2],
    ['ios_app.deleted', appId],
  ]);
  expect((await restoreLast(link.id)).status).toBe(200);
  await restore((await history(one.id))[0]!.sequence, { resource_id: one.id }).expect(200);
  // The other link of the batch is still absent.
  expect(await bin()).toEqual([
    ['link.deleted', 2],
    ['ios_app.deleted', appId],
  ]);
  await change('delete', `/links/${link.id}`).expect(200);
  expect((await bin())[0]).toEqual(['link.deleted', link.id]);
  expect((await bin()).filter(([, id]) => id === link.id)).toHaveLength(1);
});

test('visitors get a restored link', async () => {
  const { id, custom_path } = await aDynamicLink(on, account.key, project.id, { custom_path: unique('back') });
  const { subdomain } = await read<{ subdomain: string }>('');
  await change('delete', `/links/${id}`).expect(200);
  await eventually(async () => (await on.visit(subdomain, `/${custom_path}`)).status === 404);
  await restoreLast(id);
  await eventually(async () => (await on.visit(subdomain, `/${custom_path}`)).status === 302);
});

describe('a restoration is refused', () => {
  test('if another resource has the name', async () => {
    const { id } = await aDynamicLink(on, account.key, project.id, { custom_path: 'taken' });
    await change('delete', `/links/${id}`).expect(200);
    await aDynamicLink(on, account.key, project.id, { custom_path: 'taken' });
    expect(await restoreLast(id)).toBeRefusedWith('CUSTOM_PATH_EXISTS');
  });

  test('if the resource was created by the entry', async () => {
    const { id } = await aDynamicLink(on, account.key, project.id);
    expect(await restoreLast(id)).toBeRefusedWith('INVALID_INPUT');
  });

  const onFree = () => on.setPlan(account.accountId, 'free');
  const aShort = async (linkId: string) => of('/short-links', await aShortLink(on, account.key, project.id, linkId));

  test.each<[string, ErrorCode, create: Row['create'], afterwards: (linkId: string) => Promise<unknown>]>([
    [
      'the quota is used up',
      'ACCESS_DENIED',
      resources['link']!.create,
      async () => {
        await onFree();
        const operations = Array.from({ length: 100 }, () => ({ op: 'create', link: { name: 'A' } }));
        await change('post', '/links/bulk', { operations }).expect(200);
      },
    ],
    ['the plan does not include short links', 'FORBIDDEN_PLAN', resources['short_link']!.create, onFree],
    [
      'the plan does not include a field of the link',
      'FORBIDDEN_PLAN',
      async () => of('/links', await aDynamicLink(on, account.key, project.id, { ios_deferred_deep_link: true })),
      onFree,
    ],
    [
      'the link has as many short links as it may',
      'ACCESS_DENIED',
      resources['short_link']!.create,
      async (linkId) => [await aShort(linkId), await aShort(linkId)],
    ],
    [
      'the project has as many apps as it may',
      'ACCESS_DENIED',
      resources['ios_app']!.create,
      async () => [await anIosApp(on, account.key, project.id), await anAndroidApp(on, account.key, project.id)],
    ],
  ])('if %s', async (_, code, create, afterwards) => {
    const { path, id } = await create();
    const [link] = await read<{ id: string }[]>('/links');
    await change('delete', path).expect(200);
    await afterwards(link?.id ?? '');
    expect(await restoreLast(id)).toBeRefusedWith(code);
  });
});

test('the log shows the changes of an account only, in pages and by filters', async () => {
  for (let number = 0; number < 5; number++) await aDynamicLink(on, account.key, project.id);
  const stranger = await on.anAccount();
  await aProject(on, stranger.key);
  const all = await auditLog();
  expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, number) => all.length - number));
  expect(all.map(({ type }) => type)).toEqual([
    ...Array(5).fill('link.created'),
    'project.created',
    'api_key.new_network',
    'api_key.created',
    'account.created',
  ]);
  expect(all.at(-1)!.actor.kind).toBe('service');
  const pages: Entry[] = [];
  let cursor = '';
  do {
    const { body } = await on.api('get', `/account/audit-log?limit=3${cursor}`, account.key).expect(200);
    const page = body as { data: Entry[]; pagination: { nextCursor: string | null; hasNextPage: boolean } };
    pages.push(...page.data);
    cursor = page.pagination.hasNextPage ? `&cursor=${page.pagination.nextCursor}` : '';
  } while (cursor);
  expect(pages).toEqual(all);
  const middle = encodeURIComponent(all[3]!.at);
  const count = async (query: string) => (await auditLog(query)).length;
  expect(await count('&type=link')).toBe(5);
  expect(await count('&type=link.deleted')).toBe(0);
  expect(await count(`&actor_id=${account.apiKeyId}`)).toBe(7);
  expect(await count(`&actor_id=${stranger.apiKeyId}`)).toBe(0);
  expect(await count(`&project_id=${project.id}`)).toBe(6);
  expect((await count(`&from=${middle}`)) + (await count(`&to=${middle}`))).toBe(all.length);
});

test('months before the retention are dropped, and the rest can be proved', async () => {
  await aDynamicLink(on, account.key, project.id);
  await on.database.query(
    `UPDATE journal_inbox SET at = at - interval '30 months' WHERE account_id = '${account.accountId}' AND type <> 'link.created'`,
  );
  const journal = on.service.app.get(PgJournalRepository);
  await journal.seal();
  expect(await journal.dropMonths(24)).toEqual([expect.stringMatching(/^journal_\d{4}_\d{2}$/)]);
  expect((await auditLog()).map(({ type }) => type)).toEqual(['link.created']);
  expect(await journal.verify(account.accountId)).toMatchObject({ checked: 0, brokenAt: null });
});

test('an import writes one entry for each of its batches, in its name', async () => {
  await needsImports(on);
  const links = Array.from({ length: 30 }, (_, number) => ({ name: `Imported ${number}` }));
  const { id } = (await change('post', '/imports', links).expect(202)).body.data as { id: string };
  const isIn = async (state: string) => (await read<{ state: string }>(`/imports/${id}`)).state === state;
  await eventually(() => isIn('ready'));
  await change('post', `/imports/${id}/run`).expect(202);
  await eventually(() => isIn('completed'));
  const entries = await auditLog('&type=link.created');
  expect(entries.reduce((sum, { resource_count }) => sum + resource_count, 0)).toBe(30);
  expect(entries.length).toBeLessThan(30);
  for (const { actor } of entries) expect(actor).toEqual({ kind: 'import', import_id: id });
  const states = (await auditLog('&type=import')).map(({ type, after }) => [type, after?.['state']]);
  expect(states).toEqual([
    ['import.updated', 'completed'],
    ['import.updated', 'running'],
    ['import.updated', 'ready'],
    ['import.updated', 'checking'],
    ['import.created', 'uploading'],
  ]);
});

test('every operation that changes something names its caller', async () => {
  const { id: link } = await aDynamicLink(on, account.key, project.id, { tags: ['Red', 'Blue'] });
  await aDynamicLink(on, account.key, project.id);
  const tags = await read<{ id: string; name: string }[]>('/tags');
  const [blue, red] = ['Blue', 'Red'].map((name) => tags.find((tag) => tag.name === name)!.id);
  const { id: app } = await anIosApp(on, account.key, project.id);
  const byFilter = (action: string, more: object = {}) =>
    change('post', '/links/bulk/by-filter', { filter: {}, action, expected_count: 2, ...more });
  const requests: [name: string, answer: () => ReturnType<typeof change>][] = [
    ['link.updated', () => change('put', `/links/${link}`, { ios_app_id: app })],
    ['link.updated', () => byFilter('add_tags', { tags: ['Green'] })],
    ['link.updated', () => byFilter('remove_tags', { tags: ['Green'] })],
    ['link.updated', () => byFilter('disable')],
    ['link.updated', () => change('post', `/tags/${red}/merge`, { into: blue })],
    ['project.updated', () => change('put', '', { subdomain: unique('renamed') })],
    ['tag.deleted', () => change('delete', `/tags/${blue}`)],
    ['link.deleted', () => change('post', '/links/bulk', { operations: [{ op: 'delete', id: link }] })],
    ['ios_app.deleted', () => change('delete', `/ios-apps/${app}`)],
    ['project.deleted', () => change('delete', '')],
  ];
  for (const [type, request] of requests) {
    const [last] = await auditLog();
    const answer = await request();
    expect([type, answer.status]).toEqual([type, 200]);
    const written = (await auditLog()).filter(({ sequence }) => sequence > last!.sequence);
    expect(written.map((entry) => entry.type)).toContain(type);
    for (const { actor } of written) expect(actor).toMatchObject({ kind: 'key', api_key_id: account.apiKeyId });
  }
});

test('a change by another program is an entry too', async () => {
  const { id } = await aDynamicLink(on, account.key, project.id);
  await on.database.query('UPDATE dynamic_links SET disabled = true WHERE id = $1', [id]);
  expect((await history(id))[0]).toMatchObject({ actor: { kind: 'database' }, after: { disabled: true } });
});

test('no column with a secret is in the journal', async () => {
  await on.api('get', '/projects', account.key).expect(200);
  const [created] = await auditLog('&type=api_key.created');
  const columns = 'account_id created_at id name prefix publishable user_id';
  expect(Object.keys(created!.after!).sort().join(' ')).toBe(columns);
});

describe('the chain', () => {
  const verify = () => on.service.app.get(PgJournalRepository).verify(account.accountId);
  /** Changes the journal as somebody with all rights would. */
  const tamper = (sql: string) =>
    on.database.query(`DO $$ BEGIN SET LOCAL session_replication_role = replica; ${sql}; END $$`);

  test.each([
    ['changed entry', 3, `UPDATE journal SET actor = '{"kind": "service"}'`],
    ['changed first entry', 1, `UPDATE journal SET type = 'account.updated'`],
    ['missing entry', 3, 'DELETE FROM journal'],
    ['missing end', 6, 'DELETE FROM journal'],
  ])('shows a %s', async (_, brokenAt, sql) => {
    await aDynamicLink(on, account.key, project.id);
    await aDynamicLink(on, account.key, project.id);
    await auditLog();
    expect(await verify()).toMatchObject({ checked: 6, brokenAt: null });
    await tamper(`${sql} WHERE account_id = '${account.accountId}' AND sequence = ${brokenAt}`);
    expect((await verify()).brokenAt).toBe(brokenAt);
  });

  test.each(['UPDATE journal SET type = type', 'DELETE FROM journal'])('is not changed by %s', async (sql) => {
    await auditLog();
    await expect(on.database.query(sql)).rejects.toThrow('cannot be changed');
  });
});
