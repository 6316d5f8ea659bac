import { LRUCache } from 'lru-cache';
import type { HtmlPage } from '../link-routing/pages/page';
import type { CachedLink, CachedProject } from './cached-models';

/** The rendered parts of a page. `Urls` are what a visit inserts. */
export interface RenderedPage<Urls> {
  render: (urls: Urls) => HtmlPage;
  /** The page of visits without parameters; undefined if it was not needed yet, or if it differs for each visit. */
  plain: HtmlPage | undefined;
}

interface Entry {
  rendered: RenderedPage<never>;
  projectVersion: number;
  linkVersion: number;
  size: number;
}

/**
 * Bytes of an entry beside its text: objects and closures.
 *
 * Measured: 6,300 bytes for a landing page, counted as 10,100, and 3,800 for a preview, counted as 4,300.
 */
const entryOverhead = 1400;

/**
 * Caches pages by site, path and variant. An entry has the versions of its project and link. References to these objects would
 * keep them in memory.
 */
export class PageCache {
  readonly counts = { hits: 0, misses: 0, evictions: 0, stale: 0 };
  readonly #entries: LRUCache<string, Entry>;

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ size }) => size });
  }

  /** @param key names site, path and variant of the page; the caller uses one type of URLs for each variant */
  get<Urls>(key: string, project: CachedProject, link: CachedLink): RenderedPage<Urls> | undefined {
    const entry = this.#entries.get(key);
    if (entry?.projectVersion !== project.version || entry.linkVersion !== link.version) {
      this.counts.misses++;
      return undefined;
    }
    this.counts.hits++;
    return entry.rendered as RenderedPage<Urls>;
  }

  /** @param example a page that `rendered` has rendered, of which the template has most of the text */
  set<Urls>(
    key: string,
    project: CachedProject,
    link: CachedLink,
    rendered: RenderedPage<Urls>,
    example: HtmlPage,
  ): void {
    const size = entryOverhead + 2 * key.length + example.memory + (rendered.plain?.memory ?? 0);
    const versions = { projectVersion: project.version, linkVersion: link.version };
    this.#entries.set(key, { rendered, ...versions, size });
  }

  get size(): number {
    return this.#entries.size;
  }
}
