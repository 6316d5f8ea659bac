import type { Caller } from '../../../src/management-api/accounts/caller';
import type { DynamicLinkRepository } from '../../../src/management-api/dynamic-links/dynamic-link.repository';
import type { LinkPath } from '../../../src/management-api/link-paths/custom-path';
import type { Project } from '../../../src/management-api/projects/project';
import { drawSlugs, type NewShortLink, ShortLink, slug } from '../../../src/management-api/short-links/short-link';
import { SlugExists } from '../../../src/management-api/short-links/short-link.errors';
import { UnitOfWork } from '../../../src/shared/unit-of-work';
import { ShortLinkRepository } from '../../../src/management-api/short-links/short-link.repository';
import { ShortLinksService } from '../../../src/management-api/short-links/short-links.service';
import { aDynamicLink, aProject, aShortLink } from '../../support/builders';
import { aService } from '../../support/service';

const project = { id: 'project' } as Project;
const caller = { userId: 'user', apiKeyId: 'key' } as Caller;
const dynamicLinks = { findProjectOf: async () => project.id } as unknown as DynamicLinkRepository;

/** A fake in which every slug up to a length exists and the first inserts fail with SlugExists. */
class OccupiedSlugs extends ShortLinkRepository {
  readonly candidates: LinkPath[][] = [];
  readonly refused: LinkPath[] = [];

  constructor(
    private readonly occupiedLength: number,
    private failingInserts = 0,
  ) {
    super();
  }

  override async findFree(_: string, candidates: LinkPath[]): Promise<LinkPath | null> {
    this.candidates.push(candidates);
    return candidates.find((candidate) => candidate.length > this.occupiedLength) ?? null;
  }

  override async insert(link: NewShortLink): Promise<ShortLink> {
    if (this.failingInserts-- > 0) {
      this.refused.push(link.slug);
      throw new SlugExists(link.slug);
    }
    return Object.assign(new ShortLink(), link);
  }

  override find = () => Promise.reject(new Error('not implemented'));
  override findForUpdate = () => Promise.reject(new Error('not implemented'));
  override list = () => Promise.reject(new Error('not implemented'));
  override delete = () => Promise.reject(new Error('not implemented'));
}

/** Runs the work without a transaction. */
class NoTransaction extends UnitOfWork {
  override run = <T>(work: () => Promise<T>): Promise<T> => work();
  override attempt = <T>(write: () => Promise<T>): Promise<T> => write();
}

const serviceOf = (repository: OccupiedSlugs) => new ShortLinksService(repository, dynamicLinks, new NoTransaction());

const createWithGeneratedSlug = (repository: OccupiedSlugs) =>
  serviceOf(repository).create(project, caller, 'link', undefined);

test.each([
  [3, 4],
  [4, 5],
  [7, 8],
  [19, 20],
])('with every slug of up to %d characters in use, a generated slug has %d', async (occupiedLength, length) => {
  const repository = new OccupiedSlugs(occupiedLength);
  const made = await createWithGeneratedSlug(repository);
  expect(made.slug).toHaveLength(length);
  expect(slug.tryParse(made.slug)).toBe(made.slug);
  expect(repository.candidates.map(([candidate]) => candidate!.length)).toEqual(
    Array.from({ length: length - 3 }, (_, at) => 4 + at),
  );
});

test('a slug is generated even if no candidate of the maximum length is free', async () => {
  expect((await createWithGeneratedSlug(new OccupiedSlugs(20))).slug).toHaveLength(20);
  expect((await createWithGeneratedSlug(new OccupiedSlugs(20, 5))).slug).toHaveLength(20);
});

test.each([1, 2, 10])(
  'a generated slug that collides %d times on insert is replaced by one of the same length',
  async (collisions) => {
    const repository = new OccupiedSlugs(5, collisions);
    const made = await createWithGeneratedSlug(repository);
    expect(made.slug).toHaveLength(6);
    expect(repository.refused.map((refused) => refused.length)).toEqual(Array<number>(collisions).fill(6));
    expect(repository.refused).not.toContain(made.slug);
  },
);

test('a requested slug that exists is not replaced by a generated one', async () => {
  const service = serviceOf(new OccupiedSlugs(0, 1));
  await expect(service.create(project, caller, 'link', 'mine' as LinkPath)).rejects.toBeInstanceOf(SlugExists);
});

test.each([4, 9, 20])('drawSlugs returns distinct slugs of %d characters that use the whole alphabet', (length) => {
  const drawn = drawSlugs(length, 400);
  expect(new Set(drawn).size).toBe(400);
  for (const one of drawn) expect(one).toMatch(new RegExp(`^[0-9a-z]{${length}}$`));
  expect(new Set(drawn.join('')).size).toBe(36);
});

test('findFree skips the slugs and custom paths of the project', async () => {
  const on = await aService();
  try {
    const { key } = await on.anAccount();
    const own = (await aProject(on, key)).id;
    const other = (await aProject(on, key)).id;
    const link = await aDynamicLink(on, key, own, { custom_path: 'path' });
    await aShortLink(on, key, own, link.id, { slug: 'slug' });
    const repository = on.service.app.get(ShortLinkRepository);
    const free = (projectId: string, ...candidates: string[]) =>
      repository.findFree(projectId, candidates as LinkPath[]);
    expect(await free(own, 'slug', 'path')).toBeNull();
    expect(await free(own, 'slug', 'free', 'path')).toBe('free');
    expect(await free(other, 'slug')).toBe('slug');
    expect(await free(own)).toBeNull();
  } finally {
    await on.stop();
  }
});
