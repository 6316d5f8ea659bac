import { ApiSchema } from '@nestjs/swagger';
import { answer, idAnswer, projectIdAnswer, timeAnswers } from '../../api-kit/kit/answer';
import { IsSearchText } from '../../api-kit/kit/field.decorators';
import {
  answersOf,
  bodyReader,
  CreatesFields,
  fieldsRenderer,
  UpdatesFields,
} from '../../api-kit/kit/field-table.decorators';
import { IsSortKey, ListQuery } from '../../api-kit/kit/list-query';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { type CreateBody, shapeOf, type UpdateBody } from '../../shared/field-table';
import type { LinkTemplate, NewTemplate, TemplateChanges, TemplateSortKey } from './link-template';
import { type TemplateFields, templateFields } from './template-fields';

const { name: _, ...changedFields } = templateFields;

@CreatesFields(templateFields)
export class CreateLinkTemplateBody extends shapeOf<CreateBody<TemplateFields>>() {}

@UpdatesFields(changedFields)
export class UpdateLinkTemplateBody extends shapeOf<UpdateBody<Omit<TemplateFields, 'name'>>>() {}

export const toTemplate: (body: CreateLinkTemplateBody) => NewTemplate = bodyReader(templateFields);
export const toTemplateChanges: (body: UpdateLinkTemplateBody) => TemplateChanges = bodyReader(changedFields);

export class ListLinkTemplatesQuery extends ListQuery {
  @IsSearchText({ description: 'Case-insensitive substring of the name.', example: 'news' })
  search?: string;

  @IsSortKey(['name', 'created_at', 'updated_at'])
  sortBy: TemplateSortKey;
}

const render = fieldsRenderer(templateFields);

@ApiSchema({ name: 'LinkTemplate' })
export class LinkTemplateDto extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-00000000000d'),
  project_id: projectIdAnswer,
  ...answersOf(templateFields),
  ...timeAnswers,
}) {
  static of(this: void, template: LinkTemplate): LinkTemplateDto {
    return LinkTemplateDto.render(template, render({}, template));
  }
}

export class LinkTemplateResponse extends dataOf(LinkTemplateDto) {}
export class LinkTemplatePage extends pageOf(LinkTemplateDto) {}
