import { DomainError, domainError } from '../../shared/domain-error';
import type { TxtRecord } from './domain-records';

export class DomainExists extends domainError(
  'DOMAIN_EXISTS',
  (hostname: string) => `The project already has the domain ${hostname}; use the existing one`,
) {}

/** Reports that another project has verified the host name, or that a deleted project reserves it. */
export class DomainTaken extends DomainError {
  readonly code = 'DOMAIN_TAKEN';

  static byProject(hostname: string): DomainTaken {
    return new DomainTaken(
      `Another project has verified ${hostname}; remove the domain from that project, or remove the TXT record of that project. ` +
        'Without the record, that project loses the domain after some days',
    );
  }

  static byHold(hostname: string): DomainTaken {
    return new DomainTaken(
      `${hostname} is held for the account of a deleted project, because the TXT record of that project still exists; remove the record`,
    );
  }
}

/** The number of shown values and characters of each: enough to recognise a typing error. */
const maxFoundValues = 10;
const maxFoundLength = 100;

/** Limits the values that the DNS of others returned. */
export const shownValues = (values: readonly string[]): string[] =>
  values.slice(0, maxFoundValues).map((value) => value.slice(0, maxFoundLength).toWellFormed());

/** Reports that the domain is not verified. Details after a look-up: `{ reason, record, found }`. */
export class DomainNotVerified extends DomainError {
  readonly code = 'DOMAIN_NOT_VERIFIED';
  override readonly details?: {
    reason: 'no_record' | 'other_value' | 'no_answer';
    record: TxtRecord & { type: 'TXT' };
    found: string[];
  };

  constructor(message: string, details?: DomainNotVerified['details']) {
    super(message);
    if (details) this.details = details;
  }

  static before(hostname: string): DomainNotVerified {
    return new DomainNotVerified(`${hostname} is not verified; verify it before you use it`);
  }

  /** @param values TXT records of the record's name; null if the DNS did not answer */
  static because(record: TxtRecord, values: string[] | null): DomainNotVerified {
    const shown = { type: 'TXT' as const, ...record };
    if (values === null)
      return new DomainNotVerified('The DNS did not answer for the domain; try again later', {
        reason: 'no_answer',
        record: shown,
        found: [],
      });
    if (values.length === 0)
      return new DomainNotVerified(
        `The TXT record ${record.name} was not found; create it, or wait until the DNS shows a new record`,
        { reason: 'no_record', record: shown, found: values },
      );
    return new DomainNotVerified(`No TXT record ${record.name} has the expected value; correct its value`, {
      reason: 'other_value',
      record: shown,
      found: shownValues(values),
    });
  }
}
