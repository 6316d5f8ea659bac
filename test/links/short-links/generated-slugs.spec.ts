import type { Caller } from '../../../src/tenancy/accounts/caller';
import type { DynamicLinkRepository } from '../../../src/links/dynamic-links/dynamic-link.repository';
import type { LinkPath } from '../../../src/link-paths/paths/custom-path';
import type { Project } from '../../../src/links/projects/project';
import { drawSlugs, slug } from '../../../src/links/short-links/slug';
import { SlugExists } from '../../../src/links/short-links/short-link';
import { UnitOfWork } from '../../../src/shared/unit-of-work';
import type { PgShortLinkRepository } from '../../../src/links/short-links/pg-short-link.repository';
import { ShortLinksService } from '../../../src/links/short-links/short-links.service';
import { FakeShortLinks } from './fake-short-links';

const project = { id: 'project' } as Project;
const caller = { userId: 'user', apiKeyId: 'key' } as Caller;
const dynamicLinks = { findProjectOf: async () => project.id } as unknown as DynamicLinkRepository;

/** Every slug of up to this many characters is taken, and the first few inserts lose a race. */
const crowded = (takenUpTo: number, races = 0) => new FakeShortLinks((slug) => slug.length <= takenUpTo, races);

/** Nothing to undo: there is no transaction. */
class NoTransaction extends UnitOfWork {
  override run = <T>(work: () => Promise<T>): Promise<T> => work();
  override runAs = <T>(_: unknown, work: () => Promise<T>): Promise<T> => work();
  override attempt = <T>(write: () => Promise<T>): Promise<T> => write();
  override afterCommit = (work: () => void): void => work();
}

const serviceOf = (names: FakeShortLinks) =>
  new ShortLinksService(names as unknown as PgShortLinkRepository, dynamicLinks, new NoTransaction(), {
    perDynamicLink: Infinity,
  });

const generate = (names: FakeShortLinks) => serviceOf(names).create(project, caller, 'link', undefined);

test.each([
  [3, 4],
  [4, 5],
  [7, 8],
  [19, 20],
])('with every name of up to %d characters taken it has %d', async (takenUpTo, length) => {
  const names = crowded(takenUpTo);
  const made = await generate(names);
  expect(made.slug).toHaveLength(length);
  expect(slug.tryParse(made.slug)).toBe(made.slug);
  expect(names.candidates.map(([candidate]) => candidate!.length)).toEqual(
    Array.from({ length: length - 3 }, (_, at) => 4 + at),
  );
});

test('it does not give up where all longest slugs of a draw are taken', async () => {
  const lookups = 20 - 4 + 1;
  const names: FakeShortLinks = new FakeShortLinks(() => names.candidates.length <= lookups);
  expect((await generate(names)).slug).toHaveLength(20);
  expect(names.refused).toHaveLength(1);
});

test.each([1, 2, 10])('taken %d times between the look and the insert, it is drawn again as long', async (lost) => {
  const names = crowded(5, lost);
  const made = await generate(names);
  expect(made.slug).toHaveLength(6);
  expect(names.refused.map((refused) => refused.length)).toEqual(Array<number>(lost).fill(6));
  expect(names.refused).not.toContain(made.slug);
});

test('a slug that was asked for is not drawn again', async () => {
  const service = serviceOf(crowded(0, 1));
  await expect(service.create(project, caller, 'link', 'mine' as LinkPath)).rejects.toBeInstanceOf(SlugExists);
});

test.each([4, 9, 20])('draws of %d characters are distinct slugs over the whole alphabet', (length) => {
  const drawn = drawSlugs(length, 400);
  expect(new Set(drawn).size).toBe(400);
  for (const one of drawn) expect(one).toMatch(new RegExp(`^[0-9a-z]{${length}}$`));
  expect(new Set(drawn.join('')).size).toBe(36);
});
