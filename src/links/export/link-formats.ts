import { DynamicLinkDto, DynamicLinkWithAppsDto } from '../dynamic-links/dynamic-link.dto';
import { readableLinkFields } from '../dynamic-links/link-fields';
import type { DynamicLinkWithApps } from '../dynamic-links/dynamic-link';
import { byteOrderMark, type CsvCell, csvList, csvRecord, type Delimiter } from '../../api-kit/kit/csv';

export const exportFormats = ['csv', 'ndjson', 'signpost'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Delimiters of cells of CSV by name. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const satisfies Record<string, Delimiter>;
export type DelimiterName = keyof typeof delimiters;

interface LinkFormat {
  mediaType: string;
  extension: string;
  head: (delimiter: Delimiter) => string;
  write: (link: DynamicLinkWithApps, fullUrl: string, delimiter: Delimiter) => string;
}

const appColumns: Record<string, string> = { ios_app_id: 'ios_bundle_id', android_app_id: 'android_package_name' };

/** The fields of an export by the fields of an answer. Apps have their names at Apple and Google. */
const exported = Object.keys(readableLinkFields).map((name) => [name, appColumns[name] ?? name] as const);

/** Returns what another project needs for the same link, without ids of this project. */
export function toPortableLink(link: DynamicLinkWithApps): Record<string, unknown> {
  const fields = DynamicLinkDto.of(link, '');
  const apps = { ios_app_id: link.iosApp?.bundle_id ?? null, android_app_id: link.androidApp?.package_name ?? null };
  const values = { ...fields, ...apps };
  const portable: Record<string, unknown> = {};
  for (const [name, column] of exported) portable[column] = values[name as keyof typeof values];
  // An import reports it, because no export has a password.
  if (fields.has_password) portable.has_password = true;
  // An import stores these, so that its export is equal.
  portable.imported_from = fields.imported_from ?? 'signpost';
  portable.original_created_at = fields.original_created_at ?? fields.created_at;
  portable.original_clicks = fields.original_clicks;
  return portable;
}

/** Returns the values of the CSV by column. */
const columnsOf = (link: DynamicLinkWithApps, fullUrl: string): Record<string, unknown> =>
  Object.assign(toPortableLink(link), DynamicLinkDto.of(link, fullUrl));

function toCell(value: unknown): CsvCell {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? null : csvList(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ((value ?? null) as CsvCell);
}

const [nameColumn, ...furtherColumns] = exported.map(([, column]) => column);

export const csvColumns: string[] = [
  'id',
  nameColumn!,
  'full_url',
  ...furtherColumns,
  'has_password',
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
        csvColumns.map((name) => toCell(columns[name])),
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
