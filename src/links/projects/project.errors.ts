import { domainError } from '../../shared/domain-error';
import { LimitReached } from '../../tenancy/accounts/account.errors';
import type { Plan } from '../../tenancy/accounts/plan';

/** Refuses a subdomain that a project answers on, or that is reserved. The message never says for whom. */
export class SubdomainTaken extends domainError(
  'SUBDOMAIN_TAKEN',
  (subdomain: string, state: 'in use' | 'reserved') => `The subdomain ${subdomain} is ${state}; choose another one`,
) {}

/** The operation after which a rename is possible (docs/contract-resources.md, “Projects and subdomains”). */
interface ReleaseOperation {
  operation_id: 'deleteFormerSubdomain';
  method: 'DELETE';
  /** Relative to /api/v1, with the project's id. */
  path: string;
}

/** Refuses a rename, because the project has left too many subdomains. Details: as for `LimitReached`, and `release`. */
export class TooManyFormerSubdomains extends LimitReached {
  override readonly details: LimitReached['details'] & { release: ReleaseOperation };

  constructor(projectId: string, limit: { limit: number; used: number; plan: Plan }) {
    super(
      'former subdomains per project',
      limit,
      'release one that no link needs, or rename the project to one of them',
    );
    const path = `/projects/${projectId}/former-subdomains/{subdomain}`;
    this.details = { ...this.details, release: { operation_id: 'deleteFormerSubdomain', method: 'DELETE', path } };
  }
}
