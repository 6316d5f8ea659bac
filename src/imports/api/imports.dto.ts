import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { readJson } from '../../platform/http/json-limits';
import type { ImportOptions } from '../sources/import-source';
import { importOptions } from '../sources/import-options';
import { importSources } from '../sources/import-sources';
import { IsQueryChoice } from '../../api-kit/kit/field.decorators';
import { PageQuery } from '../../api-kit/kit/list-query';
import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';
import {
  conflictPolicies,
  type ConflictPolicy,
  type Import,
  type ImportFailureCode,
  importFailureCodes,
  importFormats,
} from '../model/import';
import type { RowRecord } from '../files/row-record';
import { importStates } from '../model/import-state';
import { type ImportRow, type Outcome, outcomes } from '../model/import-row';
import { maxSummed, type UnmappedSummary } from '../model/unmapped-summary';

export const sourceNames = [...importSources.keys()];

const maxOptionsLength = 8000;
const limitedText = text({ max: maxOptionsLength });

/** Reads options of a source: JSON, because a query has text only. */
const optionsText = new Rule<ImportOptions>({ type: 'string', maxLength: maxOptionsLength }, (value) => {
  const textResult = limitedText.safeParse(value);
  if ('problems' in textResult) return textResult;
  // Functions that visit each level would exceed the stack. Each character is less than a value.
  const reading = readJson(textResult.value, 3 * maxOptionsLength);
  if ('value' in reading) return importOptions.safeParse(reading.value);
  return reading.fault === 'not_json'
    ? refused('invalid_json', 'must be a JSON object')
    : refused('too_big', 'must not nest arrays and objects too deep');
});

const IsOptionsText = ruleDecorator(optionsText);

export class CreateImportQuery {
  @IsQueryChoice(sourceNames, { description: 'System that the file comes from.', default: 'signpost' })
  source: string;

  @IsQueryChoice(conflictPolicies, {
    description:
      'The treatment of a row whose path or external id a different link has. `skip`: the link stays. `replace`: it gets the ' +
      'fields of the row. `fail`: nothing is run.',
    default: 'skip',
  })
  conflict: ConflictPolicy;

  @IsOptionsText({
    description:
      'JSON object with options. `columns` maps columns of the source `csv` to fields. `time_zone` is that of times without one. ' +
      '`date_format` of dates such as `03/04/2024` is `day_first`, `month_first`, or `iso`, the default, which refuses them. ' +
      '`encoding` of the file is `utf-8`, the default, or `windows-1252`.',
    example: '{"columns":{"Slug":"custom_path","Target":"desktop_url"}}',
    optional: true,
  })
  options?: ImportOptions;
}

const IsOutcome = (place: string) =>
  IsQueryChoice(outcomes, {
    description: `Outcome; only rows that have it are ${place}.`,
    example: 'refused',
    optional: true,
  });

export class ListImportRowsQuery extends PageQuery {
  @IsOutcome('listed')
  outcome?: Outcome;
}

export class ImportReportQuery {
  @IsOutcome('in the report')
  outcome?: Outcome;
}

const RowCount = (description: string, example: number, minimum = 0) =>
  ApiProperty({ type: 'integer', minimum, description, example });

/** Describes a member that is null in the example. */
const NullProperty = (schema: object, description?: string) =>
  ApiProperty({ ...schema, nullable: true, description, example: null });

@ApiSchema({ name: 'ImportCounts' })
export class ImportCountsDto {
  @RowCount('Rows that create a link.', 2)
  created: number;

  @RowCount('Rows that replace the fields of a link.', 0)
  replaced: number;

  @RowCount('Rows whose link exists and is equal.', 0)
  unchanged: number;

  @RowCount('Rows whose path or external id a different link has.', 0)
  conflict: number;

  @RowCount('Rows that are no valid link.', 0)
  refused: number;
}

@ApiSchema({ name: 'UnmappedFieldCount' })
class UnmappedFieldCountDto {
  @ApiProperty({ description: 'Field of the source.', example: 'isi' })
  field: string;

  @RowCount('Rows that have a value of it without a place.', 2, 1)
  rows: number;

  @ApiProperty({ description: 'Value of the first row, cut to 100 characters.', example: '123456789' })
  example: string;
}

@ApiSchema({ name: 'MissingApp' })
class MissingAppDto {
  @ApiProperty({ enum: ['ios', 'android'], example: 'ios' })
  platform: string;

  @ApiProperty({ description: 'Bundle id or package name.', example: 'com.example.shop' })
  identifier: string;

  @RowCount('Rows that name it.', 2, 1)
  rows: number;
}

@ApiSchema({ name: 'UnmappedSummary' })
class UnmappedSummaryDto {
  @ApiProperty({
    type: [UnmappedFieldCountDto],
    description: `Fields with values that have no place in a link, the most frequent first; at most ${maxSummed}.`,
  })
  fields: UnmappedFieldCountDto[];

  @ApiProperty({
    type: [MissingAppDto],
    description: `Apps that rows name and the project lacks, the most frequent first; at most ${maxSummed}. Their links open no app.`,
  })
  missing_apps: MissingAppDto[];

  @ApiProperty({
    description: 'Whether there are no further fields and apps. Those that are listed are counted in all rows.',
    example: true,
  })
  complete: boolean;

  static of({ fields, missingApps, complete }: UnmappedSummary): UnmappedSummaryDto {
    const byRows = (a: { rows: number }, b: { rows: number }) => b.rows - a.rows;
    return { fields: fields.toSorted(byRows), missing_apps: missingApps.toSorted(byRows), complete };
  }
}

@ApiSchema({ name: 'Import' })
export class ImportDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000008' })
  id: string;

  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000001' })
  project_id: string;

  @ApiProperty({ enum: sourceNames, example: 'signpost' })
  source: string;

  @ApiProperty({
    enum: importFormats,
    description: 'Form of the rows. `api`: the API of the source has listed them.',
    example: 'ndjson',
  })
  format: string;

  @ApiProperty({ enum: conflictPolicies, example: 'skip' })
  conflict: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Options of the source.', example: {} })
  options: object;

  @ApiProperty({
    enum: importStates,
    description:
      '`uploading`: the file or the list arrives. `checking`: the dry run works. `ready`: it has ended, and the import can be run. `running`: ' +
      'the run works. `completed`, `cancelled` and `failed` are final.',
    example: 'ready',
  })
  state: string;

  @RowCount('Rows of the file or the list, as far as the dry run has found them.', 2)
  rows: number;

  @RowCount('Rows that the dry run or the run has done.', 2)
  processed: number;

  @NullProperty(
    { type: 'number', minimum: 0, maximum: 1 },
    'Part of the dry run or the run that is done; null if none works.',
  )
  progress: number | null;

  @NullProperty(
    { type: 'integer', minimum: 0 },
    'Seconds until the dry run or the run ends, at its pace so far; null if none works.',
  )
  remaining_seconds: number | null;

  @ApiProperty({
    type: ImportCountsDto,
    description: 'Processed rows by outcome. Before the run, they are a prediction.',
  })
  counts: ImportCountsDto;

  @ApiProperty({
    type: ImportCountsDto,
    nullable: true,
    description: 'Prediction of the dry run; null before the run.',
  })
  predicted: ImportCountsDto | null;

  @ApiProperty({
    type: UnmappedSummaryDto,
    description: 'Values without a place in a link, of the processed rows. The run counts them anew.',
  })
  unmapped: UnmappedSummaryDto;

  @NullProperty(
    { type: 'string', enum: [...importFailureCodes, null] },
    'Reason of the state `failed`. `conflict`: the policy forbids it. `broken_file`, `too_many_rows`: of the file. `quota_reached`: of ' +
      'bytes. `too_expensive`: the import has ended its process twice. Others: the list of another system was not read.',
  )
  failure_code: ImportFailureCode | null;

  @NullProperty({ type: 'string' }, 'Reason of the state `failed`, and what to do, in English.')
  failure: string | null;

  @NullProperty({ type: 'string', format: 'date-time' })
  finished_at: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  updated_at: string;

  static of(job: Import): ImportDto {
    return {
      id: job.id,
      project_id: job.projectId,
      source: job.source,
      format: job.format,
      conflict: job.conflictPolicy,
      options: job.options,
      state: job.state,
      rows: job.fileRows,
      processed: job.processed,
      progress: job.progress,
      remaining_seconds: job.remainingSeconds,
      counts: job.counts,
      predicted: job.predicted,
      unmapped: UnmappedSummaryDto.of(job.unmapped),
      failure_code: job.failureCode,
      failure: job.failure,
      finished_at: job.finishedAt?.toISOString() ?? null,
      created_at: job.createdAt.toISOString(),
      updated_at: job.updatedAt.toISOString(),
    };
  }
}

@ApiSchema({ name: 'ImportProblem' })
class ImportProblemDto {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Field at fault; null if it is the row.',
    example: 'custom_path',
  })
  field: string | null;

  @ApiProperty({ example: 'custom_path belongs to a link that differs' })
  reason: string;
}

@ApiSchema({ name: 'UnmappedField' })
class UnmappedFieldDto {
  @ApiProperty({ example: 'Leads' })
  field: string;

  @ApiProperty({ example: '12' })
  value: string;
}

@ApiSchema({ name: 'ImportRow' })
export class ImportRowDto {
  @RowCount('Number of the row in the file, without a header.', 1, 1)
  row: number;

  @ApiProperty({ enum: outcomes, example: 'conflict' })
  outcome: string;

  @NullProperty(
    { type: 'string', format: 'uuid' },
    'Link that the row has created, replaced or met; null before the run.',
  )
  link_id: string | null;

  @ApiProperty({ type: [ImportProblemDto], description: 'Reasons of a conflict or a refusal.' })
  problems: ImportProblemDto[];

  @ApiProperty({ type: [UnmappedFieldDto], description: 'Values of the row that have no place in a link.' })
  unmapped: UnmappedFieldDto[];

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description:
      'The row as it was sent; null if it could not be read. A row of more than 100 kB, or after 2 MB of the page, is null too. ' +
      'The report has it.',
    example: { name: 'Summer sale', custom_path: 'summer/sale' },
  })
  record: object | null;

  static of(row: ImportRow, job: Import, read: (bytes: Buffer) => RowRecord): ImportRowDto {
    return {
      row: row.number,
      outcome: row.outcome!,
      link_id: job.predicted === null ? null : row.linkId,
      problems: [...row.problems],
      unmapped: [...row.unmapped],
      record: row.bytes && read(row.bytes).record,
    };
  }
}

export class ImportResponse extends dataOf(ImportDto) {}
export class ImportPage extends pageOf(ImportDto) {}
export class ImportRowPage extends pageOf(ImportRowDto) {}
