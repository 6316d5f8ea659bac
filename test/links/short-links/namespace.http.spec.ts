import type { SignpostClient } from '../../../clients/typescript/src/index';
import { aDynamicLink, aProject, unique } from '../../support/builders';
import { aClient } from '../../support/client';
import { changingNothing } from '../../support/content';
import { aService, type TestAccount, type TestService } from '../../support/service';

let on: TestService;
let account: TestAccount;
let client: SignpostClient;
let projectId: string;
let linkId: string;
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  client = aClient(on, account.key);
  projectId = (await aProject(on, account.key)).id;
  linkId = (await aDynamicLink(on, account.key, projectId)).id;
});
afterAll(() => on.stop());

const createShortLink = (slug: string) =>
  client.POST('/projects/{projectId}/short-links', {
    params: { path: { projectId } },
    body: { dynamic_link_id: linkId, slug },
  });
const createLink = (custom_path: string) =>
  client.POST('/projects/{projectId}/links', {
    params: { path: { projectId } },
    body: { name: 'A link', custom_path },
  });
const changePath = (id: string, custom_path: string) =>
  client.PUT('/projects/{projectId}/links/{linkId}', {
    params: { path: { projectId, linkId: id } },
    body: { custom_path, name: 'Moved' },
  });

test('a slug that exists as a custom path returns SLUG_EXISTS', async () => {
  const { custom_path } = await aDynamicLink(on, account.key, projectId, { custom_path: unique('path') });
  expect(await createShortLink(custom_path)).toBeRefusedWith('SLUG_EXISTS');
});

test('a custom path that exists as a slug returns CUSTOM_PATH_EXISTS on create and update', async () => {
  const slug = unique('slug');
  await createShortLink(slug);
  expect(await createLink(slug)).toBeRefusedWith('CUSTOM_PATH_EXISTS');
  const other = await aDynamicLink(on, account.key, projectId);
  const update = () =>
    on.api('put', `/projects/${projectId}/links/${other.id}`, account.key).send({ custom_path: slug, name: 'Moved' });
  expect(await changingNothing(on, update)).toBeRefusedWith('CUSTOM_PATH_EXISTS');
  // The same applies to a slug of the link itself.
  expect(await changePath(linkId, slug)).toBeRefusedWith('CUSTOM_PATH_EXISTS');
});

test.each(['enterprise', 'pro'] as const)(
  'one of 30 concurrent creations with the same path succeeds, on the %s plan',
  async (plan) => {
    await on.setPlan(account.accountId, plan);
    for (let round = 0; round < 3; round++) {
      const name = unique('race');
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, at) => (at % 2 ? createShortLink(name) : createLink(name))),
      );
      expect(answers.filter(({ response }) => response.status === 201)).toHaveLength(1);
      for (const [at, answer] of answers.entries())
        if (answer.response.status !== 201)
          expect(answer).toBeRefusedWith(at % 2 ? 'SLUG_EXISTS' : 'CUSTOM_PATH_EXISTS');
      const rows = await on.database.query('SELECT path FROM link_paths WHERE project_id = $1 AND path = $2', [
        projectId,
        name,
      ]);
      expect(rows).toHaveLength(1);
    }
  },
);

test('one of 30 concurrent updates and creations with the same path succeeds', async () => {
  const name = unique('race');
  const links = await Promise.all(Array.from({ length: 15 }, () => aDynamicLink(on, account.key, projectId)));
  const answers = await Promise.all([
    ...links.map(({ id }) => changePath(id, name)),
    ...Array.from({ length: 15 }, () => createShortLink(name)),
  ]);
  const refused = answers.filter(({ response }) => response.status >= 300);
  expect(refused).toHaveLength(29);
  for (const answer of refused)
    expect(answer).toBeRefusedWith(answers.indexOf(answer) < 15 ? 'CUSTOM_PATH_EXISTS' : 'SLUG_EXISTS');
});
