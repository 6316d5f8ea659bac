import { type HealthCode, type HealthProblem, healthProblem, problemsIn } from './health-problem';
import type { AnsweredFile, FailedFetch, FetchedFile, ProbedHost } from './host-probe';
import { type AssociatedPlatform, associatedPlatforms, fileRules } from './published-rules';

/** Automatic renewal happens earlier than seven days before expiry. */
const expiryWarningMs = 7 * 24 * 60 * 60_000;

const notProbedReasons = {
  not_resolved: 'has no address in the DNS, or the DNS did not answer.',
  private_address: 'has an address outside the public internet. The host was not probed.',
  not_probed: 'was not probed, because the time limit was reached.',
};

/**
 * Checks the files that a host served by the published rules.
 *
 * - Google, "Creating a statement list": 200, application/json, no redirect, a verifiable certificate.
 * - Apple, "Supporting associated domains": https, a valid certificate, no redirects.
 *
 * @param now milliseconds since 1970
 */
export function probeProblems(host: string, probed: ProbedHost, now: number): HealthProblem[] {
  if (typeof probed === 'string') return [healthProblem(probed, `${host} ${notProbedReasons[probed]}`, { host })];
  const perFile = associatedPlatforms.map((platform) => fetchedProblems(platform, host, probed[platform]));
  const [ios, android] = perFile as [HealthProblem[], HealthProblem[]];
  const expires = certificateExpiryOf(probed);
  return [
    // One problem for both files if neither can be fetched.
    ...(sameForBoth(probed) ? ios.map((problem) => ({ ...problem, platform: null })) : [...ios, ...android]),
    ...problemsIn({ host }, [
      expires !== null && expires.getTime() - now < expiryWarningMs,
      'certificate_expires_soon',
      `The certificate of ${host} expires ${expires?.toISOString()}.`,
    ]),
  ];
}

/** Returns the end of the certificate that a host served; null without a valid one. */
export function certificateExpiryOf(probed: Record<AssociatedPlatform, FetchedFile>): Date | null {
  const answers = associatedPlatforms.map((platform) => probed[platform]);
  return answers.map((file) => (file.kind === 'answered' ? file.certificateExpires : null)).find(Boolean) ?? null;
}

const sameForBoth = ({ ios, android }: Record<AssociatedPlatform, FetchedFile>): boolean =>
  ios.kind === 'failed' && android.kind === 'failed' && ios.stage !== 'no_answer' && ios.stage === android.stage;

function fetchedProblems(platform: AssociatedPlatform, host: string, fetched: FetchedFile): HealthProblem[] {
  const { name, rule } = fileRules[platform];
  const problem = (code: HealthCode, message: string) => [healthProblem(code, message, { platform, host, rule })];
  if (fetched.kind === 'failed') return failureProblems(host, name, fetched, problem);
  return answerProblems(host, name, fetched, problem, fileRules[platform].maxBytes);
}

type Found = (code: HealthCode, message: string) => HealthProblem[];

function failureProblems(host: string, name: string, { stage, code }: FailedFetch, problem: Found): HealthProblem[] {
  if (stage === 'unreachable') return problem('unreachable', `${host} accepts no connection.`);
  if (stage === 'certificate')
    return problem('certificate_invalid', `The certificate of ${host} is not valid: ${reasonOf(code)}.`);
  return problem('no_answer', `${host} accepted the request for ${name} and did not answer completely in time.`);
}

function answerProblems(
  host: string,
  name: string,
  { status, contentType, content }: AnsweredFile,
  problem: Found,
  maxBytes: number,
): HealthProblem[] {
  if (status >= 300 && status < 400) return problem('redirected', `${host} redirects ${name} (${status}).`);
  if (status !== 200) return problem('wrong_status', `${host} answers ${status} to ${name}.`);
  return [
    ...(mediaTypeOf(contentType) === 'application/json'
      ? []
      : problem('wrong_content_type', `${host} serves ${name} as ${contentType?.slice(0, 100) ?? 'nothing'}.`)),
    ...(content === 'too_large'
      ? problem('file_too_large', `${host} serves more than ${maxBytes} bytes as ${name}.`)
      : content === 'same'
        ? []
        : problem('content_differs', `${host} serves ${name} with content that differs from the project's apps.`)),
  ];
}

const mediaTypeOf = (contentType: string | null): string | undefined =>
  contentType?.split(';', 1)[0]!.trim().toLowerCase();

/** Keys are verification error codes of OpenSSL and Node. */
const reasons: Record<string, string> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for other hosts',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate authority is unknown',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate authority is unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its chain is incomplete, or its certificate authority is unknown',
};

const reasonOf = (code: string | undefined): string => reasons[code ?? ''] ?? 'the TLS handshake failed';
