import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { refused, Rule, wrongType } from '../../shared/rule';
import type { ReleaseBreak } from './release-breaks';
import { appVersion } from './app-version';
import { versionsOf } from './release.errors';

/** Versions in one request: those of several apps. */
const maxVersions = 500;

const versionList = new Rule<string[]>(
  { type: 'string', minLength: 1, pattern: '^[A-Za-z0-9._+()-]+(?:,[A-Za-z0-9._+()-]+)*$' },
  (value) => {
    if (typeof value !== 'string') return wrongType('string');
    const versions = value.split(',');
    if (versions.length > maxVersions) return refused('too_big', `must have at most ${maxVersions} versions`);
    return versions.every((version) => appVersion.tryParse(version) !== null)
      ? { value: versions }
      : refused('invalid_format', 'must be versions joined by commas, such as 1.2.3,1.3.0');
  },
);

const IsVersionList = ruleDecorator(versionList);

/** Describes the query of operations that can break released versions of apps. */
export class AcknowledgeQuery {
  @IsVersionList({
    description:
      'Versions of released apps that the change may break, joined by commas. A change that `release_guard` refuses is made if it ' +
      'breaks no others.',
    example: '1.2.3,1.3.0',
    optional: true,
  })
  acknowledge?: string[];
}

/** The versions that a caller lets a change break, and the report of those that it breaks. */
export interface Acknowledgement {
  readonly versions: readonly string[];
  report(breaks: readonly ReleaseBreak[]): void;
}

/** Versions in a header. */
const maxReported = 50;

/** Returns the acknowledgement of a request. Its response names broken versions in `Broken-App-Versions`. */
export function acknowledgementOf(
  { acknowledge = [] }: AcknowledgeQuery,
  response: { setHeader(name: string, value: string): unknown },
): Acknowledgement {
  const broken = new Set<string>();
  return {
    versions: acknowledge,
    report: (breaks) => {
      for (const version of versionsOf(breaks)) broken.add(version);
      response.setHeader('Broken-App-Versions', [...broken].slice(0, maxReported).join(', '));
    },
  };
}

/** The acknowledgement of changes that nobody answers, such as those of imports. */
export const noAcknowledgement: Acknowledgement = { versions: [], report: () => {} };
