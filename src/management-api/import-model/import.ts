import { newId } from '../../shared/id';
import { listFaults } from '../import-apis/import-api.errors';
import { ImportHasConflicts, ImportNotInState } from './import.errors';
import type { Outcome } from './import-row';
import type { ImportState } from './import-state';
import type { UnmappedSummary } from './unmapped-summary';

/** `api` stands for rows that the API of the source has listed. */
export const importFormats = ['csv', 'json', 'ndjson', 'api'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** The treatment of a row whose path or external id another link has. */
export const conflictPolicies = ['skip', 'replace', 'fail'] as const;
export type ConflictPolicy = (typeof conflictPolicies)[number];

/** Why an import has failed, for programs: a list that was not read, or a conflict that the policy forbids. */
export const importFailureCodes = [...listFaults, 'conflict'] as const;
export type ImportFailureCode = (typeof importFailureCodes)[number];

export interface ImportFailure {
  code: ImportFailureCode;
  message: string;
}

export type OutcomeCounts = Record<Outcome, number>;

/** A job that creates links from the rows of a file: a dry run, and a run that the caller starts. */
export class Import {
  readonly id: string;
  readonly projectId: string;
  readonly source: string;
  readonly format: ImportFormat;
  readonly conflictPolicy: ConflictPolicy;
  readonly options: Readonly<Record<string, unknown>>;
  /** Names of the cells or keys of its rows. */
  readonly columns: readonly string[];
  readonly state: ImportState;
  readonly fileRows: number;
  readonly fileBytes: number;
  /** Rows that the dry run or the run has done. */
  readonly processed: number;
  readonly counts: OutcomeCounts;
  /** Counts of the dry run, once the run has begun. */
  readonly predicted: OutcomeCounts | null;
  /** Values without a place, of the rows that the dry run or the run has done. */
  readonly unmapped: UnmappedSummary;
  /** Links that the run will still create, which count for the quota. */
  readonly reservedLinks: number;
  /** Null in imports that failed before there were codes. */
  readonly failureCode: ImportFailureCode | null;
  /** Why the import has failed, for people. */
  readonly failure: string | null;
  readonly phaseStartedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;

  private constructor(fields: Partial<Import>) {
    Object.assign(this, fields);
  }

  static of(fields: ImportFields): Import {
    return new Import(fields);
  }

  static create(fields: Pick<Import, 'projectId' | 'source' | 'format' | 'conflictPolicy' | 'options'>): NewImport {
    return { ...fields, id: newId(), state: 'uploading' };
  }

  get isActive(): boolean {
    return this.state === 'checking' || this.state === 'running';
  }

  get isFinal(): boolean {
    return this.state === 'completed' || this.state === 'cancelled' || this.state === 'failed';
  }

  /** @throws ImportNotInState if it was cancelled meanwhile */
  requireUploading(): void {
    if (this.state !== 'uploading') throw new ImportNotInState('The import', this.state, ['uploading']);
  }

  /** @throws ImportNotInState, ImportHasConflicts unless the dry run is complete, and predicts no conflict that the policy forbids */
  requireRunnable(): void {
    if (this.state !== 'ready') throw new ImportNotInState('The import', this.state, ['ready']);
    if (this.conflictPolicy === 'fail' && this.counts.conflict > 0)
      throw new ImportHasConflicts(this.counts.conflict, this.state);
  }

  /** @throws ImportNotInState if it has come to its end */
  requireCancellable(): void {
    if (this.isFinal) throw new ImportNotInState('The import', this.state, ['checking', 'ready', 'running']);
  }

  /** Returns the seconds until the current phase ends, at its pace so far; null if it has no pace or no phase runs. */
  remainingSeconds(now: Date): number | null {
    if (!this.isActive || this.processed === 0 || this.phaseStartedAt === null) return null;
    const elapsedMs = now.getTime() - this.phaseStartedAt.getTime();
    return Math.max(0, Math.ceil((elapsedMs / this.processed / 1000) * (this.fileRows - this.processed)));
  }
}

export type ImportFields = Omit<
  Import,
  'isActive' | 'isFinal' | 'requireUploading' | 'requireRunnable' | 'requireCancellable' | 'remainingSeconds'
>;

export type NewImport = Pick<Import, 'id' | 'projectId' | 'source' | 'format' | 'conflictPolicy' | 'options' | 'state'>;

export type ImportChanges = Partial<
  Pick<
    Import,
    | 'columns'
    | 'state'
    | 'fileRows'
    | 'fileBytes'
    | 'processed'
    | 'counts'
    | 'predicted'
    | 'unmapped'
    | 'reservedLinks'
    | 'failureCode'
    | 'failure'
    | 'phaseStartedAt'
    | 'finishedAt'
  >
>;

export const noCounts: OutcomeCounts = { created: 0, replaced: 0, unchanged: 0, conflict: 0, refused: 0 };
