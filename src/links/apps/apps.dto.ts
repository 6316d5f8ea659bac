import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, ApiSchema } from '@nestjs/swagger';
import { IsSearchText } from '../../api-kit/kit/field.decorators';
import { IsSortKey, ListQuery } from '../../api-kit/kit/list-query';
import { omitUndefined } from '../../api-kit/kit/omit-undefined';
import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { type App, type AppChanges, type AppFields, type AppPlatform, fieldsByPlatform } from './app';
import type { AppField } from './app-fields';
import { appPlatforms } from './app-platforms';

export type AppBody = Record<string, unknown>;

const fieldsOf = (platform: AppPlatform) => Object.entries<AppField>(fieldsByPlatform[platform]);

function dtosOf(platform: AppPlatform) {
  const { schemaName, identifier, exampleId } = appPlatforms[platform];

  @ApiSchema({ name: `Create${schemaName}Body` })
  class CreateBody {}

  @ApiSchema({ name: `Update${schemaName}Body` })
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
  class AppDto {
    @ApiProperty({ format: 'uuid', example: exampleId })
    id: string;

    @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000001' })
    project_id: string;
  }

  for (const [, field] of fieldsOf(platform)) {
    const { column, rule, description, example, limits, update } = field;
    const [optional, nullable] = ['default' in field, field.default === null];
    ruleDecorator(rule)({ description, example, optional })(CreateBody.prototype, column);
    ruleDecorator(update?.rule ?? rule)({
      description: update ? `${description} ${update.remark}` : description,
      example,
      optional: true,
      nullable,
    })(UpdateBody.prototype, column);
    const type = rule.schema.type === 'array' ? [String] : rule.schema.type;
    const shown = { type, ...(nullable && { nullable }), ...limits, description, example };
    ApiProperty(shown as ApiPropertyOptions)(AppDto.prototype, column);
  }
  for (const time of ['created_at', 'updated_at'])
    ApiProperty({ type: String, format: 'date-time', example: '2026-06-01T09:30:00.000Z' })(AppDto.prototype, time);

  @ApiSchema({ name: `${schemaName}Response` })
  class AppResponse extends dataOf(AppDto) {}

  @ApiSchema({ name: `${schemaName}Page` })
  class AppPage extends pageOf(AppDto) {}

  return {
    CreateBody: CreateBody as Type<AppBody>,
    UpdateBody: UpdateBody as Type<AppBody>,
    AppsQuery,
    AppResponse,
    AppPage,
  };
}

/** The bodies, queries and answers of each platform. */
export const appDtos = { ios: dtosOf('ios'), android: dtosOf('android') };

/** Returns the fields of a new app by its body. */
export const toApp = <P extends AppPlatform>(platform: P, body: AppBody) =>
  Object.fromEntries(
    fieldsOf(platform).map(([property, field]) => [property, body[field.column] ?? field.default]),
  ) as AppFields<P>;

/** Returns the fields that a body changes. */
export const toAppChanges = <P extends AppPlatform>(platform: P, body: AppBody) =>
  omitUndefined(
    Object.fromEntries(fieldsOf(platform).map(([property, { column }]) => [property, body[column]])),
  ) as AppChanges<P>;

/** Returns the app as the API shows it. */
export const toDto = <P extends AppPlatform>(platform: P, app: App<P>): object => ({
  id: app.id,
  project_id: app.projectId,
  ...(Object.fromEntries(
    fieldsOf(platform).map(([property, { column }]) => [column, app[property as keyof App<P>]]),
  ) as object),
  created_at: app.createdAt.toISOString(),
  updated_at: app.updatedAt.toISOString(),
});

/** Returns the names of the fields that null clears. */
export const nullableFields = (platform: AppPlatform): string =>
  new Intl.ListFormat('en-GB').format(
    fieldsOf(platform).flatMap(([, { column, default: fallback }]) => (fallback === null ? `\`${column}\`` : [])),
  );
