import { OmitType } from '@nestjs/swagger';
import { bodyReader, CreatesFields, UpdatesFields } from '../../api-kit/kit/field-table.decorators';
import type { ErrorCase } from '../../api-kit/openapi/error-examples';
import { type CreateBody, shapeOf, type UpdateBody } from '../../shared/field-table';
import type { DynamicLinkChanges, NewDynamicLink } from './dynamic-link';
import { type LinkFields, linkFields } from './link-fields';

/** The particular errors of a body with the fields of a dynamic link, for the API description. */
export const errorsOfLinkBody: ErrorCase[] = [
  'DESTINATION_REFUSED',
  'FORBIDDEN_PLAN',
  'FORBIDDEN_CROSS_SCOPE',
  'IOS_APP_NOT_FOUND',
  'ANDROID_APP_NOT_FOUND',
  'CUSTOM_PATH_EXISTS',
  'EXTERNAL_ID_EXISTS',
];

@CreatesFields(linkFields)
export class CreateDynamicLinkBody extends shapeOf<CreateBody<LinkFields>>() {
  static toLink(body: CreateDynamicLinkBody): NewDynamicLink {
    return { ...toChanges(body), name: body.name };
  }
}

@UpdatesFields(linkFields)
export class UpdateDynamicLinkBody extends shapeOf<UpdateBody<LinkFields>>() {}

/** A body of a replacement, whose path has the external id. */
export class ReplaceDynamicLinkBody extends OmitType(CreateDynamicLinkBody, ['external_id']) {}

/** Converts the body. Absent fields stay absent, because an update does not change them. */
export const toChanges: (body: UpdateDynamicLinkBody) => DynamicLinkChanges = bodyReader(linkFields);
