import { randomBytes } from 'node:crypto';
import { newId } from '../../shared/id';
import { InvalidInput, type Problem } from '../../shared/problem';
import { DomainNotVerified } from './custom-domain.errors';
import type { TxtRecord } from './domain-records';
import type { DomainSettings } from './domain-settings';
import { challengeNameOf, type Hostname } from './hostname';

export const statuses = ['pending', 'verified', 'active'] as const;
export type CustomDomainStatus = (typeof statuses)[number];

export type CheckResult = 'found' | 'missing' | 'lost' | 'unanswered';

/** Check intervals are divided by this while the DNS does not answer. */
const retriesPerInterval = 24;

/** The problem of a domain that would be active and the open host. */
export const openHostIsActive: Problem = {
  code: 'invalid_format',
  path: ['open_host'],
  message: 'open_host must be false for the active domain, because apps open from another host only',
};

/**
 * A customer's host name. The project answers on it once its TXT record has been found.
 *
 * Methods that change the state return the changed fields only, so that a write leaves concurrent changes of others alone.
 */
export class CustomDomain {
  readonly id: string;
  readonly projectId: string;
  readonly hostname: Hostname;
  readonly challenge: string;
  /** Whether the URLs of the project's links use this host name. */
  readonly active: boolean;
  /** Whether pages open the apps through this host name. It is never true together with `active`. */
  readonly openHost: boolean;
  readonly verifiedAt: Date | null;
  /** The last check that the DNS answered. */
  readonly checkedAt: Date | null;
  /** The first of the latest checks that did not find the record. */
  readonly recordMissingSince: Date | null;
  readonly nextCheckAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;

  private constructor(fields: Partial<CustomDomain>) {
    Object.assign(this, fields);
  }

  /** Creates a pending domain. Several projects can claim the same host name; only one of them can verify it. */
  static claim(projectId: string, hostname: Hostname): NewCustomDomain {
    return new CustomDomain({
      id: newId(),
      projectId,
      hostname,
      challenge: newChallenge(),
      active: false,
      openHost: false,
      verifiedAt: null,
      checkedAt: null,
      recordMissingSince: null,
      nextCheckAt: null,
    });
  }

  get status(): CustomDomainStatus {
    if (this.active) return 'active';
    return this.verifiedAt ? 'verified' : 'pending';
  }

  get record(): TxtRecord {
    return { name: challengeNameOf(this.hostname), value: this.challenge };
  }

  /** @param texts TXT records of the record's name; null if the DNS did not answer */
  isVerifiedBy(texts: string[] | null): texts is string[] {
    return texts?.includes(this.challenge) ?? false;
  }

  /** Returns the changes after a successful check. A domain that is already verified keeps its first date. */
  afterVerification(at: Date, nextCheckAt: Date): CustomDomainChanges {
    const changes = { checkedAt: at, recordMissingSince: null, nextCheckAt };
    return this.verifiedAt ? changes : { ...changes, verifiedAt: at };
  }

  /**
   * Returns the changes that give the domain a use; undefined leaves that use as it is. A domain that becomes active is no open
   * host any more, because iOS opens no app for a link on the host of its page.
   * @throws DomainNotVerified if the domain is pending and shall be used
   * @throws InvalidInput if the domain would be active and the open host
   */
  withUse({ active, openHost }: DomainUse): Required<DomainUse> {
    const use = { active: active ?? this.active, openHost: openHost ?? (active === true ? false : this.openHost) };
    if (use.active && use.openHost) throw InvalidInput.because([openHostIsActive]);
    if ((use.active || use.openHost) && !this.verifiedAt) throw DomainNotVerified.before(this.hostname);
    return use;
  }

  /**
   * Evaluates a periodic check of a verified domain. A missing record ends the verification after the grace time. A DNS that
   * does not answer changes nothing, and is asked again soon.
   *
   * @param texts TXT records of the record's name; null if the DNS did not answer
   */
  afterCheck(texts: string[] | null, at: Date, { recheckIntervalMs, graceMs }: CheckSettings): DomainCheck {
    const now = at.getTime();
    const nextCheckAt = new Date(now + recheckIntervalMs);
    if (texts === null)
      return { result: 'unanswered', changes: { nextCheckAt: new Date(now + recheckIntervalMs / retriesPerInterval) } };
    if (this.isVerifiedBy(texts)) return { result: 'found', changes: this.afterVerification(at, nextCheckAt) };
    const recordMissingSince = this.recordMissingSince ?? at;
    const missing = { checkedAt: at, recordMissingSince };
    const graceEnd = recordMissingSince.getTime() + graceMs;
    if (graceEnd <= now)
      return {
        result: 'lost',
        changes: { ...missing, verifiedAt: null, active: false, openHost: false, nextCheckAt: null },
      };
    return {
      result: 'missing',
      changes: { ...missing, nextCheckAt: new Date(Math.min(nextCheckAt.getTime(), graceEnd)) },
    };
  }
}

/** Draws 160 random bits, in characters that the forms of all DNS providers accept. */
const newChallenge = (): string => randomBytes(20).toString('hex');

type CheckSettings = Pick<DomainSettings, 'recheckIntervalMs' | 'graceMs'>;

export type NewCustomDomain = Omit<CustomDomain, 'createdAt' | 'updatedAt'>;

export type CustomDomainChanges = Partial<
  Pick<CustomDomain, 'active' | 'openHost' | 'verifiedAt' | 'checkedAt' | 'recordMissingSince' | 'nextCheckAt'>
>;

export interface DomainUse {
  active?: boolean;
  openHost?: boolean;
}

export interface DomainCheck {
  result: CheckResult;
  changes: CustomDomainChanges;
}
