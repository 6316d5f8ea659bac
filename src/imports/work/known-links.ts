import type { PlannedLink } from '../model/import-row';

/** Holds the links that rows of a batch can meet, in the state that the rows before have given them. */
export class KnownLinks {
  readonly #byId = new Map<string, PlannedLink>();
  readonly #byPath = new Map<string, PlannedLink>();
  readonly #byExternalId = new Map<string, PlannedLink>();
  readonly #otherPaths: ReadonlySet<string>;

  /**
   * @param links the later ones replace earlier ones with their id
   * @param takenPaths all paths that are in use; those that no link has belong to short links
   */
  constructor(stored: readonly PlannedLink[], takenPaths: readonly string[], planned: readonly PlannedLink[]) {
    for (const link of stored) this.set(link);
    this.#otherPaths = new Set(takenPaths.filter((path) => !this.#byPath.has(path)));
    for (const link of planned) this.#remove(link.id);
    for (const link of planned) this.set(link);
  }

  withPath(path: string | null): PlannedLink | null {
    return path === null ? null : (this.#byPath.get(path) ?? null);
  }

  withExternalId(externalId: string | null): PlannedLink | null {
    return externalId === null ? null : (this.#byExternalId.get(externalId) ?? null);
  }

  /** Returns whether a short link has the path. */
  isTakenByOther(path: string | null): boolean {
    return path !== null && this.#otherPaths.has(path);
  }

  set(link: PlannedLink): void {
    this.#remove(link.id);
    this.#byId.set(link.id, link);
    if (link.path !== null) this.#byPath.set(link.path, link);
    if (link.externalId !== null) this.#byExternalId.set(link.externalId, link);
  }

  #remove(id: string): void {
    const link = this.#byId.get(id);
    if (!link) return;
    this.#byId.delete(id);
    if (link.path !== null) this.#byPath.delete(link.path);
    if (link.externalId !== null) this.#byExternalId.delete(link.externalId);
  }
}
