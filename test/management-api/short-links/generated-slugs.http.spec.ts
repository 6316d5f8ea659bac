import type { Caller } from '../../../src/management-api/accounts/caller';
import type { DynamicLinkRepository } from '../../../src/management-api/dynamic-links/dynamic-link.repository';
import type { LinkPath } from '../../../src/management-api/link-paths/custom-path';
import type { Project } from '../../../src/management-api/projects/project';
import { drawSlugs, type NewShortLink, type ShortLink, slug } from '../../../src/management-api/short-links/short-link';
import { SlugExists } from '../../../src/management-api/short-links/short-link.errors';
import { UnitOfWork } from '../../../src/shared/unit-of-work';
import { ShortLinkRepository } from '../../../src/management-api/short-links/short-link.repository';
import { ShortLinksService } from '../../../src/management-api/short-links/short-links.service';
import { aDynamicLink, aProject, aShortLink } from '../../support/builders';
import { aService } from '../../support/service';

const project = { id: 'project' } as Project;
const caller = { userId: 'user', apiKeyId: 'key' } as Caller;
const dynamicLinks = { findProjectOf: async () => project.id } as unknown as DynamicLinkRepository;

/** Every name up to a length is taken, and the first few inserts find somebody else there first. */
class CrowdedNames extends ShortLinkRepository {
  readonly asked: LinkPath[][] = [];
  readonly refused: LinkPath[] = [];

  constructor(
    private readonly takenUpTo: number,
    private lost = 0,
  ) {
    super();
  }

  override async findFree(_: string, candidates: LinkPath[]): Promise<LinkPath | null> {
    this.asked.push(candidates);
    return candidates.find((candidate) => candidate.length > this.takenUpTo) ?? null;
  }

  override async insert(link: NewShortLink): Promise<ShortLink> {
    if (this.lost-- > 0) {
      this.refused.push(link.slug);
      throw new SlugExists(link.slug);
    }
    return link as ShortLink;
  }

  override find = () => Promise.reject(new Error('not asked for'));
  override findForUpdate = () => Promise.reject(new Error('not asked for'));
  override list = () => Promise.reject(new Error('not asked for'));
  override delete = () => Promise.reject(new Error('not asked for'));
}

/** Nothing to undo: there is no transaction. */
class NoTransaction extends UnitOfWork {
  override run = <T>(work: () => Promise<T>): Promise<T> => work();
  override attempt = <T>(write: () => Promise<T>): Promise<T> => write();
}

const serviceOf = (names: CrowdedNames) => new ShortLinksService(names, dynamicLinks, new NoTransaction());

const generate = (names: CrowdedNames) => serviceOf(names).create(project, caller, 'link', undefined);

test.each([
  [3, 4],
  [4, 5],
  [7, 8],
  [19, 20],
])('with every name of up to %d characters taken it has %d', async (takenUpTo, length) => {
  const names = new CrowdedNames(takenUpTo);
  const made = await generate(names);
  expect(made.slug).toHaveLength(length);
  expect(slug.tryParse(made.slug)).toBe(made.slug);
  expect(names.asked.map(([candidate]) => candidate!.length)).toEqual(
    Array.from({ length: length - 3 }, (_, at) => 4 + at),
  );
});

test('it does not fail even where none of the longest that were drawn is free', async () => {
  expect((await generate(new CrowdedNames(20))).slug).toHaveLength(20);
  expect((await generate(new CrowdedNames(20, 5))).slug).toHaveLength(20);
});

test.each([1, 2, 10])('taken %d times between the look and the insert, it is drawn again as long', async (lost) => {
  const names = new CrowdedNames(5, lost);
  const made = await generate(names);
  expect(made.slug).toHaveLength(6);
  expect(names.refused.map((refused) => refused.length)).toEqual(Array<number>(lost).fill(6));
  expect(names.refused).not.toContain(made.slug);
});

test('a slug that was asked for is not drawn again', async () => {
  const service = serviceOf(new CrowdedNames(0, 1));
  await expect(service.create(project, caller, 'link', 'mine' as LinkPath)).rejects.toBeInstanceOf(SlugExists);
});

test.each([4, 9, 20])('draws of %d characters are distinct slugs over the whole alphabet', (length) => {
  const drawn = drawSlugs(length, 400);
  expect(new Set(drawn).size).toBe(400);
  for (const one of drawn) expect(one).toMatch(new RegExp(`^[0-9a-z]{${length}}$`));
  expect(new Set(drawn.join('')).size).toBe(36);
});

test('the database tells a free name from a slug and from a custom path, in one project', async () => {
  const on = await aService();
  try {
    const { key } = await on.anAccount();
    const own = (await aProject(on, key)).id;
    const other = (await aProject(on, key)).id;
    const link = await aDynamicLink(on, key, own, { custom_path: 'path' });
    await aShortLink(on, key, own, link.id, { slug: 'slug' });
    const names = on.service.app.get(ShortLinkRepository);
    const free = (projectId: string, ...candidates: string[]) => names.findFree(projectId, candidates as LinkPath[]);
    expect(await free(own, 'slug', 'path')).toBeNull();
    expect(await free(own, 'slug', 'free', 'path')).toBe('free');
    expect(await free(other, 'slug')).toBe('slug');
    expect(await free(own)).toBeNull();
  } finally {
    await on.stop();
  }
});
