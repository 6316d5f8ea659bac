import type { I18n } from '../i18n/i18n';
import { problemText } from '../i18n/problem-text';
import { fieldOfRefusal, refusalText } from '../i18n/refusal-text';
import { ApiError } from './api-error';

/** Returns messages by the path of their field, such as `referrer_params.utm_source`. */
export function errorsAtFields(error: unknown, i18n: I18n): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const field = fieldOfRefusal(error);
  if (field !== undefined) return { [field]: refusalText(error, i18n) };
  return Object.fromEntries(error.problems.map((problem) => [problem.path.join('.'), problemText(problem, i18n)]));
}
