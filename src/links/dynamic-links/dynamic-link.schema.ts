import { EntitySchema } from 'typeorm';
import { DynamicLink, type TagIds } from './dynamic-link';

export const DynamicLinkSchema = new EntitySchema<DynamicLink & TagIds>({
  name: 'DynamicLink',
  target: DynamicLink,
  tableName: 'dynamic_links',
  columns: {
    id: { type: 'uuid', primary: true },
    projectId: { type: 'uuid', name: 'project_id' },
    name: { type: 'text' },
    customPath: { type: 'text', name: 'custom_path' },
    desktopUrl: { type: 'text', name: 'desktop_url', nullable: true },
    iosAppId: { type: 'uuid', name: 'ios_app_id', nullable: true },
    androidAppId: { type: 'uuid', name: 'android_app_id', nullable: true },
    iosFallbackUrl: { type: 'text', name: 'ios_fallback_url', nullable: true },
    androidFallbackUrl: { type: 'text', name: 'android_fallback_url', nullable: true },
    iosDeferredDeepLink: { type: 'boolean', name: 'ios_deferred_deep_link' },
    socialTitle: { type: 'text', name: 'social_title', nullable: true },
    socialDescription: { type: 'text', name: 'social_description', nullable: true },
    socialImageUrl: { type: 'text', name: 'social_image_url', nullable: true },
    referrerParams: { type: 'jsonb', name: 'referrer_params', nullable: true },
    queryForwarding: { type: 'text', name: 'query_forwarding', nullable: true },
    forwardedParams: { type: 'text', name: 'forwarded_params', array: true },
    externalId: { type: 'text', name: 'external_id', nullable: true },
    title: { type: 'text', nullable: true },
    notes: { type: 'text', nullable: true },
    archived: { type: 'boolean' },
    disabled: { type: 'boolean' },
    // Links are read with the names of their tags.
    tagIds: { type: 'uuid', name: 'tag_ids', array: true, select: false },
    importedFrom: { type: 'text', name: 'imported_from', nullable: true },
    originalCreatedAt: { type: 'timestamptz', name: 'original_created_at', nullable: true },
    originalClicks: { type: 'bigint', name: 'original_clicks', nullable: true },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
    updatedAt: { type: 'timestamptz', name: 'updated_at', updateDate: true },
  },
});
