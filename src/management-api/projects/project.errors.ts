import { DomainError } from '../../shared/domain-error';

export class SubdomainTaken extends DomainError {
  readonly code = 'SUBDOMAIN_TAKEN';

  constructor(subdomain: string) {
    super(`The subdomain ${subdomain} is taken; choose another one`);
  }
}
