import type { PlannedLink } from '../model/import-row';

/** Holds the links that rows of a batch can meet, in the state that the rows before have given them. */
export class KnownLinks {
  readonly #byId = new Map<string, PlannedLink>();
  readonly #otherPaths: ReadonlySet<string>;

  /**
   * @param planned replace stored links with their id
   * @param takenPaths all paths that are in use; those that no link has belong to short links
   */
  constructor(stored: readonly PlannedLink[], takenPaths: readonly string[], planned: readonly PlannedLink[]) {
    const ownPaths = new Set(stored.map(({ path }) => path));
    this.#otherPaths = new Set(takenPaths.filter((path) => !ownPaths.has(path)));
    for (const link of [...stored, ...planned]) this.set(link);
  }

  withPath(path: string | null): PlannedLink | null {
    return this.#with('path', path);
  }

  withExternalId(externalId: string | null): PlannedLink | null {
    return this.#with('externalId', externalId);
  }

  /** Returns whether a short link has the path. */
  isTakenByOther(path: string | null): boolean {
    return path !== null && this.#otherPaths.has(path);
  }

  set(link: PlannedLink): void {
    this.#byId.set(link.id, link);
  }

  /** Finds a link of the batch. A batch has a hundred rows, so that an index would cost more than it saves. */
  #with(name: 'path' | 'externalId', value: string | null): PlannedLink | null {
    if (value === null) return null;
    return [...this.#byId.values()].findLast((link) => link[name] === value) ?? null;
  }
}
