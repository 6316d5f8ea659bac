import { ApiProperty, ApiSchema, OmitType } from '@nestjs/swagger';
import { IsDisplayName, IsJsonBoolean, IsQueryChoice, IsResourceId, IsSearchText } from '../kit/field.decorators';
import { IsSortKey, ListQuery } from '../kit/list-query';
import { omitUndefined } from '../kit/omit-undefined';
import { dataOf, pageOf } from '../openapi/envelopes';
import type { ErrorCase } from '../openapi/error-examples';
import { customPath, type LinkPath } from '../link-paths/custom-path';
import { IsCustomPath } from '../link-paths/custom-path.decorator';
import { limitsOf } from '../../shared/rule';
import { displayName } from '../../shared/text';
import type { DestinationUrl } from './destination-url';
import {
  type ArchivedChoice,
  archivedChoices,
  type DynamicLink,
  type DynamicLinkChanges,
  type DynamicLinkSortKey,
  type DynamicLinkWithApps,
  externalId,
  linkTitle,
  type NewDynamicLink,
  notes,
  socialDescription,
  socialTitle,
} from './dynamic-link';
import {
  IsDestinationUrl,
  IsExternalId,
  IsLinkTitle,
  IsNotes,
  IsReferrerParams,
  IsSocialDescription,
  IsSocialTitle,
} from './dynamic-links.decorators';
import { IsTagName, IsTagNames } from '../tags/tags.decorators';
import { asObject, type ReferrerParams } from './referrer-params';

const described = {
  name: { description: 'Internal display name.', example: 'Summer sale' },
  custom_path: {
    description:
      "Path under the project's host, case-sensitive. It is unique among the custom paths and slugs of the project. " +
      '`robots.txt`, `favicon.ico` and `apple-app-site-association` are reserved.',
    example: 'summer/sale',
  },
  desktop_url: {
    description: 'Destination for desktop users, and for other users if no better destination is set.',
    example: 'https://shop.example.com/sale',
  },
  ios_app_id: {
    description: 'Id of a registered iOS app of the same project.',
    example: '0198c0de-7e57-7000-8000-0000000000b1',
  },
  android_app_id: {
    description: 'Id of a registered Android app of the same project.',
    example: '0198c0de-7e57-7000-8000-0000000000b2',
  },
  ios_fallback_url: {
    description: 'Destination for iOS users who do not have the app.',
    example: 'https://shop.example.com/ios',
  },
  android_fallback_url: {
    description: 'Destination for Android users who do not have the app.',
    example: 'https://shop.example.com/android',
  },
  ios_deferred_deep_link: {
    description:
      'Whether iOS users see the page "Get the app", so that the app can open this link after its installation. ' +
      'The Pro plan or a higher plan is required.',
    example: false,
  },
  social_title: { description: 'Open Graph title.', example: 'Summer sale' },
  social_description: { description: 'Open Graph description.', example: 'Everything must go.' },
  social_image_url: { description: 'URL of the Open Graph image.', example: 'https://shop.example.com/sale.png' },
  referrer_params: {
    description:
      'Query parameters added to the destination, for attribution. At most 50 parameters; keys have 1 to 100 characters.',
    example: { utm_source: 'newsletter' },
  },
  external_id: {
    description: 'Id of the link in your system, unique in the project and case-sensitive.',
    example: 'crm-4711',
  },
  title: {
    description: 'Title for people. Pages of the service show it if the link has no `social_title`.',
    example: 'Summer sale in our shops',
  },
  notes: { description: 'Notes for your team, which visitors never see.', example: 'Printed on the flyers of June.' },
  archived: {
    description: 'Whether lists hide the link unless they are asked for archived links. It keeps working.',
    example: false,
  },
  disabled: {
    description: 'Whether visitors get a page with the status 410 instead of the destination.',
    example: false,
  },
  tags: {
    description:
      'Names of tags, at most 20. Letter case does not distinguish them. A name that the project does not have becomes a new tag; ' +
      'one that it has is shown in its spelling.',
    example: ['Newsletter', 'Summer'],
  },
};

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

  @IsDestinationUrl({ ...described.social_image_url, optional })
  social_image_url?: DestinationUrl;

  @IsReferrerParams({ ...described.referrer_params, optional })
  referrer_params?: ReferrerParams;

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

  @IsDestinationUrl({ ...described.social_image_url, optional, nullable })
  social_image_url?: DestinationUrl | null;

  @IsReferrerParams({ ...described.referrer_params, optional, nullable })
  referrer_params?: ReferrerParams | null;

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
    externalId: body.external_id,
    title: body.title,
    notes: body.notes,
    archived: body.archived,
    disabled: body.disabled,
    tags: body.tags,
  });
}

export class ListDynamicLinksQuery extends ListQuery {
  @IsSearchText({ description: 'Case-insensitive substring of the name or the custom path.', example: 'summer' })
  search?: string;

  @IsSortKey(['name', 'custom_path', 'created_at', 'updated_at'])
  sortBy: DynamicLinkSortKey;

  @IsResourceId({
    description: 'Id of an iOS app; only links that reference it are listed.',
    example: described.ios_app_id.example,
    optional,
  })
  ios_app_id?: string;

  @IsResourceId({
    description: 'Id of an Android app; only links that reference it are listed.',
    example: described.android_app_id.example,
    optional,
  })
  android_app_id?: string;

  @IsExternalId({ description: 'External id; only the link that has it is listed.', example: 'crm-4711', optional })
  external_id?: string;

  @IsQueryChoice(archivedChoices, {
    default: 'false',
    description: '`false`: links that are not archived. `true`: archived links only. `any`: both.',
  })
  archived: ArchivedChoice;

  @IsTagName({ description: 'Name of a tag; only links that have it are listed.', example: 'Newsletter', optional })
  tag?: string;

  @IsTagName({ description: 'Name of a tag; links that have it are not listed.', example: 'Draft', optional })
  exclude_tag?: string;
}

/** Describes the response of create and update, without summaries of the apps. */
@ApiSchema({ name: 'DynamicLink' })
export class DynamicLinkDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000002' })
  id: string;

  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000001' })
  project_id: string;

  @ApiProperty({ maxLength: displayName.schema.maxLength, ...described.name })
  name: string;

  @ApiProperty({ type: 'string', nullable, ...limitsOf(customPath), ...described.custom_path })
  custom_path: string | null;

  @ApiProperty({
    format: 'uri',
    description: "URL of the link, built from the project's current host and the path.",
    example: 'https://summer.go.example.com/summer/sale',
  })
  full_url: string;

  @ApiProperty({ type: 'string', format: 'uri', nullable, ...described.desktop_url })
  desktop_url: string | null;

  @ApiProperty({ type: 'string', format: 'uuid', nullable, ...described.ios_app_id })
  ios_app_id: string | null;

  @ApiProperty({ type: 'string', format: 'uuid', nullable, ...described.android_app_id })
  android_app_id: string | null;

  @ApiProperty({ type: 'string', format: 'uri', nullable, ...described.ios_fallback_url })
  ios_fallback_url: string | null;

  @ApiProperty({ type: 'string', format: 'uri', nullable, ...described.android_fallback_url })
  android_fallback_url: string | null;

  @ApiProperty(described.ios_deferred_deep_link)
  ios_deferred_deep_link: boolean;

  @ApiProperty({ type: 'string', nullable, maxLength: socialTitle.schema.maxLength, ...described.social_title })
  social_title: string | null;

  @ApiProperty({
    type: 'string',
    nullable,
    maxLength: socialDescription.schema.maxLength,
    ...described.social_description,
  })
  social_description: string | null;

  @ApiProperty({ type: 'string', format: 'uri', nullable, ...described.social_image_url })
  social_image_url: string | null;

  @ApiProperty({ type: 'object', nullable, additionalProperties: { type: 'string' }, ...described.referrer_params })
  referrer_params: Record<string, string> | null;

  @ApiProperty({ type: 'string', nullable, ...limitsOf(externalId), ...described.external_id })
  external_id: string | null;

  @ApiProperty({ type: 'string', nullable, maxLength: linkTitle.schema.maxLength, ...described.title })
  title: string | null;

  @ApiProperty({ type: 'string', nullable, maxLength: notes.schema.maxLength, ...described.notes })
  notes: string | null;

  @ApiProperty(described.archived)
  archived: boolean;

  @ApiProperty(described.disabled)
  disabled: boolean;

  @ApiProperty({ type: 'array', items: { type: 'string' }, ...described.tags })
  tags: string[];

  @ApiProperty({
    type: 'string',
    nullable,
    description: 'System that the link was imported from; null if it was created here.',
    example: null,
  })
  imported_from: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable,
    description: 'Time of its creation in that system; null if unknown.',
    example: null,
  })
  original_created_at: string | null;

  @ApiProperty({
    type: 'integer',
    format: 'int64',
    nullable,
    description: 'Clicks that the link had in that system; null if unknown. Statistics do not include them.',
    example: null,
  })
  original_clicks: number | null;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  updated_at: string;

  static of(link: DynamicLink, fullUrl: string): DynamicLinkDto {
    return {
      id: link.id,
      project_id: link.projectId,
      name: link.name,
      custom_path: link.customPath,
      full_url: fullUrl,
      desktop_url: link.desktopUrl,
      ios_app_id: link.iosAppId,
      android_app_id: link.androidAppId,
      ios_fallback_url: link.iosFallbackUrl,
      android_fallback_url: link.androidFallbackUrl,
      ios_deferred_deep_link: link.iosDeferredDeepLink,
      social_title: link.socialTitle,
      social_description: link.socialDescription,
      social_image_url: link.socialImageUrl,
      referrer_params: link.referrerParams && asObject(link.referrerParams),
      external_id: link.externalId,
      title: link.title,
      notes: link.notes,
      archived: link.archived,
      disabled: link.disabled,
      tags: [...link.tags],
      imported_from: link.importedFrom,
      original_created_at: link.originalCreatedAt?.toISOString() ?? null,
      original_clicks: link.originalClicks === null ? null : Number(link.originalClicks),
      created_at: link.createdAt.toISOString(),
      updated_at: link.updatedAt.toISOString(),
    };
  }
}

export class IosAppSummary {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-0000000000b1' })
  id: string;

  @ApiProperty({ example: 'Shop' })
  name: string;

  @ApiProperty({ example: 'com.example.shop' })
  bundle_id: string;
}

export class AndroidAppSummary {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-0000000000b2' })
  id: string;

  @ApiProperty({ example: 'Shop' })
  name: string;

  @ApiProperty({ example: 'com.example.shop' })
  package_name: string;
}

/** Describes the response of get and list. */
@ApiSchema({ name: 'DynamicLinkWithApps' })
export class DynamicLinkWithAppsDto extends DynamicLinkDto {
  @ApiProperty({ type: IosAppSummary, nullable, description: 'Summary of the app that `ios_app_id` names.' })
  ios_apps: IosAppSummary | null;

  @ApiProperty({ type: AndroidAppSummary, nullable, description: 'Summary of the app that `android_app_id` names.' })
  android_apps: AndroidAppSummary | null;

  static withApps(link: DynamicLinkWithApps, fullUrl: string): DynamicLinkWithAppsDto {
    return Object.assign(DynamicLinkDto.of(link, fullUrl), { ios_apps: link.iosApp, android_apps: link.androidApp });
  }
}

export class DynamicLinkResponse extends dataOf(DynamicLinkDto) {}
export class DynamicLinkWithAppsResponse extends dataOf(DynamicLinkWithAppsDto) {}
export class DynamicLinkPage extends pageOf(DynamicLinkWithAppsDto) {}
