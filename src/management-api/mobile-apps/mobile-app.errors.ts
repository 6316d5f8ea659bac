import { DomainError } from '../../shared/domain-error';
import type { Plan } from '../accounts/plan';

/**
 * Refuses a change after which phones would ignore the association file. Details: as for `LimitReached`, in bytes.
 */
export class AssociationFileFull extends DomainError {
  readonly code = 'ACCESS_DENIED';
  override readonly details: { limit: number; used: number; current_plan: Plan; required_plan: null };

  constructor(
    file: string,
    { limit, used, needed, plan }: { limit: number; used: number; needed: number; plan: Plan },
  ) {
    super(
      `${file} would have ${needed} bytes, and ${limit} are the limit: use fewer apps, shorter identifiers or fewer fingerprints`,
    );
    this.details = { limit, used, current_plan: plan, required_plan: null };
  }
}
