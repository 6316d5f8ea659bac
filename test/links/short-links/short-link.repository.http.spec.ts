import type { LinkPath } from '../../../src/link-paths/paths/custom-path';
import { ShortLink, SlugExists } from '../../../src/links/short-links/short-link';
import { PgShortLinkRepository } from '../../../src/links/short-links/pg-short-link.repository';
import { aDynamicLink, aProject, aShortLink } from '../../support/builders';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { FakeShortLinks } from './fake-short-links';

/** The promises of the port to creation, which PostgreSQL's adapter and the fake both keep. */
let on: TestService;
let account: TestAccount;
let projectId: string;
let dynamicLinkId: string;
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  projectId = (await aProject(on, account.key)).id;
  dynamicLinkId = (await aDynamicLink(on, account.key, projectId, { custom_path: 'path' })).id;
  await aShortLink(on, account.key, projectId, dynamicLinkId, { slug: 'slug' });
});
afterAll(() => on.stop());

type Subject = Pick<PgShortLinkRepository, 'insert' | 'findFree'>;

describe.each<[string, () => Subject]>([
  ['PostgreSQL', () => on.service.app.get(PgShortLinkRepository, { strict: false })],
  ['the fake', () => new FakeShortLinks((path) => ['path', 'slug'].includes(path))],
])('%s', (subjectName, make) => {
  let subject: Subject;
  beforeAll(() => (subject = make()));

  const findFree = (...candidates: string[]) => subject.findFree(projectId, candidates as LinkPath[]);
  const insert = (slug: string) =>
    subject.insert(ShortLink.create({ projectId, dynamicLinkId, slug: slug as LinkPath }, account));
  const own = `own-${subjectName === 'PostgreSQL' ? 'p' : 'f'}`;

  test('finds a candidate that is neither a slug nor a custom path', async () => {
    expect(await findFree('slug', 'free', 'path')).toBe('free');
  });

  test('finds nothing if all candidates are taken, and in an empty list', async () => {
    expect(await findFree('slug', 'path')).toBeNull();
    expect(await findFree()).toBeNull();
  });

  test('inserts a link with its times, whose slug is taken from then on', async () => {
    expect(await insert(own)).toMatchObject({
      projectId,
      dynamicLinkId,
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

test('a slug of one project is free in another', async () => {
  const other = (await aProject(on, account.key)).id;
  const links = on.service.app.get(PgShortLinkRepository, { strict: false });
  expect(await links.findFree(other, ['slug' as LinkPath])).toBe('slug');
});
