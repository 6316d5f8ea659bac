import type { AllowedDestinations } from '../../links/projects/allowed-destinations';
import type { LinkOriginFields } from '../../links/dynamic-links/dynamic-link';
import type { DateFormat } from './source-time';
import type { Encoding } from './text-encoding';

/** A record of a source: the cells of a CSV row by header, or a JSON object. */
export type SourceRecord = Readonly<Record<string, unknown>>;

/** Describes a link that a record asks for, in the words of the API's body of creation. */
export interface ImportedLink {
  /** Host that served the link, in lower case; null if the record names none. */
  host: string | null;
  /** Path without the leading slash; null if Signpost shall generate one. */
  path: string | null;
  /**
   * Fields of the body of creation, without `custom_path`. `name` is always present. Each value passes the rule of its field,
   * so that a refusal has the source's name of the field.
   */
  body: Record<string, unknown>;
  origin: LinkOriginFields;
}

/** A value that has no place in Signpost. It is reported, because an import drops nothing silently. */
export interface UnmappedField {
  field: string;
  value: string;
  /** The platform of an app that the project lacks, whose identifier is the value; absent for other values. */
  app?: 'ios' | 'android';
}

/** The field of an entry that says how many values of a record have no entry, because their number is limited. */
export const furtherValues = '…';

/** The outcome of one record. `link` is null if there is a refusal. */
export interface MappedRecord {
  link: ImportedLink | null;
  unmapped: UnmappedField[];
  /** Reasons why the record cannot become a link, by the source's names of fields. */
  refusals: { field: string; reason: string }[];
}

export interface SourceContext {
  /** Bundle id as `foldBundleId` writes it → id of the iOS app. */
  iosApps: ReadonlyMap<string, string>;
  /** Package name → id of the Android app. */
  androidApps: ReadonlyMap<string, string>;
  /** Names of the templates of the project. */
  templates: ReadonlySet<string>;
  /** Hosts of the project's links, in lower case. */
  hosts: ReadonlySet<string>;
  /** Where the links of the project may lead. */
  allowed: AllowedDestinations;
  options: ImportOptions;
}

export interface ImportOptions {
  /** The encoding of the file; UTF-8 by default. */
  readonly encoding?: Encoding;
  /** The zone of times without an offset; UTC by default. */
  readonly time_zone?: string;
  /** The order of day and month in dates such as `03/04/2024`; `iso` by default, which refuses them. */
  readonly date_format?: DateFormat;
  /** Header → target; null leaves the column out on purpose. Of the source `csv`. */
  readonly columns?: Readonly<Record<string, string | null>>;
}

/** Maps the records of one system. A mapper is pure: it reads no clock, file or network. */
export interface ImportSource {
  name: string;
  map(record: SourceRecord, context: SourceContext): MappedRecord;
}
