import type { components } from 'signpost-client';

export type CheckedHost = components['schemas']['AssociatedHost'];
type Problem = Pick<components['schemas']['AssociationProblem'], 'code' | 'platform' | 'host'>;

/** The result of a check. `soon`: somebody should act before it is bad. */
export type HostState = 'good' | 'soon' | 'bad' | 'unknown';

export interface HostChecks {
  dns: HostState;
  certificate: HostState;
  ios: HostState;
  android: HostState;
}

const beforeTls = new Set<string>(['not_resolved', 'private_address', 'unreachable', 'not_https']);

/** Returns the states of a host from the findings of the service. A later check is unknown if an earlier one has failed. */
export function hostChecks({ host, probed, certificate_expires_at }: CheckedHost, all: readonly Problem[]): HostChecks {
  const problems = all.filter((problem) => problem.host === host);
  const has = (code: Problem['code']): boolean => problems.some((problem) => problem.code === code);
  const isResolved = probed !== null || has('unreachable');
  const fileOf = (platform: 'ios' | 'android'): HostState => {
    const file = probed?.find((one) => one.platform === platform);
    if (!file || has('certificate_invalid') || has('unreachable')) return 'unknown';
    // The certificate serves both files, so a file has only faults that name its platform.
    return problems.some((problem) => problem.platform === platform) || file.status !== 200 ? 'bad' : 'good';
  };
  return {
    dns: has('not_resolved') || has('private_address') ? 'bad' : isResolved ? 'good' : 'unknown',
    certificate: has('certificate_invalid')
      ? 'bad'
      : has('certificate_expires_soon')
        ? 'soon'
        : certificate_expires_at !== null && !problems.some(({ code }) => beforeTls.has(code))
          ? 'good'
          : 'unknown',
    ios: fileOf('ios'),
    android: fileOf('android'),
  };
}

/** Returns the public addresses that show what Apple and Google have of a host; null for one that they cannot name. */
export const publicCopies = (host: string): { apple: string; google: string } | null =>
  host.includes(':') || !host.includes('.')
    ? null
    : {
        apple: `https://app-site-association.cdn-apple.com/a/v1/${host}`,
        google: `https://digitalassetlinks.googleapis.com/v1/statements:list?${new URLSearchParams({
          'source.web.site': `https://${host}`,
          relation: 'delegate_permission/common.handle_all_urls',
        })}`,
      };
