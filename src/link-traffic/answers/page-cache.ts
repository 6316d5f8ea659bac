import { LRUCache } from 'lru-cache';
import type { HtmlPage } from '../../link-routing/pages/page';
import type { CachedLink, CachedProject } from '../resolving/cached-models';

interface Entry {
  page: HtmlPage;
  projectVersion: number;
  linkVersion: number;
  size: number;
}

/** Bytes of an entry beside its text. */
const entryOverhead = 600;

/**
 * Caches the pages of visits without parameters, by site, path and variant. An entry has the versions of its project and link. References to these objects would
 * keep them in memory.
 */
export class PageCache {
  readonly counts = { hits: 0, misses: 0, evictions: 0, stale: 0 };
  readonly #entries: LRUCache<string, Entry>;

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ size }) => size });
  }

  /** @param key names site, path and variant of the page */
  get(key: string, project: CachedProject, link: CachedLink): HtmlPage | undefined {
    const entry = this.#entries.get(key);
    if (entry?.projectVersion !== project.version || entry.linkVersion !== link.version) {
      this.counts.misses++;
      return undefined;
    }
    this.counts.hits++;
    return entry.page;
  }

  set(key: string, project: CachedProject, link: CachedLink, page: HtmlPage): void {
    const size = entryOverhead + 2 * key.length + page.memory;
    this.#entries.set(key, { page, projectVersion: project.version, linkVersion: link.version, size });
  }

  get size(): number {
    return this.#entries.size;
  }
}
