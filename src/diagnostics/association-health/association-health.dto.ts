import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { dataOf } from '../../api-kit/openapi/envelopes';
import type { AssociationHealth, HealthOfHost } from './association-health';
import { type DeviceCheck, type DeviceCheckCode, deviceCheckCodes, deviceCheckKinds } from './device-checks';
import type { FetchedFile } from './fetched-file';
import { type HealthCode, healthCodes, type HealthProblem, severities, type Severity } from './health-problem';
import { type HostKind, hostKinds } from './project-host';
import { type AssociatedPlatform, associatedPlatforms, fileRules } from './published-rules';

const nullable = true;

/** Limits the response of a project with thousands of apps. */
const maxProblems = 500;

@ApiSchema({ name: 'AssociationFile' })
class FileDto {
  @ApiProperty({ enum: associatedPlatforms, enumName: 'AssociatedPlatform', example: 'ios' })
  platform: AssociatedPlatform;

  @ApiProperty({ example: '/.well-known/apple-app-site-association' })
  path: string;

  @ApiProperty({ type: 'integer', description: 'Size of the file, in bytes.', example: 178 })
  bytes: number;

  @ApiProperty({ description: '`ETag` of the file as it is served.', example: '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"' })
  etag: string;
}

@ApiSchema({ name: 'ProbedFile' })
class ProbedFileDto {
  @ApiProperty({ enum: associatedPlatforms, enumName: 'AssociatedPlatform', example: 'ios' })
  platform: AssociatedPlatform;

  @ApiProperty({
    type: 'integer',
    nullable,
    description: 'HTTP status. Null if the host did not answer.',
    example: 200,
  })
  status: number | null;

  @ApiProperty({ type: 'string', nullable, example: 'application/json' })
  content_type: string | null;

  @ApiProperty({
    type: 'integer',
    nullable,
    description: 'Size of the file, in bytes. Null unless the file was fetched completely.',
    example: 178,
  })
  bytes: number | null;

  static of(platform: AssociatedPlatform, fetched: FetchedFile): ProbedFileDto {
    if (fetched.kind === 'failed') return { platform, status: null, content_type: null, bytes: null };
    const { status, contentType, bytes } = fetched;
    return { platform, status, content_type: contentType, bytes };
  }
}

@ApiSchema({ name: 'AssociatedHost' })
class HostDto {
  @ApiProperty({
    description: 'Host that apps declare and from which phones fetch the files.',
    example: 'summer.go.example.com',
  })
  host: string;

  @ApiProperty({ enum: hostKinds, enumName: 'AssociatedHostKind', example: 'subdomain' })
  kind: HostKind;

  @ApiProperty({ description: "Whether the project's URLs use the host.", example: true })
  current: boolean;

  @ApiProperty({
    description: 'Whether the project answers on the host. False for a custom domain that is not verified.',
    example: true,
  })
  answers: boolean;

  @ApiProperty({
    type: [ProbedFileDto],
    nullable,
    description: 'The files that the host serves. Null if the host was not probed.',
    example: null,
  })
  probed: ProbedFileDto[] | null;

  static of({ host, kind, current, answers, probed }: HealthOfHost): HostDto {
    const files = probed && associatedPlatforms.map((platform) => ProbedFileDto.of(platform, probed[platform]));
    return { host, kind, current, answers, probed: files };
  }
}

@ApiSchema({ name: 'AssociationProblem' })
class ProblemDto {
  @ApiProperty({ enum: healthCodes, enumName: 'AssociationProblemCode', example: 'no_fingerprints' })
  code: HealthCode;

  @ApiProperty({
    enum: severities,
    enumName: 'AssociationProblemSeverity',
    description:
      '`error`: links do not open an app. `warning`: links may not open an app, or only on some devices. `hint`: the setting may be wrong.',
    example: 'error',
  })
  severity: Severity;

  @ApiProperty({
    enum: associatedPlatforms,
    nullable,
    description: 'Platform that the problem concerns. Null if it concerns both platforms.',
    example: 'android',
  })
  platform: AssociatedPlatform | null;

  @ApiProperty({
    type: 'string',
    nullable,
    description: 'Host that the problem concerns. Null if it concerns no host.',
    example: null,
  })
  host: string | null;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable,
    description: 'Id of the app that the problem concerns. Null if it concerns no app.',
    example: '0198c0de-7e57-7000-8000-000000000001',
  })
  app_id: string | null;

  @ApiProperty({ example: '“Shop” has no fingerprints and is not in the file; links will not open the app.' })
  message: string;

  @ApiProperty({
    description: 'Action that solves the problem.',
    example: 'Set sha_fingerprints to those of the certificates.',
  })
  remedy: string;

  @ApiProperty({
    format: 'uri',
    description: 'Page on which Apple or Google publishes the rule.',
    example: 'https://developer.android.com/training/app-links/configure-assetlinks',
  })
  rule: string;

  static of({ appId, ...same }: HealthProblem): ProblemDto {
    return { ...same, app_id: appId };
  }
}

@ApiSchema({ name: 'DeviceCheck' })
class DeviceCheckDto {
  @ApiProperty({ enum: associatedPlatforms, enumName: 'AssociatedPlatform', example: 'android' })
  platform: AssociatedPlatform;

  @ApiProperty({
    enum: deviceCheckKinds,
    enumName: 'DeviceCheckKind',
    description: '`entitlement` and `manifest`: a line of the app. `command`: a line for a shell.',
    example: 'command',
  })
  kind: DeviceCheck['kind'];

  @ApiProperty({
    enum: deviceCheckCodes,
    enumName: 'DeviceCheckCode',
    description: 'Purpose of the line, for programs.',
    example: 'host_states',
  })
  code: DeviceCheckCode;

  @ApiProperty({
    description: 'Purpose of the line, for people.',
    example: 'Print the hosts of the installed app with their states',
  })
  purpose: string;

  @ApiProperty({ example: 'adb shell pm get-app-links com.example.shop' })
  text: string;

  @ApiProperty({
    description:
      'Whether the line names the host `links.example.com`, because apps can name no host of the project. They need https and no port.',
    example: false,
  })
  example: boolean;
}

@ApiSchema({ name: 'AssociationHealth' })
export class AssociationHealthDto {
  @ApiProperty({ description: 'Whether no problem has the severity `error`.', example: false })
  healthy: boolean;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable,
    description: 'The time of the probe; null without a probe.',
    example: null,
  })
  probed_at: string | null;

  @ApiProperty({ type: [FileDto], description: 'The files that every host serves.' })
  files: FileDto[];

  @ApiProperty({ type: [HostDto], description: 'All hosts of the project, the current one first.' })
  hosts: HostDto[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'The number of problems.', example: 1 })
  problems_total: number;

  @ApiProperty({
    type: [ProblemDto],
    description: `Problems, the most severe first; at most ${maxProblems}.`,
    maxItems: maxProblems,
  })
  problems: ProblemDto[];

  @ApiProperty({
    type: [DeviceCheckDto],
    description:
      "Lines for the developers of the apps, with the project's hosts and apps: what the apps declare, and commands that show " +
      'what phones have. The service does not run them.',
  })
  checks: DeviceCheckDto[];

  static of({ files, hosts, probedAt, problems, checks }: AssociationHealth): AssociationHealthDto {
    return {
      healthy: problems.every(({ severity }) => severity !== 'error'),
      probed_at: probedAt?.toISOString() ?? null,
      files: associatedPlatforms.map((platform) => {
        const { json, tag } = files[platform];
        return { platform, path: fileRules[platform].path, bytes: Buffer.byteLength(json), etag: tag };
      }),
      hosts: hosts.map((host) => HostDto.of(host)),
      problems_total: problems.length,
      problems: problems.slice(0, maxProblems).map((problem) => ProblemDto.of(problem)),
      checks: checks.map(({ isExample, ...check }) => ({ ...check, example: isExample })),
    };
  }
}

export class AssociationHealthResponse extends dataOf(AssociationHealthDto) {}
