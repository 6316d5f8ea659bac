import type { Type } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  idAnswer,
  idAnswerOf,
  nullableMomentAnswer,
  projectIdAnswer,
  timeAnswers,
} from '../../api-kit/kit/answer';
import { answersOf, bodyReader, CreatesFields, UpdatesFields } from '../../api-kit/kit/field-table.decorators';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { defaultsOf, type FieldTable } from '../../shared/field-table';
import type { AppPlatform } from '../apps/app';
import { appPlatforms } from '../apps/app-platforms';
import type { Project } from '../projects/project';
import type { AppRelease, ReleaseChanges } from './app-release';
import { releaseFields } from './release-fields';

export type ReleaseBody = Record<string, unknown>;

const dayMs = 24 * 60 * 60_000;

function dtosOf(platform: AppPlatform) {
  const { appName, schemaName, exampleId } = appPlatforms[platform];
  const fields: FieldTable = releaseFields[platform];

  @ApiSchema({ name: `Create${schemaName}ReleaseBody` })
  @CreatesFields(fields)
  class CreateBody {}

  @ApiSchema({ name: `Update${schemaName}ReleaseBody` })
  @UpdatesFields(fields)
  class UpdateBody {}

  @ApiSchema({ name: `${schemaName}Release` })
  class ReleaseDto extends answer({
    id: idAnswer('0198c0de-7e57-7000-8000-00000000000c'),
    project_id: projectIdAnswer,
    app_id: idAnswerOf(`${appName} of the version.`, exampleId),
    ...answersOf(fields),
    retires_at: nullableMomentAnswer(
      'Time at which the version retires by its age. Null if `retire_releases_after_days` of the project is.',
      null,
    ),
    ...timeAnswers,
  }) {}

  @ApiSchema({ name: `${schemaName}ReleaseResponse` })
  class ReleaseResponse extends dataOf(ReleaseDto) {}

  @ApiSchema({ name: `${schemaName}ReleasePage` })
  class ReleasePage extends pageOf(ReleaseDto) {}

  const toChanges: (body: ReleaseBody) => ReleaseChanges = bodyReader(fields);
  const defaults = defaultsOf(fields);

  return {
    CreateBody: CreateBody as Type<ReleaseBody>,
    UpdateBody: UpdateBody as Type<ReleaseBody>,
    ReleaseResponse,
    ReleasePage,
    toChanges,
    toRelease: (body: ReleaseBody) => ({ ...defaults, ...toChanges(body) }) as ReleaseChanges,
    /** Returns the renderer of a project's releases. */
    rendererOf:
      ({ retireReleasesAfterDays: days }: Project) =>
      (release: AppRelease): object => {
        const retiresAt = days === null ? null : new Date(release.createdAt.getTime() + days * dayMs).toISOString();
        return ReleaseDto.render(release as never, { retires_at: retiresAt } as never);
      },
  };
}

export const releaseDtos = { ios: dtosOf('ios'), android: dtosOf('android') };
