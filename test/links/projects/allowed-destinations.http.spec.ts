import { aDynamicLink, anApiKey, aProject, unique } from '../../support/builders';
import { accountFixture, providerFixture, serviceFixture } from '../../support/fixtures';
import { needsImports } from '../../support/imports';
import { ImportRequests, ndjson } from '../../imports/api/import-requests';

const provider = providerFixture();
const on = serviceFixture(() => provider.environment);
const account = accountFixture(on);
let token: string;
let limitedKey: string;
let open: string;
let closed: string;
beforeAll(async () => {
  token = provider.token(account.accountId);
  ({ id: open } = await aProject(on, account.key));
  ({ id: closed } = await aProject(on, account.key, { destination_hosts: hosts, allowed_schemes: ['shop'] }));
  ({ key: limitedKey } = await anApiKey(on, token, { destination_hosts: hosts }));
});

const hosts = ['example.com', '*.example.com', 'bücher.example', 'a.example:8443'];
const evil = 'https://evil.example/';
const good = 'https://example.com/';

const urlFields = ['desktop_url', 'ios_fallback_url', 'android_fallback_url'];

/** The ways to write a link in a project. Each returns the answer of a refusal, and the place of its error. */
const ways: Record<string, (project: string, key: string, fields: object, linkId: string) => unknown> = {
  create: (project, key, fields) => on.api('post', `/projects/${project}/links`, key).send({ name: 'N', ...fields }),
  update: (project, key, fields, id) => on.api('put', `/projects/${project}/links/${id}`, key).send(fields),
  replace: (project, key, fields) =>
    on.api('put', `/projects/${project}/links/by-external-id/${unique('x')}`, key).send({ name: 'N', ...fields }),
  'explain a new link': (project, key, fields) =>
    on.api('post', `/projects/${project}/explain?platform=ios`, key).send({ name: 'N', ...fields }),
};

describe.each(['project', 'api_key'])('limited by the %s', (limited_by) => {
  const where = () => (limited_by === 'project' ? ([closed, account.key] as const) : ([open, limitedKey] as const));

  test.each(Object.keys(ways))('every URL is refused: %s', async (way) => {
    const { id } = await aDynamicLink(on, account.key, where()[0]);
    for (const field of urlFields) {
      const answer = await ways[way]!(...where(), { [field]: evil }, id);
      expect(answer).toBeRefusedWith('ACCESS_DENIED', { destination_host: 'evil.example', field, limited_by });
    }
    const pictures = { social_image_url: evil, ios_fallback_url: good };
    expect(((await ways[way]!(...where(), pictures, id)) as { status: number }).status).toBeLessThan(300);
  });

  test('bulk requests', async () => {
    const [project, key] = where();
    const { id } = await aDynamicLink(on, account.key, project);
    const operations = [
      { op: 'create', link: { name: 'N', desktop_url: evil } },
      { op: 'update', id, link: { ios_fallback_url: evil } },
      { op: 'update', id, link: { android_fallback_url: good } },
    ];
    const { body } = await on.api('post', `/projects/${project}/links/bulk`, key).send({ operations }).expect(200);
    const { results } = (body as { data: { results: { error?: { code: string } }[] } }).data;
    expect(results.map(({ error }) => error?.code)).toEqual(['ACCESS_DENIED', 'ACCESS_DENIED', undefined]);
  });

  test('restorations', async () => {
    const { id: project } = await aProject(on, account.key);
    const key = limited_by === 'project' ? account.key : limitedKey;
    const { id } = await aDynamicLink(on, account.key, project, { desktop_url: evil });
    await on.api('put', `/projects/${project}/links/${id}`, account.key).send({ desktop_url: good }).expect(200);
    const { id: deleted } = await aDynamicLink(on, account.key, project, { ios_fallback_url: evil });
    await on.api('delete', `/projects/${project}/links/${deleted}`, account.key).expect(200);
    if (limited_by === 'project')
      await on.api('put', `/projects/${project}`, token).send({ destination_hosts: hosts }).expect(200);
    const entriesOf = async (resource: string) =>
      (await on.api('get', `/projects/${project}/history?resource_id=${resource}`, account.key)).body as {
        data: { sequence: number }[];
      };
    for (const [resource, field] of [
      [id, 'desktop_url'],
      [deleted, 'ios_fallback_url'],
    ] as const) {
      const { sequence } = (await entriesOf(resource)).data[0]!;
      const answer = await on.api('post', `/projects/${project}/history/${sequence}/restore`, key).send({});
      expect(answer).toBeRefusedWith('ACCESS_DENIED', { destination_host: 'evil.example', field, limited_by });
    }
  });

  test('addresses without a link', async () => {
    const [project, key] = where();
    for (const field of ['root_url', 'not_found_url', 'expired_url']) {
      const refused = { destination_host: 'evil.example', field, limited_by };
      const update = (url: string) => on.api('put', `/projects/${project}`, key).send({ [field]: url });
      expect(await update(evil)).toBeRefusedWith('ACCESS_DENIED', refused);
      await update(good).expect(200);
      const list = limited_by === 'project' ? { destination_hosts: hosts } : {};
      const body = { name: 'P', subdomain: unique('p'), [field]: evil, ...list };
      expect(await on.api('post', '/projects', key).send(body)).toBeRefusedWith('ACCESS_DENIED', refused);
    }
  });

  test('keys cannot widen the lists of a project, and people can', async () => {
    const [project, key] = where();
    const stored = (await on.api('get', `/projects/${project}`, key)).body as { data: Record<string, unknown> };
    const wider = { destination_hosts: [], allowed_schemes: ['tel'], long_link_destinations: ['evil.example'] };
    for (const [field, list] of Object.entries({ ...wider, destination_hosts: ['evil.example'] })) {
      const update = (value: unknown, by = key) => on.api('put', `/projects/${project}`, by).send({ [field]: value });
      expect(await update(list)).toBeRefusedWith('ACCESS_DENIED', { reason: 'allow_lists' });
      await update(stored.data[field]).expect(200);
      await update(list, token).expect(200);
      await update(stored.data[field], token).expect(200);
    }
    if (limited_by === 'api_key')
      expect(
        await on.api('post', '/projects', key).send({ name: 'P', subdomain: unique('p'), ...wider }),
      ).toBeRefusedWith('ACCESS_DENIED', { reason: 'allow_lists' });
  });
});

test('imports refuse rows that lead elsewhere, and keys with destinations cannot import', async () => {
  await needsImports(on);
  const imports = new ImportRequests(on, account, closed);
  const urls = [good, evil, 'shop://evil.example/'];
  const { id } = await imports.check(ndjson(urls.map((desktop_url) => ({ name: 'N', desktop_url }))));
  const outcomes = (await imports.rows(id)).map(({ outcome, problems }) => [outcome, ...problems]);
  const reason =
    'desktop_url leads to evil.example, which destination_hosts of the project does not have; use a host of the list';
  expect(outcomes).toEqual([['created'], ['refused', { field: 'desktop_url', reason }], ['created']]);
  const answer = await on.api('post', `/projects/${open}/imports?source=csv`, limitedKey).type('text/csv').send('a');
  expect(answer).toBeRefusedWith('ACCESS_DENIED', { reason: 'imports' });
});

test('a stored destination is served after the list changes, with parameters that cannot change its host', async () => {
  const { id: project, subdomain } = await aProject(on, account.key);
  const link = { desktop_url: 'https://evil.example', referrer_params: { '@example.com/': '#@other.example' } };
  const { id, custom_path } = await aDynamicLink(on, account.key, project, link);
  await on.api('put', `/projects/${project}`, token).send({ destination_hosts: hosts }).expect(200);
  const { headers } = await on.visit(subdomain, `/${custom_path}?@example.com/=1&.example.com`);
  expect(new URL(headers['location']!).host).toBe('evil.example');
  await on.api('put', `/projects/${project}/links/${id}`, account.key).send({ name: 'Renamed' }).expect(200);
});
