import type { Type } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { IsSearchText } from '../../api-kit/kit/field.decorators';
import { answer, idAnswer, projectIdAnswer, timeAnswers } from '../../api-kit/kit/answer';
import { answersOf, bodyReader, CreatesFields, UpdatesFields } from '../../api-kit/kit/field-table.decorators';
import { IsSortKey, ListQuery } from '../../api-kit/kit/list-query';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { defaultsOf, type FieldTable, isNullable } from '../../shared/field-table';
import { type App, type AppChanges, type AppFields, type AppPlatform, fieldsByPlatform } from './app';
import { appPlatforms } from './app-platforms';

export type AppBody = Record<string, unknown>;

function dtosOf<P extends AppPlatform>(platform: P) {
  const { schemaName, identifier, exampleId } = appPlatforms[platform];
  const fields: FieldTable = fieldsByPlatform[platform];

  @ApiSchema({ name: `Create${schemaName}Body` })
  @CreatesFields(fields)
  class CreateBody {}

  @ApiSchema({ name: `Update${schemaName}Body` })
  @UpdatesFields(fields)
  class UpdateBody {}

  class AppsQuery extends ListQuery {
    @IsSearchText({
      description: `Case-insensitive substring of the name or the ${identifier.replace('_', ' ')}.`,
      example: 'shop',
    })
    search?: string;

    @IsSortKey(['name', identifier, 'created_at', 'updated_at'])
    sortBy: string;
  }

  @ApiSchema({ name: schemaName })
  class AppDto extends answer({
    id: idAnswer(exampleId),
    project_id: projectIdAnswer,
    ...answersOf(fields),
    ...timeAnswers,
  }) {}

  @ApiSchema({ name: `${schemaName}Response` })
  class AppResponse extends dataOf(AppDto) {}

  @ApiSchema({ name: `${schemaName}Page` })
  class AppPage extends pageOf(AppDto) {}

  const defaults = defaultsOf(fields);
  const toChanges: (body: AppBody) => AppChanges<P> = bodyReader(fields);

  return {
    CreateBody: CreateBody as Type<AppBody>,
    UpdateBody: UpdateBody as Type<AppBody>,
    AppsQuery,
    AppResponse,
    AppPage,
    toChanges,
    toApp: (body: AppBody) => ({ ...defaults, ...toChanges(body) }) as AppFields<P>,
    toDto: (app: App<P>): object => AppDto.render(app as never),
    nullableFields: Object.entries(fields).flatMap(([name, field]) => (isNullable(field) ? `\`${name}\`` : [])),
  };
}

type AppDtos = { readonly [P in AppPlatform]: ReturnType<typeof dtosOf<P>> };

export const appDtos: AppDtos = { ios: dtosOf('ios'), android: dtosOf('android') };
