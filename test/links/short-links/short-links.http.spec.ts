import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import { aDynamicLink, aProject, aShortLink, dataAt, unique } from '../../support/builders';
import { scaled } from '../../support/scale';
import { accountFixture, projectFixture, serviceFixture, fixture } from '../../support/fixtures';
import type { LinkPath } from '../../../src/link-paths/paths/custom-path';
import { ShortLink, SlugExists } from '../../../src/links/short-links/short-link';
import { PgShortLinkRepository } from '../../../src/links/short-links/pg-short-link.repository';
import { FakeShortLinks } from './fake-short-links';

const on = serviceFixture();
const account = accountFixture(on);
const project = projectFixture(on, account);
const link = fixture(() => aDynamicLink(on, account.key, project.id, { custom_path: 'path' }));
beforeAll(() => aShortLink(on, account.key, project.id, link.id, { slug: 'slug' }));

const create = (body: { dynamic_link_id: string; slug?: string }, projectId = project.id) =>
  on.api('post', `/projects/${projectId}/short-links`, account.key).send(body);
const read = (id: string) => dataAt(on, account.key, `/projects/${project.id}/short-links/${id}`);

test('created_by_api_key_id names the creating key, even after its revocation', async () => {
  const keys = on.service.app.get(ApiKeysService);
  const second = await keys.create(account.accountId, 'Second', null);
  const made = await aShortLink(on, second.secret, project.id, link.id);
  expect(made).toMatchObject({ source: 'api', created_by: account.userId, created_by_api_key_id: second.id });
  await keys.revoke(second.id);
  expect(await read(made.id)).toEqual(made);
});

test('created_by is null for a short link without a creator', async () => {
  const [row] = await on.database.query<{ id: string }>(
    `INSERT INTO short_links (id, project_id, dynamic_link_id, slug, source)
     VALUES (gen_random_uuid(), $1, $2, 'from-dashboard', 'dashboard') RETURNING id`,
    [project.id, link.id],
  );
  expect(await read(row!.id)).toMatchObject({ source: 'dashboard', created_by: null, created_by_api_key_id: null });
});

describe('a deletion', () => {
  const rowCounts = async (projectId: string) => {
    const [row] = await on.database.query<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM short_links WHERE project_id = $1) AS short_links,
              (SELECT count(*)::int FROM link_paths WHERE project_id = $1) AS paths,
              (SELECT coalesce(sum(short_links), 0)::int FROM project_counts WHERE project_id = $1) AS counted`,
      [projectId],
    );
    return row;
  };

  test('of a dynamic link concurrent with creations of its short links leaves no rows', async () => {
    const own = await aProject(on, account.key);
    for (let round = 0; round < scaled(200); round++) {
      const link = await aDynamicLink(on, account.key, own.id);
      const [deletion, ...creates] = await Promise.all([
        on.api('delete', `/projects/${own.id}/links/${link.id}`, account.key),
        ...Array.from({ length: 6 }, () => create({ dynamic_link_id: link.id }, own.id)),
      ]);
      expect(deletion.status).toBe(200);
      for (const answer of creates) if (answer.status !== 201) expect(answer).toBeRefusedWith('NOT_FOUND');
    }
    expect(await rowCounts(own.id)).toEqual({ short_links: 0, paths: 0, counted: 0 });
  });
});

const createShortLink = (slug: string) => create({ dynamic_link_id: link.id, slug });
const createLink = (custom_path: string) =>
  on.api('post', `/projects/${project.id}/links`, account.key).send({ name: 'A link', custom_path });

test.each(['enterprise', 'pro'] as const)(
  'one of 30 concurrent creations with the same path succeeds, on the %s plan',
  async (plan) => {
    await on.setPlan(account.accountId, plan);
    for (let round = 0; round < 2; round++) {
      const name = unique('race');
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, at) => (at % 2 ? createShortLink(name) : createLink(name))),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const [at, answer] of answers.entries())
        if (answer.status !== 201) expect(answer).toBeRefusedWith(at % 2 ? 'SLUG_EXISTS' : 'CUSTOM_PATH_EXISTS');
      const sql = 'SELECT path FROM link_paths WHERE project_id = $1 AND path = $2';
      const rows = await on.database.query(sql, [project.id, name]);
      expect(rows).toHaveLength(1);
    }
  },
);

type Subject = Pick<PgShortLinkRepository, 'insert' | 'findFree'>;

/** The promises of the port to creation, which PostgreSQL's adapter and the fake both keep. */
describe.each<[string, () => Subject]>([
  ['PostgreSQL', () => on.service.app.get(PgShortLinkRepository, { strict: false })],
  ['the fake', () => new FakeShortLinks((path) => ['path', 'slug'].includes(path))],
])('%s', (subjectName, make) => {
  let subject: Subject;
  beforeAll(() => (subject = make()));

  const findFree = (...candidates: string[]) => subject.findFree(project.id, candidates as LinkPath[]);
  const insert = (slug: string) =>
    subject.insert(
      ShortLink.create({ projectId: project.id, dynamicLinkId: link.id, slug: slug as LinkPath }, account),
    );
  const own = `own-${subjectName === 'PostgreSQL' ? 'p' : 'f'}`;

  test('finds the first candidate that is neither a slug nor a custom path, if there is one', async () => {
    expect(await findFree('slug', 'free', 'path')).toBe('free');
    expect(await findFree('slug', 'path')).toBeNull();
    expect(await findFree()).toBeNull();
  });

  test('inserts a link with its times, whose slug is taken from then on', async () => {
    expect(await insert(own)).toMatchObject({
      projectId: project.id,
      dynamicLinkId: link.id,
      slug: own,
      source: 'api',
      createdBy: account.userId,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    expect(await findFree(own)).toBeNull();
    await expect(insert(own)).rejects.toBeInstanceOf(SlugExists);
  });

  test.each(['slug', 'path'])('refuses a taken %s', async (taken) => {
    await expect(insert(taken)).rejects.toBeInstanceOf(SlugExists);
  });
});
