import { ApiError } from './api-error';

/** Codes of conflicts, each with the field that the user can change. */
const fieldOf: Partial<Record<string, string>> = {
  SUBDOMAIN_TAKEN: 'subdomain',
  CUSTOM_PATH_EXISTS: 'custom_path',
  EXTERNAL_ID_EXISTS: 'external_id',
  TAG_EXISTS: 'name',
  SLUG_EXISTS: 'slug',
  BUNDLE_ID_EXISTS: 'bundle_id',
  PACKAGE_NAME_EXISTS: 'package_name',
  DOMAIN_EXISTS: 'hostname',
  DOMAIN_TAKEN: 'hostname',
  IOS_APP_NOT_FOUND: 'ios_app_id',
  ANDROID_APP_NOT_FOUND: 'android_app_id',
};

/** Features that a plan may lack, each with the field that asks for it. */
const fieldOfFeature: Partial<Record<string, string>> = { deferred_deep_links: 'ios_deferred_deep_link' };

function fieldOfError({ code, details }: ApiError): string | undefined {
  if (code !== 'FORBIDDEN_PLAN' || details === undefined || !('feature' in details)) return fieldOf[code];
  return fieldOfFeature[details.feature];
}

/** Returns messages by the path of their field, such as `referrer_params.utm_source`. */
export function errorsAtFields(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const field = fieldOfError(error);
  if (field !== undefined) return { [field]: error.message };
  return Object.fromEntries(error.problems.map(({ path, message }) => [path.join('.'), message]));
}
