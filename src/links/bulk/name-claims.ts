import type { DynamicLinkChanges } from '../dynamic-links/dynamic-link';
import { CustomPathExists, ExternalIdExists } from '../dynamic-links/dynamic-link.errors';
import type { NameOwners } from '../dynamic-links/dynamic-link.repository';

/** Decides which updates of a run may share a statement, by the paths and external ids that they set. */
export class NameClaims {
  readonly #claimed = { paths: new Set<string>(), externalIds: new Set<string>() };
  /** Links whose names earlier updates change, so that the names of before may be free. */
  readonly #changed = new Set<string>();

  /** @param owners those of the names before the run */
  constructor(private readonly owners: NameOwners) {}

  /**
   * Returns whether the result depends on an earlier update, because that one takes or leaves one of the names.
   * @throws ExternalIdExists, CustomPathExists if another link keeps the name
   */
  claim(id: string, { customPath, externalId }: DynamicLinkChanges): boolean {
    if (customPath === undefined && externalId === undefined) return false;
    const dependsOnId =
      typeof externalId === 'string' &&
      this.#dependsOn('externalIds', id, externalId, () => new ExternalIdExists(externalId));
    const dependsOnPath =
      customPath !== undefined && this.#dependsOn('paths', id, customPath, () => new CustomPathExists(customPath));
    if (typeof externalId === 'string') this.#claimed.externalIds.add(externalId);
    if (customPath !== undefined) this.#claimed.paths.add(customPath);
    this.#changed.add(id);
    return dependsOnId || dependsOnPath;
  }

  #dependsOn(kind: keyof NameOwners, id: string, name: string, refusal: () => Error): boolean {
    if (this.#claimed[kind].has(name)) return true;
    const owner = this.owners[kind].get(name);
    if (owner === undefined || owner === id) return false;
    if (this.#changed.has(owner)) return true;
    throw refusal();
  }
}
