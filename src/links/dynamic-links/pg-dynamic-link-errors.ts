import { NotFound } from '../../shared/domain-error';
import { inField, InvalidInput, type Problem } from '../../shared/problem';
import type { QuotaReservation } from '../../tenancy/accounts/quotas';
import { AndroidAppNotFound, IosAppNotFound } from '../apps/app.errors';
import { unknownTemplate } from '../link-templates/link-template';
import type { NewLink } from './dynamic-link';
import { CustomPathExists, ExternalIdExists } from './dynamic-link.errors';
import type { StoredChanges } from './dynamic-link.repository';

/** Maps the constraints that an insertion can violate to errors. */
export const errorsOf = (link: NewLink, quota: QuotaReservation | undefined) => ({
  ...errorsOfChanges(link),
  ...(quota && { dynamic_links_quota: (used: string | undefined) => quota.reached(Number(used)) }),
});

/** Returns the check of the quota, which runs in the statement of the insertion. */
export const checkOf = (quota: QuotaReservation | undefined) =>
  quota && { function: 'reserve_dynamic_links', values: [quota.accountId, quota.limit] };

const isNotAfterStart: Problem = { code: 'too_small', path: [], message: 'must be after active_from' };

/** Maps the constraints that a change can violate to errors. */
export const errorsOfChanges = ({ customPath, externalId }: StoredChanges) => ({
  dynamic_links_external_id_unique: () => new ExternalIdExists(String(externalId)),
  link_paths_one_namespace: () => new CustomPathExists(String(customPath)),
  dynamic_links_ios_app_fk: () => new IosAppNotFound(),
  dynamic_links_android_app_fk: () => new AndroidAppNotFound(),
  dynamic_links_template_fk: unknownTemplate,
  dynamic_links_life_order: () => InvalidInput.because(inField('active_until', [isNotAfterStart])),
  dynamic_links_project_fk: () => new NotFound('Project'),
});
