import { randomUUID } from 'node:crypto';
import { aDynamicLink, aProject, type LinkBody, type ProjectBody, unique } from '../support/builders';
import { changingNothing, rowsOf } from '../support/content';
import { aService, type TestAccount, type TestService } from '../support/service';

let on: TestService;
let owner: TestAccount;
let project: ProjectBody;
beforeAll(async () => {
  on = await aService({ QUOTA_PRO_PROJECTS: 'unlimited' });
  owner = await on.anAccount();
  project = await aProject(on, owner.key);
});
afterAll(() => on.stop());

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);

const everything = {
  name: 'Everything',
  desktop_url: 'https://example.com/desktop?a=1#top',
  ios_fallback_url: 'https://example.com/ios',
  android_fallback_url: 'http://example.com:8080/android',
  ios_deferred_deep_link: true,
  social_title: 'Title',
  social_description: 'Description',
  social_image_url: 'https://example.com/image.png',
  referrer_params: { utm_source: 'mail', utm_campaign: 'summer' },
};

const nothing = {
  desktop_url: null,
  ios_app_id: null,
  android_app_id: null,
  ios_fallback_url: null,
  android_fallback_url: null,
  ios_deferred_deep_link: false,
  social_title: null,
  social_description: null,
  social_image_url: null,
  referrer_params: null,
};

const links = (projectId = project.id) => `/projects/${projectId}/links`;
const get = async (link: LinkBody) =>
  (await on.api('get', `${links()}/${link.id}`, owner.key).expect(200)).body as { data: LinkBody };

describe('POST', () => {
  test('answers 201, every field as it was given, and where the link is', async () => {
    const custom_path = unique('all/of/it');
    const response = await on
      .api('post', links(), owner.key)
      .send({ ...everything, custom_path })
      .expect(201);
    expect(response.body).toEqual({
      data: {
        id: uuid,
        project_id: project.id,
        ...nothing,
        ...everything,
        custom_path,
        full_url: `http://${project.subdomain}.localhost:3000/${custom_path}`,
        created_at: instant,
        updated_at: instant,
      },
    });
    const { id, created_at, updated_at } = response.body.data;
    expect(response.headers['location']).toBe(`http://localhost:3000/api/v1/projects/${project.id}/links/${id}`);
    expect(updated_at).toBe(created_at);
  });

  test('needs a name alone: the rest is null or its default, and the path is drawn', async () => {
    const response = await on.api('post', links(), owner.key).send({ name: 'Bare' }).expect(201);
    const { custom_path } = response.body.data;
    expect(custom_path).toMatch(/^[A-Za-z0-9]{8}$/);
    expect(response.body).toEqual({
      data: {
        id: uuid,
        project_id: project.id,
        name: 'Bare',
        ...nothing,
        custom_path,
        full_url: `http://${project.subdomain}.localhost:3000/${custom_path}`,
        created_at: instant,
        updated_at: instant,
      },
    });
  });

  test('draws the path from letters of both cases and digits', async () => {
    const drawn = await Promise.all(Array.from({ length: 40 }, () => aDynamicLink(on, owner.key, project.id)));
    const paths = drawn.map(({ custom_path }) => custom_path);
    expect(new Set(paths).size).toBe(40);
    for (const kind of [/[A-Z]/, /[a-z]/, /[0-9]/]) expect(paths.join('')).toMatch(kind);
  });

  test('draws again when the path it drew is taken', async () => {
    await on.database.query(`
      CREATE SEQUENCE collisions;
      CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('collisions') < 4 THEN
          RAISE unique_violation USING CONSTRAINT = 'link_paths_one_namespace';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER collide BEFORE INSERT ON link_paths FOR EACH ROW EXECUTE FUNCTION collide()`);
    try {
      const crowded = await aProject(on, owner.key);
      const link = await aDynamicLink(on, owner.key, crowded.id);
      expect(await rowsOf(on, crowded.id)).toMatchObject({ dynamic_links: 1, link_paths: 1 });
      await on.api('get', `${links(crowded.id)}/${link.id}`, owner.key).expect(200);
    } finally {
      await on.database.query('DROP TRIGGER collide ON link_paths; DROP FUNCTION collide; DROP SEQUENCE collisions');
    }
  });

  test('a path that is taken in the project is refused, and free in another one', async () => {
    const { custom_path } = await aDynamicLink(on, owner.key, project.id, { custom_path: unique('taken') });
    const request = () => on.api('post', links(), owner.key).send({ name: 'Second', custom_path });
    expect(await changingNothing(on, request)).toBeRefusedWith('CUSTOM_PATH_EXISTS');
    const sibling = await aProject(on, owner.key);
    await aDynamicLink(on, owner.key, sibling.id, { custom_path });
  });
});

describe('GET', () => {
  test('answers the link as it was created, and its apps', async () => {
    const link = await aDynamicLink(on, owner.key, project.id, everything);
    expect(await get(link)).toEqual({ data: { ...link, ios_apps: null, android_apps: null } });
  });

  test('the list answers each link like that too', async () => {
    const own = await aProject(on, owner.key);
    const [first, second] = [
      await aDynamicLink(on, owner.key, own.id, everything),
      await aDynamicLink(on, owner.key, own.id),
    ];
    const response = await on.api('get', `${links(own.id)}?sortOrder=asc`, owner.key).expect(200);
    expect(response.body).toEqual({
      data: [first, second].map((link) => ({ ...link, ios_apps: null, android_apps: null })),
      pagination: { page: 1, limit: 10, total: 2, totalPages: 1, hasNextPage: false, hasPreviousPage: false },
    });
  });
});

describe('PUT', () => {
  const long = new Date('2020-02-02T02:02:02.002Z').toISOString();

  /** A link with every field set, made and changed long ago. */
  async function anOldLink(): Promise<LinkBody> {
    const link = await aDynamicLink(on, owner.key, project.id, everything);
    await on.database.query('UPDATE dynamic_links SET created_at = $2, updated_at = $2 WHERE id = $1', [link.id, long]);
    return { ...link, created_at: long, updated_at: long };
  }

  const put = (link: LinkBody, body: object) => on.api('put', `${links()}/${link.id}`, owner.key).send(body);

  test.each<[string, unknown]>([
    ['name', 'Renamed'],
    ['desktop_url', 'https://example.org/'],
    ['desktop_url', null],
    ['ios_app_id', null],
    ['android_app_id', null],
    ['ios_fallback_url', 'https://example.org/'],
    ['ios_fallback_url', null],
    ['android_fallback_url', 'https://example.org/'],
    ['android_fallback_url', null],
    ['ios_deferred_deep_link', false],
    ['ios_deferred_deep_link', true],
    ['social_title', 'Another title'],
    ['social_title', ''],
    ['social_title', null],
    ['social_description', 'Another description'],
    ['social_description', ''],
    ['social_description', null],
    ['social_image_url', 'https://example.org/'],
    ['social_image_url', null],
    ['referrer_params', { ref: 'x' }],
    ['referrer_params', {}],
    ['referrer_params', null],
  ])('%s: %j changes that and nothing else', async (field, value) => {
    const before = await anOldLink();
    const response = await put(before, { [field]: value }).expect(200);
    expect(response.body).toEqual({ data: { ...before, [field]: value, updated_at: instant } });
    expect(Date.parse(response.body.data.updated_at)).toBeGreaterThan(Date.now() - 10_000);
    expect(await get(before)).toEqual({ data: { ...response.body.data, ios_apps: null, android_apps: null } });
  });

  test('custom_path changes full_url with it, and gives the old path up', async () => {
    const before = await anOldLink();
    const custom_path = unique('moved/to');
    const response = await put(before, { custom_path }).expect(200);
    const full_url = `http://${project.subdomain}.localhost:3000/${custom_path}`;
    expect(response.body).toEqual({ data: { ...before, custom_path, full_url, updated_at: instant } });
    await aDynamicLink(on, owner.key, project.id, { custom_path: before.custom_path });
    const again = () => on.api('post', links(), owner.key).send({ name: 'Second', custom_path });
    expect(await changingNothing(on, again)).toBeRefusedWith('CUSTOM_PATH_EXISTS');
  });

  test('all fields at once', async () => {
    const before = await anOldLink();
    const body = { ...nothing, name: 'Bare', custom_path: unique('bare') };
    const response = await put(before, body).expect(200);
    const full_url = `http://${project.subdomain}.localhost:3000/${body.custom_path}`;
    expect(response.body).toEqual({ data: { ...before, ...body, full_url, updated_at: instant } });
  });

  test('{} is a valid update that changes nothing', async () => {
    const before = await anOldLink();
    const response = await changingNothing(on, () => put(before, {}));
    expect([response.status, response.body]).toEqual([200, { data: before }]);
  });

  test('takes the path that the link has already', async () => {
    const link = await anOldLink();
    await put(link, { custom_path: link.custom_path }).expect(200);
    await put(link, { custom_path: link.custom_path, name: 'Same path' }).expect(200);
  });

  test('a path that another link of the project has is refused, with the rest of the update', async () => {
    const [one, other] = [await anOldLink(), await anOldLink()];
    const request = () => put(one, { name: 'Never', custom_path: other.custom_path });
    expect(await changingNothing(on, request)).toBeRefusedWith('CUSTOM_PATH_EXISTS');
  });

  test('a path that differs in letter case is another path', async () => {
    const [one, other] = [await anOldLink(), await anOldLink()];
    const path = unique('case');
    await put(one, { custom_path: path }).expect(200);
    await put(other, { custom_path: path.toUpperCase() }).expect(200);
  });
});

describe('DELETE', () => {
  test('answers a message; the link is gone and its path is free', async () => {
    const link = await aDynamicLink(on, owner.key, project.id, { custom_path: unique('deleted') });
    const path = `${links()}/${link.id}`;
    const response = await on.api('delete', path, owner.key).expect(200);
    expect(response.body).toEqual({ data: { message: 'Dynamic link deleted' } });
    for (const method of ['get', 'put', 'delete'] as const)
      expect(await on.api(method, path, owner.key).send(method === 'put' ? {} : undefined)).toBeRefusedWith(
        'NOT_FOUND',
      );
    await aDynamicLink(on, owner.key, project.id, { custom_path: link.custom_path });
  });

  test('leaves the other links alone', async () => {
    const own = await aProject(on, owner.key);
    const [kept, deleted] = [await aDynamicLink(on, owner.key, own.id), await aDynamicLink(on, owner.key, own.id)];
    await on.api('delete', `${links(own.id)}/${deleted.id}`, owner.key).expect(200);
    const list = await on.api('get', links(own.id), owner.key).expect(200);
    expect(list.body.data).toEqual([{ ...kept, ios_apps: null, android_apps: null }]);
    expect(await rowsOf(on, own.id)).toMatchObject({ dynamic_links: 1, link_paths: 1 });
  });
});

describe('URLs are derived', () => {
  test('a new subdomain changes the URL of every link at once', async () => {
    const own = await aProject(on, owner.key);
    const made = [
      await aDynamicLink(on, owner.key, own.id, { custom_path: 'one' }),
      await aDynamicLink(on, owner.key, own.id, { custom_path: 'two/three' }),
    ];
    const subdomain = unique('renamed');
    await on.api('put', `/projects/${own.id}`, owner.key).send({ subdomain }).expect(200);
    const list = await on.api('get', `${links(own.id)}?sortOrder=asc`, owner.key).expect(200);
    expect(list.body.data.map((link: LinkBody) => link.full_url)).toEqual([
      `http://${subdomain}.localhost:3000/one`,
      `http://${subdomain}.localhost:3000/two/three`,
    ]);
    const [one, two] = made;
    const read = await on.api('get', `${links(own.id)}/${one!.id}`, owner.key).expect(200);
    expect(read.body.data).toEqual({
      ...one,
      full_url: `http://${subdomain}.localhost:3000/one`,
      ios_apps: null,
      android_apps: null,
    });
    const updated = await on
      .api('put', `${links(own.id)}/${two!.id}`, owner.key)
      .send({ name: 'x' })
      .expect(200);
    expect(updated.body.data.full_url).toBe(`http://${subdomain}.localhost:3000/two/three`);
  });

  test.each([
    ['https://go.example.com', (name: string) => `https://${name}.go.example.com/p~a.t-h_`],
    ['http://links.test:8080', (name: string) => `http://${name}.links.test:8080/p~a.t-h_`],
    ['https://links.test:443', (name: string) => `https://${name}.links.test/p~a.t-h_`],
  ])('on %s', async (LINK_BASE_URL, url) => {
    const there = await aService({ LINK_BASE_URL });
    try {
      const { key } = await there.anAccount();
      const { id, subdomain } = await aProject(there, key);
      const link = await aDynamicLink(there, key, id, { custom_path: 'p~a.t-h_' });
      expect(link.full_url).toBe(url(subdomain));
    } finally {
      await there.stop();
    }
  });
});

describe('a link is looked up inside the project of the path', () => {
  let sibling: ProjectBody;
  let foreign: LinkBody;
  beforeAll(async () => {
    sibling = await aProject(on, owner.key);
    const stranger = await on.anAccount();
    foreign = await aDynamicLink(on, stranger.key, (await aProject(on, stranger.key)).id);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['of a sibling project', async () => (await aDynamicLink(on, owner.key, sibling.id)).id],
    ['of another account', () => foreign.id],
    ['of the project itself', () => project.id],
    ['that nothing has', () => randomUUID()],
    ['that is no UUID', () => 'nonsense'],
    ['in braces', () => `%7B${foreign.id}%7D`],
    ['without hyphens', () => foreign.id.replaceAll('-', '')],
  ])('an id %s is not found', async (_, id) => {
    const path = `${links()}/${await id()}`;
    for (const method of ['get', 'put', 'delete'] as const) {
      const request = () => on.api(method, path, owner.key).send(method === 'put' ? { name: 'Never' } : undefined);
      expect(await changingNothing(on, request)).toBeRefusedWith('NOT_FOUND');
    }
  });

  test('ids are read in upper case and written in lower case', async () => {
    const link = await aDynamicLink(on, owner.key, project.id);
    const path = `${links(project.id.toUpperCase())}/${link.id.toUpperCase()}`;
    const read = await on.api('get', path, owner.key).expect(200);
    expect(read.body.data).toMatchObject({ id: link.id, project_id: project.id });
    expect((await on.api('put', path, owner.key).send({ name: 'x' }).expect(200)).body.data.id).toBe(link.id);
    await on.api('delete', path, owner.key).expect(200);
    expect(await on.api('get', `${links()}/${link.id}`, owner.key)).toBeRefusedWith('NOT_FOUND');
  });

  test('the body is checked before the link is looked for', async () => {
    for (const id of [randomUUID(), 'nonsense']) {
      expect(await on.api('put', `${links()}/${id}`, owner.key).send({ name: 7 })).toBeRefusedWith('INVALID_INPUT');
      expect(await on.api('put', `${links()}/${id}`, owner.key).send({ id })).toBeRefusedWith('FORBIDDEN_FIELD');
      expect(await on.api('get', `${links()}/${id}?x=1`, owner.key)).toBeRefusedWith('INVALID_INPUT');
      expect(await on.api('delete', `${links()}/${id}?x=1`, owner.key)).toBeRefusedWith('INVALID_INPUT');
    }
  });
});

describe('apps', () => {
  test.each([
    [{ ios_app_id: randomUUID() }, 'IOS_APP_NOT_FOUND'],
    [{ ios_app_id: randomUUID().toUpperCase() }, 'IOS_APP_NOT_FOUND'],
    [{ android_app_id: randomUUID() }, 'ANDROID_APP_NOT_FOUND'],
    [{ ios_app_id: randomUUID(), android_app_id: randomUUID() }, 'IOS_APP_NOT_FOUND'],
    [{ ios_app_id: null, android_app_id: randomUUID() }, 'ANDROID_APP_NOT_FOUND'],
  ] as const)('%j is %s', async (apps, code) => {
    const link = await aDynamicLink(on, owner.key, project.id);
    const update = () => on.api('put', `${links()}/${link.id}`, owner.key).send({ name: 'Never', ...apps });
    expect(await changingNothing(on, update)).toBeRefusedWith(code);
    if ('ios_app_id' in apps && apps.ios_app_id === null) return;
    const create = () => on.api('post', links(), owner.key).send({ name: 'Never', ...apps });
    expect(await changingNothing(on, create)).toBeRefusedWith(code);
  });

  test('are looked for after the link and before its path', async () => {
    const { id, custom_path } = await aDynamicLink(on, owner.key, project.id);
    const other = await aDynamicLink(on, owner.key, project.id);
    const body = { ios_app_id: randomUUID(), custom_path };
    expect(await on.api('put', `${links()}/${randomUUID()}`, owner.key).send(body)).toBeRefusedWith('NOT_FOUND');
    expect(await on.api('put', `${links()}/${other.id}`, owner.key).send(body)).toBeRefusedWith('IOS_APP_NOT_FOUND');
    expect(await on.api('post', links(), owner.key).send({ name: 'x', ...body })).toBeRefusedWith('IOS_APP_NOT_FOUND');
    expect(await on.api('put', `${links()}/${id}`, owner.key).send(body)).toBeRefusedWith('IOS_APP_NOT_FOUND');
  });
});

test.each([
  ['post', '?page=1'],
  ['get', '/{link}?page=1'],
  ['put', '/{link}?page=1'],
  ['delete', '/{link}?page=1'],
] as const)('%s …/links%s: an unknown query parameter is refused', async (method, template) => {
  const link = await aDynamicLink(on, owner.key, project.id);
  const path = links() + template.replace('{link}', link.id);
  const body = method === 'post' || method === 'put' ? { name: 'Never' } : undefined;
  expect(await changingNothing(on, () => on.api(method, path, owner.key).send(body))).toBeRefusedWith('INVALID_INPUT', [
    { code: 'unrecognized_key', path: ['page'], message: expect.any(String) },
  ]);
});
