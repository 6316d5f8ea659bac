import type { CheckedDomain, DueDomain } from './custom-domain.repository';
import type { DomainSettings } from './domain-settings';

/** How often in an interval a look is repeated that got no answer. */
const retriesPerInterval = 24;

/** What a look for the record came to. */
export type CheckResult = 'found' | 'missing' | 'lost' | 'unanswered';

/**
 * What follows from what the DNS says of a proved domain. A record that is not there is reported, and looked for once more when
 * the grace time is over, which ends the proof. That nobody answered is no reason: it is asked again soon.
 *
 * @param texts the values that were found; null where the DNS gave no answer
 * @param now milliseconds since 1970
 */
export function resultOf(
  { challenge, recordMissingSince }: Pick<DueDomain, 'challenge' | 'recordMissingSince'>,
  texts: string[] | null,
  now: number,
  { recheckInterval, grace }: Pick<DomainSettings, 'recheckInterval' | 'grace'>,
): CheckedDomain & { result: CheckResult } {
  const at = new Date(now);
  const next = now + recheckInterval;
  if (texts === null)
    return { result: 'unanswered', nextCheckAt: new Date(now + recheckInterval / retriesPerInterval) };
  if (texts.includes(challenge))
    return { result: 'found', checked: { at, recordMissingSince: null }, nextCheckAt: new Date(next) };
  const since = recordMissingSince ?? at;
  const end = since.getTime() + grace;
  const checked = { at, recordMissingSince: since };
  if (end <= now) return { result: 'lost', checked, nextCheckAt: null };
  return { result: 'missing', checked, nextCheckAt: new Date(Math.min(next, end)) };
}
