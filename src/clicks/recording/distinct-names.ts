import { dayMs } from './click';

/** The name that others count for, beyond the limits. No host and no version contains an asterisk. */
export const otherName = '*';

/**
 * The referring hosts that are counted by name, for each project or link and each day (UTC). The function `add_click_sums` has
 * the same numbers, because it applies them over all processes.
 */
export const maxReferrersPerDay = { project: 500, link: 100 };

/** The versions of apps that are counted by name, for each project and day (UTC) of a process. */
export const maxVersionsPerDay = 100;

/** A month has as many as this number of full days, so that its sums stay small too. */
export const maxFullDaysPerMonth = 5;

/** Some 20 MB. */
const maxRemembered = 100_000;

interface Names {
  /** Days since 1970 (UTC). */
  day: number;
  /** Names of the last day with clicks. They count in addition to new ones, so that random names do not displace them. */
  usual: ReadonlySet<string>;
  named: Set<string>;
  added: number;
}

/**
 * Limits the distinct names that this process writes for a project and a day. A visitor can send any referring host, and each one
 * would need rows in the sums. Forgetting names only loosens this limit; the one of the database stays.
 */
export class DistinctNames {
  #remembered = 0;
  readonly #projects = new Map<string, Names>();

  constructor(private readonly max = maxReferrersPerDay.project) {}

  get remembered(): number {
    return this.#remembered;
  }

  /**
   * Returns the name, or `otherName` if the project has too many that day.
   * @param at milliseconds since 1970
   */
  nameOf(projectId: string, at: number, name: string): string {
    const names = this.#namesOf(projectId, Math.floor(at / dayMs));
    if (names.named.has(name)) return name;
    if (!names.usual.has(name)) {
      if (names.added >= this.max) return otherName;
      names.added++;
    }
    names.named.add(name);
    this.#remembered++;
    return name;
  }

  /** Returns the names of the day. A clock that is set back over midnight does not begin another one; one that was far ahead does. */
  #namesOf(projectId: string, day: number): Names {
    if (this.#remembered >= maxRemembered) {
      this.#remembered = 0;
      this.#projects.clear();
    }
    const last = this.#projects.get(projectId);
    if (last && (day === last.day || day === last.day - 1)) return last;
    const usual = last ? this.#usualAfter(last) : new Set<string>();
    if (last) this.#remembered += usual.size - last.usual.size - last.named.size;
    const names = { day, usual, named: new Set<string>(), added: 0 };
    this.#projects.set(projectId, names);
    return names;
  }

  /** Selects as many names as a day may add. Those that were usual before go first. */
  #usualAfter({ usual, named }: Names): Set<string> {
    const isUsual = (name: string) => usual.has(name);
    const names = [...named];
    return new Set([...names.filter(isUsual), ...names.filter((name) => !isUsual(name))].slice(0, this.max));
  }
}
