import { type Click, dayMs } from './click';

/** The referrer of clicks whose host is not counted by name. No host contains an asterisk. */
export const otherReferrer = '*';

/**
 * The referring hosts that are counted by name, for each project or link and each day (UTC). The function `roll_up_clicks` has
 * the same numbers, because it applies them over all processes.
 */
export const maxReferrersPerDay = { project: 500, link: 100 };

/** A month has as many as this number of full days, so that its sums stay small too. */
export const maxFullDaysPerMonth = 5;

/** Some 20 MB. */
const maxRemembered = 100_000;

/**
 * Limits the distinct referring hosts that this process writes for a project and a day. A visitor can send any host, and each
 * one would need rows in the sums. Forgetting hosts only loosens this limit; the one of the database stays.
 */
export class DistinctReferrers {
  #day = NaN;
  #remembered = 0;
  readonly #hosts = new Map<string, Set<string>>();

  constructor(private readonly max = maxReferrersPerDay.project) {}

  get remembered(): number {
    return this.#remembered;
  }

  /** Returns the referrer of the click, or `otherReferrer` if the project has too many that day. */
  nameOf({ at, projectId, referrer }: Pick<Click, 'at' | 'projectId' | 'referrer'>): string | null {
    if (referrer === null) return null;
    const day = Math.floor(at / dayMs);
    if (day !== this.#day || this.#remembered >= maxRemembered) this.#forget(day);
    let hosts = this.#hosts.get(projectId);
    if (!hosts) this.#hosts.set(projectId, (hosts = new Set()));
    if (hosts.has(referrer)) return referrer;
    if (hosts.size >= this.max) return otherReferrer;
    hosts.add(referrer);
    this.#remembered++;
    return referrer;
  }

  #forget(day: number): void {
    this.#day = day;
    this.#remembered = 0;
    this.#hosts.clear();
  }
}
