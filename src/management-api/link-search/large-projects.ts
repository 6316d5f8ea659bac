import type { SearchedProject } from './link-search.repository';

/** Holds which projects are large, so that lists of other projects need no look-up. */
export abstract class LargeProjects {
  abstract set(projects: SearchedProject[]): void;
}
