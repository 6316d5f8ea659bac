import { LRUCache } from 'lru-cache';
import {
  appleAppSiteAssociation,
  assetLinks,
  filesDependOnLinks,
} from '../../link-routing/association-files/association-files';
import type { Clock } from '../../shared/clock';
import { tagOf } from '../../shared/entity-tag';
import { isUnavailable } from '../../platform/postgres/database-error';
import { type CachedProject, type SentFiles, toSentFile } from '../resolving/cached-models';
import type { PgVisitedLinkRepository } from '../resolving/pg-visited-link.repository';

/** How long links may change before the files show it. Caches on the way and phones keep the files longer. */
const maxAgeMs = 60_000;

const staleTtlMs = 60 * 60_000;

interface Entry {
  files: SentFiles;
  apps: string;
  builtAt: number;
}

/**
 * Builds and caches the association files of projects with apps, which depend on links. They are built when a phone asks for one, not when a visitor
 * reads the project, because they need all links. All sites of a project share them. The apps tell whether an entry is current,
 * because each site has another version of the project. So a change of the apps shows at once.
 */
export class AssociationFileCache {
  readonly counts = { hits: 0, misses: 0, evictions: 0, stale: 0 };
  readonly #entries: LRUCache<string, Entry>;
  readonly #pending = new Map<string, Promise<SentFiles>>();
  /** The tags of the apps of cached projects. */
  readonly #tags = new WeakMap<CachedProject, string>();

  constructor(
    private readonly repository: Pick<PgVisitedLinkRepository, 'findOwnedPaths' | 'findWebPaths'>,
    private readonly clock: Clock,
    maxBytes: number,
  ) {
    this.#entries = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ files }) => sizeOf(files) });
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Returns the files of a project; synchronously if they are cached.
   * @throws the error of the database if no earlier files can be served
   */
  filesOf(project: CachedProject): SentFiles | Promise<SentFiles> {
    const apps = this.#tagOf(project);
    const entry = this.#entries.get(project.id);
    if (entry?.apps === apps && this.clock.now() - entry.builtAt < maxAgeMs) {
      this.counts.hits++;
      return entry.files;
    }
    this.counts.misses++;
    // The tag is part of the key, so that files of an earlier state are not joined.
    const key = `${apps} ${project.id}`;
    const pending =
      this.#pending.get(key) ?? this.#build(project, apps, entry).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  #tagOf(project: CachedProject): string {
    const known = this.#tags.get(project);
    if (known !== undefined) return known;
    const tag = tagOf(JSON.stringify([[...project.iosApps], [...project.androidApps]]));
    this.#tags.set(project, tag);
    return tag;
  }

  async #build(project: CachedProject, apps: string, earlier: Entry | undefined): Promise<SentFiles> {
    const builtAt = this.clock.now();
    try {
      const [links, web] = await Promise.all([
        filesDependOnLinks(project) ? this.repository.findOwnedPaths(project.id) : [],
        this.repository.findWebPaths(project.id),
      ]);
      const files = {
        appleFile: toSentFile(appleAppSiteAssociation(project, links, web).file),
        androidFile: toSentFile(assetLinks(project, links, web).file),
      };
      this.#entries.set(project.id, { files, apps, builtAt });
      return files;
    } catch (error) {
      if (!earlier || !isUnavailable(error) || builtAt - earlier.builtAt > staleTtlMs) throw error;
      this.counts.stale++;
      return earlier.files;
    }
  }
}

/** Estimates the bytes of an entry, with its objects. */
const sizeOf = ({ appleFile, androidFile }: SentFiles): number =>
  600 + appleFile.content.length + androidFile.content.length;
