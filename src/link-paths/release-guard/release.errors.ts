import { DomainError, domainError } from '../../shared/domain-error';
import type { ReleaseBreak } from './release-breaks';

export class ReleaseExists extends domainError(
  'RELEASE_EXISTS',
  (version: string) => `The app already has the version ${version}; update that release or send another version`,
) {}

/** Versions in a message. The details have all. */
const maxNamed = 10;

/** Refuses a change after which released versions no longer open what they opened. Details: `{ releases }`. */
export class BreaksReleasedApp extends DomainError {
  readonly code = 'BREAKS_RELEASED_APP';
  override readonly details: { releases: object[] };

  constructor(breaks: readonly ReleaseBreak[]) {
    const versions = versionsOf(breaks);
    const named = versions.slice(0, maxNamed).join(', ');
    const more = versions.length > maxNamed ? `, and ${versions.length - maxNamed} more` : '';
    super(
      `The change breaks versions that people have installed: ${named}${more}; keep what they need, retire them, ` +
        'or name all of them in acknowledge',
    );
    this.details = { releases: breaks.map(({ appId, ...others }) => ({ app_id: appId, ...others })) };
  }
}

/** Returns the versions, each once. */
export const versionsOf = (breaks: readonly ReleaseBreak[]): string[] => [
  ...new Set(breaks.map(({ version }) => version)),
];
