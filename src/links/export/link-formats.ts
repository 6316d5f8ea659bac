import { DynamicLinkDto, DynamicLinkWithAppsDto } from '../dynamic-links/dynamic-link.dto';
import type { DynamicLinkWithApps } from '../dynamic-links/dynamic-link';
import { byteOrderMark, type CsvCell, csvList, csvRecord, type Delimiter } from '../../api-kit/kit/csv';

export const exportFormats = ['csv', 'ndjson', 'signpost'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Delimiters of cells of CSV by name. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const satisfies Record<string, Delimiter>;
export type DelimiterName = keyof typeof delimiters;

interface LinkFormat {
  mediaType: string;
  /** End of the file's name. */
  extension: string;
  head: (delimiter: Delimiter) => string;
  write: (link: DynamicLinkWithApps, fullUrl: string, delimiter: Delimiter) => string;
}

/** Returns what another project needs for the same link: apps by their names at Apple and Google, and no ids of this project. */
export function toPortableLink(link: DynamicLinkWithApps) {
  const fields = DynamicLinkDto.of(link, '');
  return {
    name: fields.name,
    custom_path: fields.custom_path,
    desktop_url: fields.desktop_url,
    ios_bundle_id: link.iosApp?.bundle_id ?? null,
    android_package_name: link.androidApp?.package_name ?? null,
    ios_fallback_url: fields.ios_fallback_url,
    android_fallback_url: fields.android_fallback_url,
    ios_deferred_deep_link: fields.ios_deferred_deep_link,
    social_title: fields.social_title,
    social_description: fields.social_description,
    social_image_url: fields.social_image_url,
    referrer_params: fields.referrer_params,
    query_forwarding: fields.query_forwarding,
    forwarded_params: fields.forwarded_params,
    external_id: fields.external_id,
    title: fields.title,
    notes: fields.notes,
    archived: fields.archived,
    disabled: fields.disabled,
    tags: fields.tags,
    // An import stores these, so that its export is equal.
    imported_from: fields.imported_from ?? 'signpost',
    original_created_at: fields.original_created_at ?? fields.created_at,
    original_clicks: fields.original_clicks,
  };
}

function columnsOf(link: DynamicLinkWithApps, fullUrl: string): Record<string, CsvCell> {
  const { referrer_params: params, forwarded_params: forwarded, tags, ...portable } = toPortableLink(link);
  const fields = DynamicLinkDto.of(link, fullUrl);
  return {
    id: fields.id,
    full_url: fields.full_url,
    ...portable,
    referrer_params: params && JSON.stringify(params),
    forwarded_params: forwarded.length === 0 ? null : csvList(forwarded),
    tags: tags.length === 0 ? null : csvList(tags),
    imported_from: fields.imported_from,
    original_created_at: fields.original_created_at,
    created_at: fields.created_at,
    updated_at: fields.updated_at,
  };
}

/** Columns of the CSV, in their order. */
export const csvColumns = [
  'id',
  'name',
  'full_url',
  'custom_path',
  'desktop_url',
  'ios_bundle_id',
  'android_package_name',
  'ios_fallback_url',
  'android_fallback_url',
  'ios_deferred_deep_link',
  'social_title',
  'social_description',
  'social_image_url',
  'referrer_params',
  'query_forwarding',
  'forwarded_params',
  'external_id',
  'title',
  'notes',
  'archived',
  'disabled',
  'tags',
  'imported_from',
  'original_created_at',
  'original_clicks',
  'created_at',
  'updated_at',
];

const line = (value: object): string => `${JSON.stringify(value)}\n`;

export const linkFormats: Record<ExportFormat, LinkFormat> = {
  csv: {
    mediaType: 'text/csv',
    extension: 'csv',
    head: (delimiter) => byteOrderMark + csvRecord(csvColumns, delimiter),
    write: (link, fullUrl, delimiter) => {
      const columns = columnsOf(link, fullUrl);
      return csvRecord(
        csvColumns.map((name) => columns[name] ?? null),
        delimiter,
      );
    },
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    extension: 'ndjson',
    head: () => '',
    write: (link, fullUrl) => line(DynamicLinkWithAppsDto.withApps(link, fullUrl)),
  },
  signpost: {
    mediaType: 'application/x-ndjson',
    extension: 'signpost.ndjson',
    head: () => '',
    write: (link) => line(toPortableLink(link)),
  },
};
