import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  countAnswer,
  flagAnswer,
  nullableIdAnswer,
  nullableMomentAnswer,
  nullableTextAnswer,
  textAnswer,
  urlAnswer,
} from '../../api-kit/kit/answer';
import { optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { appVersion } from '../../link-paths/release-guard/app-version';
import { dataOf } from '../../api-kit/openapi/envelopes';
import type { AssociationHealth, HealthOfHost } from './association-health.service';
import { deviceCheckCodes, deviceCheckKinds } from './device-checks';
import type { FetchedFile } from './host-probe';
import { healthCodes, severities } from './health-problem';
import { hostKinds } from './host-checks';
import { type AssociatedPlatform, associatedPlatforms, fileRules } from './published-rules';
import { IsQueryBoolean, IsQueryChoice } from '../../api-kit/kit/field.decorators';

const IsAppVersion = ruleDecorator(appVersion);

export class AssociationHealthQuery {
  @IsQueryBoolean({
    default: false,
    description:
      'Whether the service fetches the files from the hosts over HTTPS, as phones do. A probe takes up to eleven seconds. An account ' +
      'may run one probe at a time, and by default ten per minute. Further probes get 429 `RATE_LIMITED`.',
  })
  probe: boolean;

  @IsAppVersion(
    optionally('Checks released versions of this name, retired or not. Without it, all that are not retired.', '1.2.3'),
  )
  app_version?: string;

  @IsQueryChoice(associatedPlatforms, optionally('Checks released versions of this platform only.', 'ios'))
  platform?: AssociatedPlatform;
}

const nullable = true;

/** Limits the response of a project with thousands of apps. */
const maxProblems = 500;

class AssociationFile extends answer({
  platform: { enum: associatedPlatforms, enumName: 'AssociatedPlatform', example: 'ios' },
  path: { example: '/.well-known/apple-app-site-association' },
  bytes: { type: 'integer', description: 'Size of the file, in bytes.', example: 178 },
  etag: textAnswer('`ETag` of the file as it is served.', '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"'),
}) {}

class ProbedFile extends answer({
  platform: { enum: associatedPlatforms, enumName: 'AssociatedPlatform', example: 'ios' },
  status: { type: 'integer', nullable, description: 'HTTP status. Null if the host did not answer.', example: 200 },
  content_type: { nullable, example: 'application/json' },
  bytes: {
    type: 'integer',
    nullable,
    description: 'Size of the file, in bytes. Null unless the file was fetched completely.',
    example: 178,
  },
}) {
  static of(platform: AssociatedPlatform, fetched: FetchedFile): ProbedFile {
    if (fetched.kind === 'failed') return { platform, status: null, content_type: null, bytes: null };
    const { status, contentType, bytes } = fetched;
    return { platform, status, content_type: contentType, bytes };
  }
}

class AssociatedHost extends answer({
  host: textAnswer('Host that apps declare and from which phones fetch the files.', 'summer.go.example.com'),
  kind: { enum: hostKinds, enumName: 'AssociatedHostKind', example: 'subdomain' },
  current: flagAnswer("Whether the project's URLs use the host.", true),
  answers: flagAnswer('Whether the project answers on the host. False for a custom domain that is not verified.', true),
  probed: {
    type: [ProbedFile],
    nullable,
    description: 'The files that the host serves. Null if the host was not probed.',
    example: null,
  },
}) {
  static of({ host, kind, current, answers, probed }: HealthOfHost): AssociatedHost {
    const files = probed && associatedPlatforms.map((platform) => ProbedFile.of(platform, probed[platform]));
    return { host, kind, current, answers, probed: files };
  }
}

class AssociationProblem extends answer({
  code: { enum: healthCodes, enumName: 'AssociationProblemCode', example: 'no_fingerprints' },
  severity: {
    enum: severities,
    enumName: 'AssociationProblemSeverity',
    description:
      '`error`: links do not open an app. `warning`: links may not open an app, or only on some devices. `hint`: the setting may be wrong.',
    example: 'error',
  },
  platform: {
    enum: associatedPlatforms,
    nullable,
    description: 'Platform that the problem concerns. Null if it concerns both platforms.',
    example: 'android',
  },
  host: nullableTextAnswer('Host that the problem concerns. Null if it concerns no host.', null),
  app_id: nullableIdAnswer(
    'Id of the app that the problem concerns. Null if it concerns no app.',
    '0198c0de-7e57-7000-8000-000000000001',
  ),
  message: { example: '“Shop” has no fingerprints and is not in the file; links will not open the app.' },
  remedy: textAnswer('Action that solves the problem.', 'Set sha_fingerprints to those of the certificates.'),
  rule: urlAnswer(
    'Page on which Apple or Google publishes the rule.',
    'https://developer.android.com/training/app-links/configure-assetlinks',
  ),
}) {}

@ApiSchema({ name: 'DeviceCheck' })
class DeviceCheckDto extends answer({
  platform: { enum: associatedPlatforms, enumName: 'AssociatedPlatform', example: 'android' },
  kind: {
    enum: deviceCheckKinds,
    enumName: 'DeviceCheckKind',
    description: '`entitlement` and `manifest`: a line of the app. `command`: a line for a shell.',
    example: 'command',
  },
  code: {
    enum: deviceCheckCodes,
    enumName: 'DeviceCheckCode',
    description: 'Purpose of the line, for programs.',
    example: 'host_states',
  },
  purpose: textAnswer('Purpose of the line, for people.', 'Print the hosts of the installed app with their states'),
  text: { example: 'adb shell pm get-app-links com.example.shop' },
  example: flagAnswer(
    'Whether the line names the host `links.example.com`, because apps can name no host of the project. They need https and no port.',
    false,
  ),
}) {}

@ApiSchema({ name: 'AssociationHealth' })
export class AssociationHealthDto extends answer({
  healthy: flagAnswer('Whether no problem has the severity `error`.', false),
  probed_at: nullableMomentAnswer('The time of the probe; null without a probe.', null),
  files: { type: [AssociationFile], description: 'The files that every host serves.' },
  hosts: { type: [AssociatedHost], description: 'All hosts of the project, the current one first.' },
  problems_total: countAnswer('The number of problems.', 1),
  problems: {
    type: [AssociationProblem],
    description: `Problems, the most severe first; at most ${maxProblems}.`,
    maxItems: maxProblems,
  },
  checks: {
    type: [DeviceCheckDto],
    description:
      "Lines for the developers of the apps, with the project's hosts and apps: what the apps declare, and commands that show " +
      'what phones have. The service does not run them.',
  },
}) {
  static of({ files, hosts, probedAt, problems, checks }: AssociationHealth): AssociationHealthDto {
    return {
      healthy: problems.every(({ severity }) => severity !== 'error'),
      probed_at: probedAt?.toISOString() ?? null,
      files: associatedPlatforms.map((platform) => {
        const { json, tag } = files[platform];
        return { platform, path: fileRules[platform].path, bytes: Buffer.byteLength(json), etag: tag };
      }),
      hosts: hosts.map((host) => AssociatedHost.of(host)),
      problems_total: problems.length,
      problems: problems.slice(0, maxProblems).map((problem) => AssociationProblem.render(problem)),
      checks: checks.map(({ isExample, ...check }) => ({ ...check, example: isExample })),
    };
  }
}

export class AssociationHealthResponse extends dataOf(AssociationHealthDto) {}
