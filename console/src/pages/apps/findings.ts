import type { I18n } from '../../i18n/i18n';
import { isMessageKey, type MessageKey, type Parameters } from '../../i18n/text';
import type { AssociationProblem } from './platform';

const fileNames = { ios: 'apple-app-site-association', android: 'assetlinks.json' } as const;

/** Codes whose message of the service has facts that the catalogue does not, such as a path, a time or a status. */
const codesWithFacts: ReadonlySet<string> = new Set<AssociationProblem['code']>([
  'link_outside_paths',
  'link_in_other_paths',
  'malformed_fingerprint',
  'file_too_large',
  'domain_record_missing',
  'certificate_invalid',
  'certificate_expires_soon',
  'redirected',
  'wrong_status',
  'wrong_content_type',
]);

export interface Finding {
  message: string;
  remedy: string;
  /** Facts in the words of the service, which are English. */
  facts: string | null;
}

/** Returns a finding in the reader's language. A code that this console does not know has the words of the service. */
export function findingOf(
  { code, platform, host, message, remedy }: AssociationProblem,
  app: string | undefined,
  t: I18n['t'],
): Finding {
  const parameters: Parameters = {
    app: app ?? '–',
    host: host ?? '–',
    file: platform === null ? Object.values(fileNames).join(', ') : fileNames[platform],
  };
  // The compiler checks that each code of this version of the API has both texts.
  const [messageKey, remedyKey]: [MessageKey, MessageKey] = [`finding.${code}`, `remedy.${code}`];
  if (!isMessageKey(messageKey) || !isMessageKey(remedyKey)) return { message, remedy, facts: null };
  return {
    message: t(messageKey, parameters),
    remedy: t(remedyKey, parameters),
    facts: codesWithFacts.has(code) ? message : null,
  };
}
