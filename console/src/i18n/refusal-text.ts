import type { ApiError } from '../api/api-error';
import { textsOfField } from './field-texts';
import type { I18n } from './i18n';
import { problemText } from './problem-text';
import { isMessageKey } from './text';

/** Codes of conflicts, each with the field that the user can change. */
const fieldOf: Partial<Record<string, string>> = {
  SUBDOMAIN_TAKEN: 'subdomain',
  CUSTOM_PATH_EXISTS: 'custom_path',
  EXTERNAL_ID_EXISTS: 'external_id',
  TAG_EXISTS: 'name',
  TEMPLATE_EXISTS: 'name',
  SLUG_EXISTS: 'slug',
  BUNDLE_ID_EXISTS: 'bundle_id',
  PACKAGE_NAME_EXISTS: 'package_name',
  RELEASE_EXISTS: 'version',
  DOMAIN_EXISTS: 'hostname',
  DOMAIN_TAKEN: 'hostname',
  IOS_APP_NOT_FOUND: 'ios_app_id',
  ANDROID_APP_NOT_FOUND: 'android_app_id',
};

/** Features that a plan may lack, each with the field that asks for it. */
const fieldOfFeature: Partial<Record<string, string>> = { deferred_deep_links: 'ios_deferred_deep_link' };

/** Returns the field that a refusal as a whole is about; undefined if it is about none or names its problems. */
export function fieldOfRefusal({ code, details }: ApiError): string | undefined {
  if (details !== undefined && 'destination_host' in details) return details.field;
  if (code !== 'FORBIDDEN_PLAN' || details === undefined || !('feature' in details)) return fieldOf[code];
  return fieldOfFeature[details.feature];
}

/** Explains a refused or failed request in the reader's language. */
export function refusalText(error: ApiError, i18n: I18n): string {
  const { code, details, problems } = error;
  const { t, number } = i18n;
  if (code === 'OFFLINE') return t('connection.offline');
  if (code === 'NO_TOKEN') return t('fault.noToken');
  if (code === 'UNREADABLE') return error.message;
  if (problems.length > 0) return problems.map((problem) => problemText(problem, i18n)).join(' ');
  const facts = Array.isArray(details) ? undefined : details;
  if (facts && 'expected_count' in facts)
    return i18n.counted('fault.countMismatch', facts.actual_count, { expected: number(facts.expected_count) });
  if (facts && 'dynamic_links' in facts)
    return t('refused.LINKED_REFERENCES', { links: facts.dynamic_links.map(({ name }) => name).join(', ') });
  if (facts && 'feature' in facts) return t('refused.FORBIDDEN_PLAN', { plan: facts.required_plan });
  if (facts && 'required_role' in facts) return t('refused.role', { role: t(`role.${facts.required_role}`) });
  if (facts && 'required_scope' in facts) return t('refused.scope', { scope: facts.required_scope });
  if (facts && 'destination_host' in facts)
    return t(facts.limited_by === 'project' ? 'refused.destination' : 'refused.destinationOfKey', {
      host: facts.destination_host,
    });
  if (facts && 'limit' in facts) {
    const numbers = { used: number(facts.used), limit: number(facts.limit) };
    if (facts.release) return t('refused.formerSubdomains', numbers);
    return facts.required_plan === null
      ? t('refused.limit', numbers)
      : t('refused.limitOfPlan', { ...numbers, plan: facts.required_plan });
  }
  const reason = facts && 'reason' in facts && `refused.reason.${facts.reason}`;
  // A database that is overloaded says when it accepts the list.
  const isBusy = code === 'DATABASE_ERROR' && !error.isTooExpensive;
  if (reason && !isBusy && isMessageKey(reason)) return t(reason);
  // Another version of the API may have further codes.
  const key = `refused.${code}`;
  if (!isMessageKey(key)) return error.message;
  const label = textsOfField(fieldOfRefusal(error) ?? '')?.label;
  return t(key, label && { label: t(label) });
}
