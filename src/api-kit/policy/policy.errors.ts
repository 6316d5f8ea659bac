import { domainError } from '../../shared/domain-error';
import type { Role, Scope } from './policy';

export class ScopeRequired extends domainError(
  'ACCESS_DENIED',
  (scope: Scope) => `The API key does not have the scope ${scope}; use a key that has it`,
  (scope) => ({ required_scope: scope }),
) {}

/** Refuses a person whose role does not include the role of the operation. */
export class RoleRequired extends domainError(
  'ACCESS_DENIED',
  (role: Role) => `The operation requires the role ${role}; ask an owner of the account for it`,
  (role) => ({ required_role: role }),
) {}

const limits = {
  origin: 'The publishable key must be used by pages of its allowed_origins; add the origin, or use another key',
  publishable: 'A publishable key can create links and short links, and send conversions, only; use another key',
  disabled: 'The account is disabled; ask the operator of the service',
  frozen: 'The account is frozen; an owner can permit changes again',
  allow_lists: 'An API key cannot change the destinations that the project allows; let a signed-in admin do it',
  imports: 'An API key with destination_hosts cannot import; use a key without them',
  network: 'The API key must not be used from this network; use it from one of its allowed_networks',
  project: 'The API key or person has no access to this project; use a credential of the project',
};

export class OutsideLimits extends domainError(
  'ACCESS_DENIED',
  (reason: keyof typeof limits) => limits[reason],
  (reason) => ({ reason }),
) {}
