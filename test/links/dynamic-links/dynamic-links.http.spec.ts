import { aDynamicLink, anAndroidApp, anIosApp, aProject, type ProjectBody } from '../../support/builders';
import { changingNothing, rowsOf } from '../../support/content';
import { statementsOf } from '../../support/statements';
import { sample } from '../../support/scale';
import { aService, type TestAccount, type TestService } from '../../support/service';

let on: TestService;
let owner: TestAccount;
let project: ProjectBody;
beforeAll(async () => {
  on = await aService({ QUOTA_PRO_PROJECTS: 'unlimited' });
  owner = await on.anAccount();
  project = await aProject(on, owner.key);
});
afterAll(() => on.stop());

const links = (projectId = project.id) => `/projects/${projectId}/links`;

test('a generated path that already exists is replaced by another one', async () => {
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
    const own = await aProject(on, owner.key);
    const link = await aDynamicLink(on, owner.key, own.id);
    expect(await rowsOf(on, own.id)).toMatchObject({ dynamic_links: 1, link_paths: 1 });
    await on.api('get', `${links(own.id)}/${link.id}`, owner.key).expect(200);
  } finally {
    await on.database.query('DROP TRIGGER collide ON link_paths; DROP FUNCTION collide; DROP SEQUENCE collisions');
  }
});

test.each(
  sample(
    [
      ['https://go.example.com', (name: string) => `https://${name}.go.example.com/p~a.t-h_`],
      ['http://links.test:8080', (name: string) => `http://${name}.links.test:8080/p~a.t-h_`],
      ['https://links.test:443', (name: string) => `https://${name}.links.test/p~a.t-h_`],
    ] as const,
    0,
    1,
  ),
)('full_url is on the host of LINK_BASE_URL %s', async (LINK_BASE_URL, url) => {
  const service = await aService({ LINK_BASE_URL });
  try {
    const { key } = await service.anAccount();
    const { id, subdomain } = await aProject(service, key);
    const link = await aDynamicLink(service, key, id, { custom_path: 'p~a.t-h_' });
    expect(link.full_url).toBe(url(subdomain));
  } finally {
    await service.stop();
  }
});

test('a list takes one SQL statement for any number of links', async () => {
  const large = (await aProject(on, owner.key)).id;
  for (let at = 0; at < 5; at++) {
    const app = await anIosApp(on, owner.key, large);
    const other = await anAndroidApp(on, owner.key, large);
    await on.database.query(
      `INSERT INTO dynamic_links (id, project_id, name, custom_path, ios_app_id, android_app_id)
       SELECT gen_random_uuid(), $1, 'Link', $2 || n, $3, $4 FROM generate_series(1, 20) n`,
      [large, `path-${at}-`, app.id, other.id],
    );
  }
  for (const limit of [1, 100]) {
    let listed: { ios_apps: unknown; android_apps: unknown }[] = [];
    const statements = await statementsOf(on, async () => {
      listed = (await on.api('get', `${links(large)}?limit=${limit}`, owner.key).expect(200)).body.data;
    });
    expect(listed.filter((link) => link.ios_apps && link.android_apps)).toHaveLength(limit);
    expect(statements).toHaveLength(1);
  }
});

describe('the URLs of a link', () => {
  let link: string;
  beforeAll(async () => {
    link = `${links()}/${(await aDynamicLink(on, owner.key, project.id)).id}`;
  });

  const create = (fields: object) => on.api('post', links(), owner.key).send({ name: 'A link', ...fields });
  const update = (fields: object) => on.api('put', link, owner.key).send(fields);

  const fields = ['desktop_url', 'ios_fallback_url', 'android_fallback_url', 'social_image_url'];

  const inAllFields = (value: string) => Object.fromEntries(fields.map((field) => [field, value]));

  test('every URL field is normalised', async () => {
    const [given, normalised] = ['HTTPS://BÜCHER.example/a b', 'https://xn--bcher-kva.example/a%20b'].map(inAllFields);
    expect((await create(given!).expect(201)).body.data).toMatchObject(normalised!);
    expect((await update(given!).expect(200)).body.data).toMatchObject(normalised!);
    expect((await on.api('get', link, owner.key).expect(200)).body.data).toMatchObject(normalised!);
  });

  test.each([
    ['javascript:alert(1)', 'invalid_format'],
    [`https://${'ü'.repeat(3000)}/`, 'too_big'],
  ])('the URL %j returns INVALID_INPUT in every field', async (given, code) => {
    const details = fields.map((field) => ({ code, path: [field], message: expect.any(String) }));
    expect(await create(inAllFields(given))).toBeRefusedWith('INVALID_INPUT', details);
    expect(await changingNothing(on, () => update(inAllFields(given)))).toBeRefusedWith('INVALID_INPUT', details);
  });

  test('an update with one invalid URL changes no field, and each field is stored separately', async () => {
    const { body: before } = await on.api('get', link, owner.key).expect(200);
    for (const field of fields) {
      const response = await update({ ...inAllFields('https://example.com/never'), [field]: 'never' });
      expect(response).toBeRefusedWith('INVALID_INPUT', [
        { code: 'invalid_format', path: [field], message: expect.any(String) },
      ]);
      expect((await on.api('get', link, owner.key).expect(200)).body).toEqual(before);
    }
    for (const [at, field] of fields.entries()) await update({ [field]: `https://example.com/${at}` }).expect(200);
    const { body: after } = await on.api('get', link, owner.key).expect(200);
    expect(fields.map((field) => after.data[field])).toEqual(fields.map((_, at) => `https://example.com/${at}`));
  });

  test('a URL that an earlier release stored keeps its spelling until it is given again', async () => {
    const earlier = 'https://example.com/{a}|b';
    await on.database.query('UPDATE dynamic_links SET desktop_url = $1 WHERE id = $2', [
      earlier,
      link.split('/').at(-1),
    ]);
    const { body: renamed } = await update({ name: 'Another name' }).expect(200);
    expect(renamed.data).toMatchObject({ name: 'Another name', desktop_url: earlier });
    const { body: given } = await update({ desktop_url: earlier }).expect(200);
    expect(given.data.desktop_url).toBe('https://example.com/%7Ba%7D%7Cb');
  });
});

test.each([
  ['post', () => links()],
  ['put', async () => `${links()}/${(await aDynamicLink(on, owner.key, project.id)).id}`],
] as const)('referrer_params sent by %s keep their order, and may have the name __proto__', async (method, path) => {
  const params = '{"z":"1","__proto__":"2","a":"3","constructor":"4","Z":"5","m":"6"}';
  const request = on.api(method, await path(), owner.key).type('json');
  const response = await request.send(`{"name":"x","referrer_params":${params}}`);
  expect(response.text).toContain(`"referrer_params":${params}`);
  const read = await on.api('get', `${links()}/${response.body.data.id}`, owner.key).expect(200);
  expect(read.text).toContain(`"referrer_params":${params}`);
});
