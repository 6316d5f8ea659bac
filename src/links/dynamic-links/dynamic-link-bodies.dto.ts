import { OmitType } from '@nestjs/swagger';
import {
  IsDisplayName,
  IsForwardedParams,
  IsJsonBoolean,
  IsQueryForwarding,
  IsResourceId,
  IsWebUrl,
} from '../../api-kit/kit/field.decorators';
import type { QueryForwarding } from '../../shared/query-forwarding';
import { omitUndefined } from '../../api-kit/kit/omit-undefined';
import type { ErrorCase } from '../../api-kit/openapi/error-examples';
import type { LinkPath } from '../link-paths/custom-path';
import { IsCustomPath } from '../link-paths/custom-path.decorator';
import { described } from './described-fields';
import type { DestinationUrl } from '../../shared/destination-url';
import type { DynamicLinkChanges, NewDynamicLink } from './dynamic-link';
import {
  IsDestinationUrl,
  IsExternalId,
  IsLinkTitle,
  IsNotes,
  IsReferrerParams,
  IsSocialDescription,
  IsSocialTitle,
} from './dynamic-links.decorators';
import { IsTagNames } from '../tags/tags.decorators';
import type { ReferrerParams } from './referrer-params';

const optional = true;
const nullable = true;

/** The errors that a body with the fields of a dynamic link can cause, for the API description. */
export const errorsOfLinkBody: ErrorCase[] = [
  'INVALID_INPUT',
  'FORBIDDEN_FIELD',
  'ACCESS_DENIED',
  'FORBIDDEN_PLAN',
  'FORBIDDEN_CROSS_SCOPE',
  'NOT_FOUND',
  'IOS_APP_NOT_FOUND',
  'ANDROID_APP_NOT_FOUND',
  'CUSTOM_PATH_EXISTS',
  'EXTERNAL_ID_EXISTS',
];

export class CreateDynamicLinkBody {
  @IsDisplayName(described.name)
  name: string;

  @IsCustomPath({
    ...described.custom_path,
    description: `${described.custom_path.description} Default: eight random letters and digits.`,
    optional,
  })
  custom_path?: LinkPath;

  @IsDestinationUrl({ ...described.desktop_url, optional })
  desktop_url?: DestinationUrl;

  @IsResourceId({ ...described.ios_app_id, optional })
  ios_app_id?: string;

  @IsResourceId({ ...described.android_app_id, optional })
  android_app_id?: string;

  @IsDestinationUrl({ ...described.ios_fallback_url, optional })
  ios_fallback_url?: DestinationUrl;

  @IsDestinationUrl({ ...described.android_fallback_url, optional })
  android_fallback_url?: DestinationUrl;

  @IsJsonBoolean({ ...described.ios_deferred_deep_link, shownDefault: false, optional })
  ios_deferred_deep_link?: boolean;

  @IsSocialTitle({ ...described.social_title, optional })
  social_title?: string;

  @IsSocialDescription({ ...described.social_description, optional })
  social_description?: string;

  @IsWebUrl({ ...described.social_image_url, optional })
  social_image_url?: DestinationUrl;

  @IsReferrerParams({ ...described.referrer_params, optional })
  referrer_params?: ReferrerParams;

  @IsQueryForwarding({ ...described.query_forwarding, optional })
  query_forwarding?: QueryForwarding;

  @IsForwardedParams({ ...described.forwarded_params, optional })
  forwarded_params?: string[];

  @IsExternalId({ ...described.external_id, optional })
  external_id?: string;

  @IsLinkTitle({ ...described.title, optional })
  title?: string;

  @IsNotes({ ...described.notes, optional })
  notes?: string;

  @IsJsonBoolean({ ...described.archived, shownDefault: false, optional })
  archived?: boolean;

  @IsJsonBoolean({ ...described.disabled, shownDefault: false, optional })
  disabled?: boolean;

  @IsTagNames({ ...described.tags, optional })
  tags?: string[];

  static toLink(body: CreateDynamicLinkBody): NewDynamicLink {
    return { ...toChanges(body), name: body.name };
  }
}

export class UpdateDynamicLinkBody {
  @IsDisplayName({ ...described.name, optional })
  name?: string;

  @IsCustomPath({ ...described.custom_path, optional })
  custom_path?: LinkPath;

  @IsDestinationUrl({ ...described.desktop_url, optional, nullable })
  desktop_url?: DestinationUrl | null;

  @IsResourceId({ ...described.ios_app_id, optional, nullable })
  ios_app_id?: string | null;

  @IsResourceId({ ...described.android_app_id, optional, nullable })
  android_app_id?: string | null;

  @IsDestinationUrl({ ...described.ios_fallback_url, optional, nullable })
  ios_fallback_url?: DestinationUrl | null;

  @IsDestinationUrl({ ...described.android_fallback_url, optional, nullable })
  android_fallback_url?: DestinationUrl | null;

  @IsJsonBoolean({ ...described.ios_deferred_deep_link, optional })
  ios_deferred_deep_link?: boolean;

  @IsSocialTitle({ ...described.social_title, optional, nullable })
  social_title?: string | null;

  @IsSocialDescription({ ...described.social_description, optional, nullable })
  social_description?: string | null;

  @IsWebUrl({ ...described.social_image_url, optional, nullable })
  social_image_url?: DestinationUrl | null;

  @IsReferrerParams({ ...described.referrer_params, optional, nullable })
  referrer_params?: ReferrerParams | null;

  @IsQueryForwarding({ ...described.query_forwarding, optional, nullable })
  query_forwarding?: QueryForwarding | null;

  @IsForwardedParams({ ...described.forwarded_params, optional })
  forwarded_params?: string[];

  @IsExternalId({ ...described.external_id, optional, nullable })
  external_id?: string | null;

  @IsLinkTitle({ ...described.title, optional, nullable })
  title?: string | null;

  @IsNotes({ ...described.notes, optional, nullable })
  notes?: string | null;

  @IsJsonBoolean({ ...described.archived, optional })
  archived?: boolean;

  @IsJsonBoolean({ ...described.disabled, optional })
  disabled?: boolean;

  @IsTagNames({ ...described.tags, optional })
  tags?: string[];
}

/** A body of a replacement, whose path has the external id. */
export class ReplaceDynamicLinkBody extends OmitType(CreateDynamicLinkBody, ['external_id']) {}

/** Converts the body. Absent fields stay absent, because an update does not change them. */
export function toChanges(body: UpdateDynamicLinkBody): DynamicLinkChanges {
  return omitUndefined({
    name: body.name,
    customPath: body.custom_path,
    desktopUrl: body.desktop_url,
    iosAppId: body.ios_app_id,
    androidAppId: body.android_app_id,
    iosFallbackUrl: body.ios_fallback_url,
    androidFallbackUrl: body.android_fallback_url,
    iosDeferredDeepLink: body.ios_deferred_deep_link,
    socialTitle: body.social_title,
    socialDescription: body.social_description,
    socialImageUrl: body.social_image_url,
    referrerParams: body.referrer_params,
    queryForwarding: body.query_forwarding,
    forwardedParams: body.forwarded_params,
    externalId: body.external_id,
    title: body.title,
    notes: body.notes,
    archived: body.archived,
    disabled: body.disabled,
    tags: body.tags,
  });
}
