import { LRUCache } from 'lru-cache';
import { digestOfPath } from '../../links/pictures/picture';
import type { PgServedPictures } from '../../links/pictures/pg-served-pictures';
import type { Exchange } from '../exchange';
import type { CachedProject } from '../resolving/cached-models';
import { flushResponses } from './flush-responses';

/** How long a removed picture is still sent. */
const maxAgeMs = 60_000;

/** How long an address without a picture is not looked up again, and how many of these are known. */
const missing = { ttl: 10_000, max: 10_000 };

/** Sends pictures of links. Pages show them to each visitor, so the latest are cached. Requests for the same picture share a read. */
export class LinkPictures {
  readonly counts = { hits: 0, misses: 0, evictions: 0, stale: 0 };
  readonly #cached: LRUCache<string, Buffer>;
  readonly #missing = new LRUCache<string, true>(missing);

  constructor(pictures: PgServedPictures, maxBytes: number) {
    this.#cached = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ length }) => length + 250,
      ttl: maxAgeMs,
      dispose: (_value, _key, reason) => void (reason === 'evict' && this.counts.evictions++),
      fetchMethod: async (key) => {
        const picture = await pictures.find(...(key.split('/') as [string, string]));
        if (!picture) this.#missing.set(key, true);
        return picture ?? undefined;
      },
    });
  }

  get size(): number {
    return this.#cached.size;
  }

  /** Returns false if the project has no picture with this path. */
  async send({ request, response, requestId }: Exchange, project: CachedProject, path: string): Promise<boolean> {
    const digest = digestOfPath(path);
    const picture = digest === null ? undefined : await this.#pictureOf(`${project.id}/${digest}`);
    if (!picture) return false;
    response.writeHead(200, {
      'X-Request-Id': requestId,
      // The address has the digest of the bytes.
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Type': 'image/jpeg',
      'Content-Length': picture.length,
      'X-Content-Type-Options': 'nosniff',
      // Other sites may show it, as those that show previews of links do.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    flushResponses(response, request.method === 'HEAD' ? undefined : picture);
    return true;
  }

  #pictureOf(key: string): Promise<Buffer | undefined> | Buffer | undefined {
    const known = this.#cached.get(key);
    const isMissing = !known && this.#missing.has(key);
    this.counts[known || isMissing ? 'hits' : 'misses']++;
    return known ?? (isMissing ? undefined : this.#cached.fetch(key));
  }
}
