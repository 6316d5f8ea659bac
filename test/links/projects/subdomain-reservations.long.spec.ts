import { ProjectPurge } from '../../../src/links/projects/project-purge';
import { aDynamicLink, aProject, type ProjectBody, unique, updated } from '../../support/builders';
import { changingNothing, untilPurged } from '../../support/content';
import { untilLocked } from '../../support/lock-waits';
import { withTransaction } from '../../support/other-session';
import { accountFixture, aServiceOfTest, serviceFixture } from '../../support/fixtures';
import type { TestAccount } from '../../support/service';
import { rounds } from '../../support/scale';

const on = serviceFixture({ SUBDOMAIN_HOLD_DAYS: '30', HELD_SUBDOMAINS_PER_ACCOUNT: '5' });
const owner = accountFixture(on);
const stranger = accountFixture(on);

const age = (time: string) =>
  on.database.query('UPDATE subdomains SET left_at = left_at - $1::interval WHERE project_id IS NULL', [time]);

const createProject = (subdomain: string, { key }: TestAccount) =>
  on.api('post', '/projects', key).send({ name: 'Another one', subdomain });

/** Creates a project, renames it until it had `names` subdomains, and deletes it. */
async function aDeletedProject(names = 1): Promise<{ project: ProjectBody; names: string[] }> {
  const project = await aProject(on, owner.key);
  const all = [project.subdomain];
  while (all.length < names) {
    all.push(unique('renamed'));
    await updated(on, owner.key, `/projects/${project.id}`, { subdomain: all.at(-1) });
  }
  await aDynamicLink(on, owner.key, project.id, { custom_path: 'sale' });
  await on.visit(all[0]!, '/sale').expect(302);
  await on.api('delete', `/projects/${project.id}`, owner.key).expect(200);
  return { project, names: all };
}

/** Creates projects and deletes them, and returns their subdomains, the oldest first. */
async function namesOfDeleted(count: number, { key }: TestAccount): Promise<string[]> {
  const names: string[] = [];
  while (names.length < count) {
    const { id, subdomain } = await aProject(on, key);
    names.push(subdomain);
    await on.api('delete', `/projects/${id}`, key).expect(200);
  }
  return names;
}

test('every subdomain of a deleted project is held for its account and returns 404', async () => {
  const { project, names } = await aDeletedProject(3);
  await untilPurged(on, project.id);
  const other = await aProject(on, stranger.key);
  for (const name of names) {
    const answer = await changingNothing(on, () => createProject(name, stranger));
    expect(answer).toBeRefusedWith('SUBDOMAIN_TAKEN');
    const { message } = (answer.body as { error: { message: string } }).error;
    expect(message).toBe(`The subdomain ${name} is reserved; choose another one`);
    const rename = () => on.api('put', `/projects/${other.id}`, stranger.key).send({ subdomain: name });
    expect(await changingNothing(on, rename)).toBeRefusedWith('SUBDOMAIN_TAKEN');
    await on.visit(name, '/sale').expect(404);
  }
});

test('an account can reuse its held subdomains at once, for a new project or another one', async () => {
  const { names } = await aDeletedProject(2);
  const other = await aProject(on, owner.key);
  await createProject(names[0]!, owner).expect(201);
  await on.api('put', `/projects/${other.id}`, owner.key).send({ subdomain: names[1] }).expect(200);
  for (const name of names) expect(await createProject(name, owner)).toBeRefusedWith('SUBDOMAIN_TAKEN');
});

test('a sweep removes expired holds and no others', async () => {
  const { names } = await aDeletedProject(2);
  const { project } = await aDeletedProject().then(async ({ names: [name] }) => ({
    project: (await createProject(name!, owner).expect(201)).body.data as ProjectBody,
  }));
  await updated(on, owner.key, `/projects/${project.id}`, { subdomain: unique('kept') });
  const rows = () =>
    on.database.query('SELECT name FROM subdomains WHERE name = ANY($1) OR project_id = $2', [names, project.id]);
  const purge = on.service.app.get(ProjectPurge);
  await age('29 days');
  await purge.sweep();
  expect(await rows()).toHaveLength(4);
  await age('2 days');
  await purge.sweep();
  // A former subdomain of a live project never expires.
  expect(await rows()).toHaveLength(2);
});

test.each(rounds(5))(
  'one of ten concurrent requests for a held subdomain gets it, from the account that holds it (round %d)',
  async () => {
    const { names } = await aDeletedProject();
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, at) => createProject(names[0]!, at % 2 ? owner : stranger)),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const [at, response] of responses.entries())
      if (at % 2 === 0 || response.status !== 201) expect(response).toBeRefusedWith('SUBDOMAIN_TAKEN');
  },
);

test.each(rounds(5))(
  'the subdomain of a project stays held while other accounts request it during the deletion (round %d)',
  async () => {
    const project = await aProject(on, owner.key);
    const [deletion, ...wanted] = await Promise.all([
      on.api('delete', `/projects/${project.id}`, owner.key),
      ...Array.from({ length: 8 }, () => createProject(project.subdomain, stranger)),
    ]);
    expect(deletion.status).toBe(200);
    for (const response of wanted) expect(response).toBeRefusedWith('SUBDOMAIN_TAKEN');
  },
);

test('an account over HELD_SUBDOMAINS_PER_ACCOUNT loses the subdomains held longest', async () => {
  const hoarder = await on.anAccount('enterprise');
  const names = await namesOfDeleted(8, hoarder);
  for (const name of names.slice(3)) expect(await createProject(name, stranger)).toBeRefusedWith('SUBDOMAIN_TAKEN');
  for (const name of names.slice(0, 3)) await createProject(name, stranger).expect(201);
});

test('a subdomain is free at once when SUBDOMAIN_HOLD_DAYS is 0', async () => {
  const withoutHold = await aServiceOfTest({ SUBDOMAIN_HOLD_DAYS: '0' });
  const { key } = await withoutHold.anAccount();
  const { id, subdomain } = await aProject(withoutHold, key);
  await withoutHold.api('delete', `/projects/${id}`, key).expect(200);
  await aProject(withoutHold, (await withoutHold.anAccount()).key, { subdomain });
});

test('the subdomains of a deleted account stay held until they expire', async () => {
  const leaving = await on.anAccount('enterprise');
  const { subdomain } = await aProject(on, leaving.key);
  await on.database.query('DELETE FROM accounts WHERE id = $1', [leaving.accountId]);
  for (const account of [owner, stranger])
    expect(await createProject(subdomain, account)).toBeRefusedWith('SUBDOMAIN_TAKEN');
  await age('31 days');
  await createProject(subdomain, stranger).expect(201);
});

test('a subdomain that a project claims while others are held beyond the limit stays with the project', async () => {
  const hoarder = await on.anAccount('enterprise');
  const held = await namesOfDeleted(5, hoarder);
  const [claiming, deleted] = [await aProject(on, hoarder.key), await aProject(on, hoarder.key)];
  await withTransaction(on.database, async (claim) => {
    await claim.query('UPDATE projects SET subdomain = $1 WHERE id = $2', [held[0], claiming.id]);
    const deletion = on.api('delete', `/projects/${deleted.id}`, hoarder.key).then(({ status }) => status);
    await untilLocked(on.database, 'DELETE FROM subdomains');
    await claim.query('COMMIT');
    expect(await deletion).toBe(200);
  });
  const owners = await on.database.query('SELECT project_id FROM subdomains WHERE name = $1', [held[0]]);
  expect(owners).toEqual([{ project_id: claiming.id }]);
});
