import type { LinkPath } from '../../../src/link-paths/paths/custom-path';
import { type NewShortLink, type ShortLink, SlugExists } from '../../../src/links/short-links/short-link';
import type { PgShortLinkRepository } from '../../../src/links/short-links/pg-short-link.repository';

/** Implements in memory, for one project, the part of the port that the creation of short links needs. */
export class FakeShortLinks implements Pick<PgShortLinkRepository, 'insert' | 'findFree'> {
  readonly candidates: LinkPath[][] = [];
  readonly refused: LinkPath[] = [];
  readonly #inserted = new Set<LinkPath>();

  /**
   * @param isTaken whether a link had the path before
   * @param races how many free slugs another request takes between the look-up and the insert
   */
  constructor(
    private readonly isTaken: (path: LinkPath) => boolean,
    private races = 0,
  ) {}

  async findFree(_: string, candidates: LinkPath[]): Promise<LinkPath | null> {
    this.candidates.push(candidates);
    return candidates.find((candidate) => !this.#has(candidate)) ?? null;
  }

  async insert(link: NewShortLink): Promise<ShortLink> {
    if (this.races-- > 0) this.#inserted.add(link.slug);
    if (this.#has(link.slug)) {
      this.refused.push(link.slug);
      throw new SlugExists(link.slug);
    }
    this.#inserted.add(link.slug);
    return Object.assign(link, { createdAt: new Date(), updatedAt: new Date() });
  }

  #has(path: LinkPath): boolean {
    return this.isTaken(path) || this.#inserted.has(path);
  }
}
