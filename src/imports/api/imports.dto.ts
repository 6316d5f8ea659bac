import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  choiceAnswer,
  flagAnswer,
  idAnswer,
  nullableTextAnswer,
  projectIdAnswer,
  textAnswer,
  timeAnswers,
} from '../../api-kit/kit/answer';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { conflictPolicies, type Import, importFailureCodes, importFormats } from '../model/import';
import type { RowRecord } from '../files/row-record';
import { importStates } from '../model/import-state';
import { type ImportRow, outcomes } from '../model/import-row';
import { sourceNames } from './imports-query.dto';
import { maxSummed, type UnmappedSummary } from '../model/unmapped-summary';

const rowCount = (description: string, example: number, minimum = 0) =>
  ({ type: 'integer', minimum, description, example }) as const;

const nulls = { nullable: true, example: null } as const;

@ApiSchema({ name: 'ImportCounts' })
export class ImportCountsDto extends answer({
  created: rowCount('Rows that create a link.', 2),
  replaced: rowCount('Rows that replace the fields of a link.', 0),
  unchanged: rowCount('Rows whose link exists and is equal.', 0),
  conflict: rowCount('Rows whose path or external id a different link has.', 0),
  refused: rowCount('Rows that are no valid link.', 0),
}) {}

class UnmappedFieldCount extends answer({
  field: textAnswer('Field of the source.', 'isi'),
  rows: rowCount('Rows that have a value of it without a place.', 2, 1),
  example: textAnswer('Value of the first row, cut to 100 characters.', '123456789'),
}) {}

class MissingApp extends answer({
  platform: { enum: ['ios', 'android'], example: 'ios' },
  identifier: textAnswer('Bundle id or package name.', 'com.example.shop'),
  rows: rowCount('Rows that name it.', 2, 1),
}) {}

@ApiSchema({ name: 'UnmappedSummary' })
class UnmappedSummaryDto extends answer({
  fields: {
    type: [UnmappedFieldCount],
    description: `Fields with values that have no place in a link, the most frequent first; at most ${maxSummed}.`,
  },
  missing_apps: {
    type: [MissingApp],
    description: `Apps that rows name and the project lacks, the most frequent first; at most ${maxSummed}. Their links open no app.`,
  },
  complete: flagAnswer(
    'Whether there are no further fields and apps. Those that are listed are counted in all rows.',
    true,
  ),
}) {
  static of({ fields, missingApps, complete }: UnmappedSummary): UnmappedSummaryDto {
    const byRows = (a: { rows: number }, b: { rows: number }) => b.rows - a.rows;
    return { fields: fields.toSorted(byRows), missing_apps: missingApps.toSorted(byRows), complete };
  }
}

@ApiSchema({ name: 'Import' })
export class ImportDto extends answer({
  id: idAnswer('0198c0de-7e57-7000-8000-000000000008'),
  project_id: projectIdAnswer,
  source: { enum: sourceNames, example: 'signpost' },
  format: choiceAnswer(importFormats, 'Form of the rows. `api`: the API of the source has listed them.', 'ndjson'),
  conflict: { enum: conflictPolicies, example: 'skip' },
  options: { type: 'object', additionalProperties: true, description: 'Options of the source.', example: {} },
  state: choiceAnswer(
    importStates,
    '`uploading`: the file or the list arrives. `checking`: the dry run works. `ready`: it has ended, and the import can be run. `running`: ' +
      'the run works. `completed`, `cancelled` and `failed` are final.',
    'ready',
  ),
  rows: rowCount('Rows of the file or the list, as far as the dry run has found them.', 2),
  processed: rowCount('Rows that the dry run or the run has done.', 2),
  progress: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    ...nulls,
    description: 'Part of the dry run or the run that is done; null if none works.',
  },
  remaining_seconds: {
    type: 'integer',
    minimum: 0,
    ...nulls,
    description: 'Seconds until the dry run or the run ends, at its pace so far; null if none works.',
  },
  counts: { type: ImportCountsDto, description: 'Processed rows by outcome. Before the run, they are a prediction.' },
  predicted: { type: ImportCountsDto, nullable: true, description: 'Prediction of the dry run; null before the run.' },
  unmapped: {
    type: UnmappedSummaryDto,
    description: 'Values without a place in a link, of the processed rows. The run counts them anew.',
  },
  failure_code: {
    enum: [...importFailureCodes, null],
    ...nulls,
    description:
      'Reason of the state `failed`. `conflict`: the policy forbids it. `broken_file`, `too_many_rows`: of the file. `quota_reached`: of ' +
      'bytes. `too_expensive`: the import has ended its process twice. Others: the list of another system was not read.',
  },
  failure: { ...nulls, description: 'Reason of the state `failed`, and what to do, in English.' },
  finished_at: { format: 'date-time', ...nulls },
  ...timeAnswers,
}) {
  static of(job: Import): ImportDto {
    return ImportDto.render(job, {
      conflict: job.conflictPolicy,
      rows: job.fileRows,
      unmapped: UnmappedSummaryDto.of(job.unmapped),
    });
  }
}

class ImportProblem extends answer({
  field: nullableTextAnswer('Field at fault; null if it is the row.', 'custom_path'),
  reason: { example: 'custom_path belongs to a link that differs' },
}) {}

class UnmappedField extends answer({
  field: { example: 'Leads' },
  value: { example: '12' },
}) {}

@ApiSchema({ name: 'ImportRow' })
export class ImportRowDto extends answer({
  row: rowCount('Number of the row in the file, without a header.', 1, 1),
  outcome: { enum: outcomes, example: 'conflict' },
  link_id: {
    format: 'uuid',
    ...nulls,
    description: 'Link that the row has created, replaced or met; null before the run.',
  },
  problems: { type: [ImportProblem], description: 'Reasons of a conflict or a refusal.' },
  unmapped: { type: [UnmappedField], description: 'Values of the row that have no place in a link.' },
  record: {
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description:
      'The row as it was sent; null if it could not be read. A row of more than 100 kB, or after 2 MB of the page, is null too. ' +
      'The report has it.',
    example: { name: 'Summer sale', custom_path: 'summer/sale' },
  },
}) {
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
