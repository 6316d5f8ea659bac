import { aDynamicLink, anAndroidApp, anIosApp, aProject, type ProjectBody, unique } from '../../support/builders';
import { changingNothing, rowsOf } from '../../support/content';
import { DnsServer } from '../../support/dns-server';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { rounds } from '../../support/scale';
import { ProjectPurge } from '../../../src/links/projects/project-purge';

let dns: DnsServer;
let on: TestService;
let owner: TestAccount;
beforeAll(async () => {
  dns = await DnsServer.start();
  on = await aService({ FORMER_SUBDOMAINS_PER_PROJECT: '3', DNS_RESOLVERS: dns.address });
  owner = await on.anAccount('enterprise');
});
afterAll(async () => {
  await on.stop();
  await dns.stop();
});

const rename = ({ id }: ProjectBody, subdomain: string, key = owner.key) =>
  on.api('put', `/projects/${id}`, key).send({ subdomain });

const messageOf = ({ body }: { body: unknown }) => (body as { error: { message: string } }).error.message;

/** Creates a project and renames it. Returns its subdomains, the oldest first, the current one last. */
async function aRenamedProject(renames: number): Promise<{ project: ProjectBody; names: string[] }> {
  let project = await aProject(on, owner.key);
  const names = [project.subdomain];
  for (let count = 0; count < renames; count++) {
    names.push(unique('renamed'));
    project = (await rename(project, names.at(-1)!).expect(200)).body.data as ProjectBody;
  }
  return { project, names };
}

test('a renamed project serves its links and association files on every subdomain that it had', async () => {
  const { project, names } = await aRenamedProject(3);
  await anIosApp(on, owner.key, project.id, { bundle_id: 'com.example.shop' });
  await anAndroidApp(on, owner.key, project.id, { package_name: 'com.example.shop' });
  await aDynamicLink(on, owner.key, project.id, { custom_path: 'sale', desktop_url: 'https://example.com/' });
  await aDynamicLink(on, owner.key, project.id, { custom_path: 'social', social_title: 'Sale' });
  for (const name of names) {
    expect((await on.visit(name, '/sale').expect(302)).headers['location']).toBe('https://example.com/');
    const apple = await on.visit(name, '/.well-known/apple-app-site-association').expect(200);
    expect(JSON.stringify(apple.body)).toContain('ABCDE12345.com.example.shop');
    await on.visit(name, '/.well-known/assetlinks.json').expect(200, /com\.example\.shop/);
    const preview = await on.visit(name, '/social', { 'User-Agent': 'Slackbot-LinkExpanding 1.0' }).expect(200);
    expect(preview.text).toContain(`<meta property="og:url" content="http://${names.at(-1)}.localhost:3000/social">`);
  }
});

test.each([
  ['another project of the same account', async () => owner],
  ['a project of another account', () => on.anAccount('enterprise')],
])('%s gets SUBDOMAIN_TAKEN for a former subdomain', async (_, requester) => {
  const { names } = await aRenamedProject(2);
  const { key } = await requester();
  const other = await aProject(on, key);
  for (const name of names) {
    const create = () => on.api('post', '/projects', key).send({ name: 'Never', subdomain: name });
    for (const send of [create, () => rename(other, name, key)]) {
      const answer = await changingNothing(on, send);
      expect(answer).toBeRefusedWith('SUBDOMAIN_TAKEN');
      expect(messageOf(answer)).toBe(`The subdomain ${name} is in use; choose another one`);
    }
  }
});

test('a project can return to its former subdomains repeatedly and still answers on all of them', async () => {
  const { project, names } = await aRenamedProject(2);
  const path = '/.well-known/assetlinks.json';
  for (const name of [...names, ...names]) {
    expect((await rename(project, name).expect(200)).body.data.subdomain).toBe(name);
    for (const other of names) await on.visit(other, path).expect(200);
  }
});

test('a rename beyond FORMER_SUBDOMAINS_PER_PROJECT returns ACCESS_DENIED, except to a former subdomain', async () => {
  const { project, names } = await aRenamedProject(3);
  const taken = (await aProject(on, owner.key)).subdomain;
  for (const name of [unique('one-more'), taken, 'www'])
    expect(await changingNothing(on, () => rename(project, name))).toBeRefusedWith('ACCESS_DENIED', {
      limit: 3,
      used: 3,
      current_plan: 'enterprise',
      required_plan: null,
      release: {
        operation_id: 'deleteFormerSubdomain',
        method: 'DELETE',
        path: `/projects/${project.id}/former-subdomains/{subdomain}`,
      },
    });
  await rename(project, names[0]!).expect(200);
  expect(await rename(project, unique('one-more'))).toBeRefusedWith('ACCESS_DENIED');
  await on.api('put', `/projects/${project.id}`, owner.key).send({ name: 'Still possible' }).expect(200);
});

test.each(rounds(5))('one of 20 concurrent renames succeeds at the limit minus one (round %d)', async () => {
  const { project } = await aRenamedProject(2);
  const responses = await Promise.all(Array.from({ length: 20 }, () => rename(project, unique('race'))));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const response of responses.filter(({ status }) => status !== 200))
    expect(response).toBeRefusedWith('ACCESS_DENIED');
});

test.each(rounds(5))(
  'a project keeps a subdomain that others try to create while the project renames back and forth (round %d)',
  async () => {
    const { project, names } = await aRenamedProject(1);
    const [first, second] = names as [string, string];
    const other = await on.anAccount('enterprise');
    const responses = await Promise.all([
      rename(project, first),
      ...Array.from({ length: 8 }, (_, at) =>
        on.api('post', '/projects', other.key).send({ name: 'Never', subdomain: [first, second][at % 2] }),
      ),
      rename(project, second),
    ]);
    for (const response of responses.slice(1, -1)) expect(response).toBeRefusedWith('SUBDOMAIN_TAKEN');
    for (const { status } of [responses[0], responses.at(-1)!]) expect(status).toBe(200);
    const [row] = await on.database.query<{ subdomain: string }>(
      `SELECT p.subdomain, (SELECT array_agg(name ORDER BY name) FROM subdomains WHERE project_id = p.id AND left_at IS NULL) AS current,
            (SELECT count(*)::int FROM subdomains WHERE project_id = p.id) AS names
     FROM projects p WHERE id = $1`,
      [project.id],
    );
    expect(row).toEqual({ subdomain: row!.subdomain, current: [row!.subdomain], names: 2 });
  },
);

test.each(rounds(5))('two projects that swap subdomains concurrently both get SUBDOMAIN_TAKEN (round %d)', async () => {
  const [one, two] = [await aProject(on, owner.key), await aProject(on, owner.key)];
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, at) => (at % 2 ? rename(one, two.subdomain) : rename(two, one.subdomain))),
  );
  // PostgreSQL would abort one of two deadlocked transactions, and its request would return another code.
  for (const response of responses) expect(response).toBeRefusedWith('SUBDOMAIN_TAKEN');
});

test.each(['www', 'api', 'app', 'admin', 'mail'])(
  'the reserved subdomain %s returns SUBDOMAIN_TAKEN',
  async (subdomain) => {
    const { id } = await aProject(on, owner.key);
    const create = () => on.api('post', '/projects', owner.key).send({ name: 'Reserved', subdomain });
    expect(await changingNothing(on, create)).toBeRefusedWith('SUBDOMAIN_TAKEN');
    const { body } = await create();
    expect((body as { error: { message: string } }).error.message).toMatch(/ is reserved; choose another one$/);
    const update = () => on.api('put', `/projects/${id}`, owner.key).send({ subdomain });
    expect(await changingNothing(on, update)).toBeRefusedWith('SUBDOMAIN_TAKEN');
  },
);

test('the next sweep deletes the rows that a crash left of a deleted project, and no others', async () => {
  const { key } = await on.anAccount('enterprise');
  const deleted = await aProject(on, key);
  const other = await aProject(on, key);
  await aDynamicLink(on, key, deleted.id);
  await aDynamicLink(on, key, other.id);
  const before = await rowsOf(on, other.id);
  // A process that crashes right after its commit leaves this state.
  await on.database.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [deleted.id]);
  expect((await rowsOf(on, deleted.id))['dynamic_links']).toBe(1);

  await on.service.app.get(ProjectPurge).sweep();

  expect(Object.values(await rowsOf(on, deleted.id)).every((count) => count === 0)).toBe(true);
  expect(await rowsOf(on, other.id)).toEqual(before);
});
