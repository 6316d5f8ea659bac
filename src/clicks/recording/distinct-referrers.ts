import { type Click, dayMs } from './click';

/** The referrer of clicks whose host is not counted by name. No host contains an asterisk. */
export const otherReferrer = '*';

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

interface Hosts {
  /** Days since 1970 (UTC). */
  day: number;
  /** Hosts of the last day with clicks. They count by name in addition to new ones, so that random hosts do not displace them. */
  usual: ReadonlySet<string>;
  /** Hosts that count by name today. */
  named: Set<string>;
  /** How many of them are not usual. */
  added: number;
}

/**
 * Limits the distinct referring hosts that this process writes for a project and a day. A visitor can send any host, and each
 * one would need rows in the sums. Forgetting hosts only loosens this limit; the one of the database stays.
 */
export class DistinctReferrers {
  #remembered = 0;
  readonly #projects = new Map<string, Hosts>();

  constructor(private readonly max = maxReferrersPerDay.project) {}

  get remembered(): number {
    return this.#remembered;
  }

  /** Returns the referrer of the click, or `otherReferrer` if the project has too many that day. */
  nameOf({ at, projectId, referrer }: Pick<Click, 'at' | 'projectId' | 'referrer'>): string | null {
    if (referrer === null) return null;
    const hosts = this.#hostsOf(projectId, Math.floor(at / dayMs));
    if (hosts.named.has(referrer)) return referrer;
    if (!hosts.usual.has(referrer)) {
      if (hosts.added >= this.max) return otherReferrer;
      hosts.added++;
    }
    hosts.named.add(referrer);
    this.#remembered++;
    return referrer;
  }

  /** Returns the hosts of the day. A clock that is set back over midnight does not begin another one; one that was far ahead does. */
  #hostsOf(projectId: string, day: number): Hosts {
    if (this.#remembered >= maxRemembered) {
      this.#remembered = 0;
      this.#projects.clear();
    }
    const last = this.#projects.get(projectId);
    if (last && (day === last.day || day === last.day - 1)) return last;
    const usual = last ? this.#usualAfter(last) : new Set<string>();
    if (last) this.#remembered += usual.size - last.usual.size - last.named.size;
    const hosts = { day, usual, named: new Set<string>(), added: 0 };
    this.#projects.set(projectId, hosts);
    return hosts;
  }

  /** Selects as many hosts as a day may add. Those that were usual before go first. */
  #usualAfter({ usual, named }: Hosts): Set<string> {
    const isUsual = (host: string) => usual.has(host);
    const hosts = [...named];
    return new Set([...hosts.filter(isUsual), ...hosts.filter((host) => !isUsual(host))].slice(0, this.max));
  }
}
