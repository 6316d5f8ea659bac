import { ProjectPurge } from '../../../src/management-api/projects/project-purge';
import { aDynamicLink, aProject, type ProjectBody, unique } from '../../support/builders';
import { changingNothing, untilPurged } from '../../support/content';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { rounds } from '../../support/scale';

const day = 86_400_000;

let on: TestService;
let owner: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  on = await aService({ SUBDOMAIN_HOLD_DAYS: '30', HELD_SUBDOMAINS_PER_ACCOUNT: '5' });
  owner = await on.anAccount('enterprise');
  stranger = await on.anAccount('enterprise');
});
beforeEach(() => {
  on.clock.ahead = 0;
});
afterAll(() => on.stop());

const create = (subdomain: string, { key }: TestAccount) =>
  on.api('post', '/projects', key).send({ name: 'Another one', subdomain });

async function aDeletedProject(names = 1): Promise<{ project: ProjectBody; names: string[] }> {
  const project = await aProject(on, owner.key);
  const all = [project.subdomain];
  while (all.length < names) {
    all.push(unique('renamed'));
    await on
      .api('put', `/projects/${project.id}`, owner.key)
      .send({ subdomain: all.at(-1) })
      .expect(200);
  }
  await aDynamicLink(on, owner.key, project.id, { custom_path: 'sale' });
  await on.visit(all[0]!, '/sale').expect(302);
  await on.api('delete', `/projects/${project.id}`, owner.key).expect(200);
  return { project, names: all };
}

test('all names of a deleted project are held for its account, and answer nothing', async () => {
  const { project, names } = await aDeletedProject(3);
  await untilPurged(on, project.id);
  const theirs = await aProject(on, stranger.key);
  for (const name of names) {
    expect(await changingNothing(on, () => create(name, stranger))).toBeRefusedWith('SUBDOMAIN_TAKEN');
    const rename = () => on.api('put', `/projects/${theirs.id}`, stranger.key).send({ subdomain: name });
    expect(await changingNothing(on, rename)).toBeRefusedWith('SUBDOMAIN_TAKEN');
    await on.visit(name, '/sale').expect(404);
  }
});

test('the account can have them again at once: for a new project, or another one', async () => {
  const { names } = await aDeletedProject(2);
  const other = await aProject(on, owner.key);
  await create(names[0]!, owner).expect(201);
  await on.api('put', `/projects/${other.id}`, owner.key).send({ subdomain: names[1] }).expect(200);
  for (const name of names) expect(await create(name, owner)).toBeRefusedWith('SUBDOMAIN_TAKEN');
});

test('others can have them when the time is over, and not before', async () => {
  const { names } = await aDeletedProject(2);
  on.clock.ahead = 30 * day - 60_000;
  expect(await create(names[0]!, stranger)).toBeRefusedWith('SUBDOMAIN_TAKEN');
  on.clock.ahead = 30 * day + 60_000;
  await create(names[0]!, stranger).expect(201);
  const theirs = await aProject(on, stranger.key);
  await on.api('put', `/projects/${theirs.id}`, stranger.key).send({ subdomain: names[1] }).expect(200);
});

test('a name that is given back is held anew from then on', async () => {
  const { names } = await aDeletedProject();
  const again = (await create(names[0]!, owner).expect(201)).body.data as ProjectBody;
  await on.database.query(`UPDATE subdomains SET left_at = now() - interval '40 days' WHERE left_at IS NOT NULL`);
  await on.api('delete', `/projects/${again.id}`, owner.key).expect(200);
  expect(await create(names[0]!, stranger)).toBeRefusedWith('SUBDOMAIN_TAKEN');
});

test('a sweep removes holds that are over, and no others', async () => {
  const { names } = await aDeletedProject(2);
  const { project } = await aDeletedProject().then(async ({ names: [name] }) => ({
    project: (await create(name!, owner).expect(201)).body.data as ProjectBody,
  }));
  await on
    .api('put', `/projects/${project.id}`, owner.key)
    .send({ subdomain: unique('kept') })
    .expect(200);
  const rows = () =>
    on.database.query('SELECT name FROM subdomains WHERE name = ANY($1) OR project_id = $2', [names, project.id]);
  const purge = on.service.app.get(ProjectPurge);
  on.clock.ahead = 29 * day;
  await purge.sweep();
  expect(await rows()).toHaveLength(4);
  on.clock.ahead = 31 * day;
  await purge.sweep();
  // Names that a project has left and answers on have no end.
  expect(await rows()).toHaveLength(2);
});

test.each(rounds(5))('of ten that want a held name at once, one of the account gets it (round %d)', async () => {
  const { names } = await aDeletedProject();
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, at) => create(names[0]!, at % 2 ? owner : stranger)),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const [at, response] of responses.entries())
    if (at % 2 === 0 || response.status !== 201) expect(response).toBeRefusedWith('SUBDOMAIN_TAKEN');
});

test.each(rounds(5))(
  'a project that is deleted while its name is wanted keeps it for the account (round %d)',
  async () => {
    const project = await aProject(on, owner.key);
    const [deletion, ...wanted] = await Promise.all([
      on.api('delete', `/projects/${project.id}`, owner.key),
      ...Array.from({ length: 8 }, () => create(project.subdomain, stranger)),
    ]);
    expect(deletion.status).toBe(200);
    for (const response of wanted) expect(response).toBeRefusedWith('SUBDOMAIN_TAKEN');
  },
);

test('nobody hoards names by making and deleting projects: the longest held go first', async () => {
  const hoarder = await on.anAccount('enterprise');
  const names: string[] = [];
  for (let time = 0; time < 8; time++) {
    const project = await aProject(on, hoarder.key);
    names.push(project.subdomain);
    await on.api('delete', `/projects/${project.id}`, hoarder.key).expect(200);
  }
  for (const name of names.slice(3)) expect(await create(name, stranger)).toBeRefusedWith('SUBDOMAIN_TAKEN');
  for (const name of names.slice(0, 3)) await create(name, stranger).expect(201);
});

test('without a time to hold, names are free at once', async () => {
  const careless = await aService({ SUBDOMAIN_HOLD_DAYS: '0' });
  try {
    const { key } = await careless.anAccount();
    const { id, subdomain } = await aProject(careless, key);
    await careless.api('delete', `/projects/${id}`, key).expect(200);
    await aProject(careless, (await careless.anAccount()).key, { subdomain });
  } finally {
    await careless.stop();
  }
});

test('an account that is gone leaves its names held for nobody', async () => {
  const leaving = await on.anAccount('enterprise');
  const { subdomain } = await aProject(on, leaving.key);
  await on.database.query('DELETE FROM accounts WHERE id = $1', [leaving.accountId]);
  for (const who of [owner, stranger]) expect(await create(subdomain, who)).toBeRefusedWith('SUBDOMAIN_TAKEN');
  on.clock.ahead = 31 * day;
  await create(subdomain, stranger).expect(201);
});
