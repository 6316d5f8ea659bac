import { LRUCache } from 'lru-cache';
import type { AssociationFile } from '../../link-paths/association-files/association-file';
import {
  appleAppSiteAssociation,
  assetLinks,
  filesDependOnLinks,
} from '../../link-routing/association-files/association-files';
import type { Clock } from '../../shared/clock';
import { isUnavailable } from '../../platform/postgres/database-error';
import type { CachedProject } from '../resolving/cached-models';
import type { PgVisitedLinkRepository } from '../resolving/pg-visited-link.repository';

/** How long links may change before the files show it. Caches on the way and phones keep the files longer. */
const maxAgeMs = 60_000;

export interface SentFile {
  content: Buffer;
  tag: string;
}

export interface SentFiles {
  readonly appleFile: SentFile;
  readonly androidFile: SentFile;
}

/**
 * Builds association files when a phone asks for one, because they need all links of the project. Caches them by the version of the
 * project, so that a change of the apps shows at once. While notifications are not received, each reading of a project is another
 * version, so that each request builds the files.
 * Measured: building takes 5 µs without apps, 27 µs with one app, and 1,300 µs with 1,000 links of two apps, beside two queries.
 */
export class AssociationFileCache {
  readonly counts = { hits: 0, misses: 0, evictions: 0, stale: 0 };
  readonly #files: LRUCache<number, SentFiles, CachedProject>;

  constructor(
    private readonly repository: Pick<PgVisitedLinkRepository, 'findOwnedPaths' | 'findWebPaths'>,
    clock: Clock,
    maxBytes: number,
  ) {
    this.#files = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: sizeOf,
      ttl: maxAgeMs,
      ttlResolution: 0,
      perf: clock,
      noDeleteOnStaleGet: true,
      fetchMethod: (_version, earlier, { context }) => this.#build(context, earlier),
    });
  }

  get size(): number {
    return this.#files.size;
  }

  /**
   * Returns the files of a project; synchronously if they are cached.
   * @throws the error of the database if no earlier files can be served
   */
  filesOf(project: CachedProject): SentFiles | Promise<SentFiles> {
    const known = this.#files.get(project.version);
    this.counts[known ? 'hits' : 'misses']++;
    return known ?? this.#files.forceFetch(project.version, { context: project });
  }

  /** @param earlier served while the database is unavailable, as long as the project is */
  async #build(project: CachedProject, earlier: SentFiles | undefined): Promise<SentFiles> {
    const hasApps = project.iosApps.size + project.androidApps.size > 0;
    try {
      const [links, web] = await Promise.all([
        filesDependOnLinks(project) ? this.repository.findOwnedPaths(project.id) : [],
        hasApps ? this.repository.findWebPaths(project.id) : undefined,
      ]);
      return {
        appleFile: toSentFile(appleAppSiteAssociation(project, links, web).file),
        androidFile: toSentFile(assetLinks(project, links, web).file),
      };
    } catch (error) {
      if (!earlier || !isUnavailable(error)) throw error;
      this.counts.stale++;
      return earlier;
    }
  }
}

function toSentFile({ json, tag }: AssociationFile): SentFile {
  // A slice of Node's shared pool would keep other contents of the pool alive.
  const content = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
  content.write(json);
  return { content, tag };
}

/** Estimates the bytes of an entry, with its objects. */
const sizeOf = ({ appleFile, androidFile }: SentFiles): number =>
  600 + appleFile.content.length + androidFile.content.length;
