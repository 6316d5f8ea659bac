import { entitySchema } from '../../platform/postgres/entity-schemas';
import { idColumns, timeColumns } from '../../platform/tables/field-columns';
import { Import } from './import';

export type StoredImport = Import & { attempts: number; attemptedBy: string | null; deletedAt: Date | null };

/** The driver reads `bigint` as text. */
const number = { type: 'bigint', transformer: { from: Number, to: (value: unknown) => value } } as const;

export const ImportSchema = entitySchema<StoredImport>({
  name: 'Import',
  target: Import,
  tableName: 'imports',
  columns: {
    ...idColumns,
    source: { type: 'text' },
    format: { type: 'text' },
    conflictPolicy: { type: 'text', name: 'conflict_policy' },
    options: { type: 'jsonb' },
    columns: { type: 'text', array: true },
    layout: { type: 'jsonb', nullable: true },
    state: { type: 'text' },
    fileRows: { ...number, name: 'file_rows' },
    fileBytes: { ...number, name: 'file_bytes' },
    readBytes: { ...number, name: 'read_bytes' },
    hasData: { type: 'boolean', name: 'has_data' },
    list: { type: 'jsonb', nullable: true },
    listProgress: { type: 'jsonb', name: 'list_progress', nullable: true },
    sealedToken: { type: 'bytea', name: 'sealed_token', nullable: true },
    processed: number,
    created: number,
    replaced: number,
    unchanged: number,
    conflict: { ...number, name: 'conflicts' },
    refused: number,
    predicted: { type: 'jsonb', nullable: true },
    unmapped: { type: 'jsonb' },
    acknowledged: { type: 'text', array: true },
    reservedLinks: { ...number, name: 'reserved_links' },
    failureCode: { type: 'text', name: 'failure_code', nullable: true },
    failure: { type: 'text', nullable: true },
    phaseStartedAt: { type: 'timestamptz', name: 'phase_started_at', nullable: true },
    finishedAt: { type: 'timestamptz', name: 'finished_at', nullable: true },
    attempts: { ...number, select: false },
    attemptedBy: { type: 'uuid', name: 'attempted_by', nullable: true, select: false },
    ...timeColumns,
    deletedAt: { type: 'timestamptz', name: 'deleted_at', deleteDate: true, select: false },
  },
});
