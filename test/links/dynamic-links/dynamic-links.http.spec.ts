import { dynamicLinkFields } from '../../contracts/fields';
import { aDynamicLink, aProject, type ProjectBody } from '../../support/builders';
import { rowsOf } from '../../support/content';
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

test('a generated path consists of upper-case letters, lower-case letters and digits', async () => {
  const created = await Promise.all(Array.from({ length: 40 }, () => aDynamicLink(on, owner.key, project.id)));
  const paths = created.map(({ custom_path }) => custom_path);
  expect(new Set(paths).size).toBe(40);
  for (const kind of [/[A-Z]/, /[a-z]/, /[0-9]/]) expect(paths.join('')).toMatch(kind);
});

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

test('a custom path is unchanged by URL normalisation', () => {
  for (const path of dynamicLinkFields['custom_path']!.accepts)
    expect(new URL(`http://summer.localhost/${String(path)}`).pathname).toBe(`/${String(path)}`);
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
