import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { linkPath } from '../link-paths/custom-path';
import { forwardedParams, type QueryForwarding, queryForwardings } from '../../shared/query-forwarding';
import { limitsOf } from '../../shared/rule';
import { displayName } from '../../shared/text';
import { described } from './described-fields';
import {
  type DynamicLink,
  type DynamicLinkWithApps,
  externalId,
  linkTitle,
  notes,
  socialDescription,
  socialTitle,
} from './dynamic-link';
import { asObject } from './referrer-params';

const nullable = true;

/** Describes the response of create and update, without summaries of the apps. */
@ApiSchema({ name: 'DynamicLink' })
export class DynamicLinkDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000002' })
  id: string;

  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000001' })
  project_id: string;

  @ApiProperty({ maxLength: displayName.schema.maxLength, ...described.name })
  name: string;

  @ApiProperty({ type: 'string', nullable, ...limitsOf(linkPath), ...described.custom_path })
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

  @ApiProperty({ type: 'string', enum: queryForwardings, nullable, ...described.query_forwarding })
  query_forwarding: QueryForwarding | null;

  @ApiProperty({ type: [String], maxItems: forwardedParams.schema.maxItems, ...described.forwarded_params })
  forwarded_params: string[];

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
      query_forwarding: link.queryForwarding,
      forwarded_params: [...link.forwardedParams],
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

/** A link in a list, with its clicks if they were asked for. */
@ApiSchema({ name: 'DynamicLinkListItem' })
export class DynamicLinkListItemDto extends DynamicLinkWithAppsDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'Clicks of the last 30 days, with `include=clicks`.',
    example: 12,
  })
  clicks?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'All clicks that are kept, with `include=clicks`.',
    example: 340,
  })
  clicks_total?: number;
}

export class DynamicLinkResponse extends dataOf(DynamicLinkDto) {}
export class DynamicLinkWithAppsResponse extends dataOf(DynamicLinkWithAppsDto) {}
export class DynamicLinkPage extends pageOf(DynamicLinkListItemDto) {}
