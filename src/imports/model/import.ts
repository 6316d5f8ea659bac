import type { ApiChoice } from '../apis/import-api';
import type { ListProgress } from '../apis/list-progress';
import { listFaults } from '../apis/import-api.errors';
import type { ImportOptions } from '../sources/import-source';
import type { FileLayout } from './file-row';
import { ImportNotInState } from './import.errors';
import type { Outcome } from './import-row';
import type { ImportState } from './import-state';
import type { UnmappedSummary } from './unmapped-summary';

/** `api` stands for rows that the API of the source has listed. */
export const importFormats = ['csv', 'json', 'ndjson', 'api'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** The treatment of a row whose path or external id another link has. */
export const conflictPolicies = ['skip', 'replace', 'fail'] as const;
export type ConflictPolicy = (typeof conflictPolicies)[number];

/** Why an import has failed, for programs. */
export const importFailureCodes = [
  ...listFaults,
  'conflict',
  'broken_file',
  'too_many_rows',
  'quota_reached',
  'too_expensive',
] as const;
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
  readonly options: ImportOptions;
  readonly columns: readonly string[];
  /** How the file is read. Null until it has arrived. */
  readonly layout: FileLayout | null;
  readonly state: ImportState;
  /** Rows of the file that the dry run has found. */
  readonly fileRows: number;
  readonly fileBytes: number;
  /** Bytes of the file that the dry run has read. */
  readonly readBytes: number;
  readonly hasData: boolean;
  /** The list of another system, and where it is read on; null for files. */
  readonly list: { readonly url: string | null; readonly choice: ApiChoice } | null;
  readonly listProgress: ListProgress | null;
  readonly sealedToken: Buffer | null;
  readonly processed: number;
  readonly created: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly conflict: number;
  readonly refused: number;
  /** Counts of the dry run, once the run has begun. */
  readonly predicted: OutcomeCounts | null;
  /** Values without a place, of the rows that the dry run or the run has done. */
  readonly unmapped: UnmappedSummary;
  /** Links that the run will still create, which count for the quota. */
  readonly reservedLinks: number;
  /** Versions of released apps that rows may break. */
  readonly acknowledged: readonly string[];
  readonly failureCode: ImportFailureCode | null;
  /** Why the import has failed, for people. */
  readonly failure: string | null;
  readonly phaseStartedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;

  private constructor() {}

  get isActive(): boolean {
    return this.state === 'checking' || this.state === 'running';
  }

  get counts(): OutcomeCounts {
    const { created, replaced, unchanged, conflict, refused } = this;
    return { created, replaced, unchanged, conflict, refused };
  }

  /** Whether its rows can be read. Those of failed and cancelled imports are dropped. */
  get hasRows(): boolean {
    return this.hasData && this.state !== 'failed' && this.state !== 'cancelled';
  }

  requireState(...allowed: ImportState[]): void {
    if (allowed.includes(this.state)) return;
    throw new ImportNotInState(`The import is ${this.state}; the operation needs ${allowed.join(' or ')}`, this.state);
  }

  /** @throws ImportNotInState unless the dry run is complete, and predicts no conflict that the policy forbids */
  requireRunnable(): void {
    this.requireState('ready');
    if (this.conflictPolicy !== 'fail' || this.conflict === 0) return;
    const message = `The import has ${this.conflict} conflicts, which its policy forbids; choose another policy`;
    throw new ImportNotInState(message, this.state);
  }

  /** Part of the dry run or the run that is done, from 0 to 1; null if none works. A dry run reads the file, whose rows it counts. */
  get progress(): number | null {
    if (!this.isActive) return null;
    const [done, all] = this.state === 'checking' ? [this.readBytes, this.fileBytes] : [this.processed, this.fileRows];
    return all === 0 ? 0 : done / all;
  }

  /** Returns the seconds until the current phase ends, at its pace so far; null if it has no pace or no phase runs. */
  get remainingSeconds(): number | null {
    const { progress } = this;
    if (progress === null || progress === 0 || this.phaseStartedAt === null) return null;
    // Both are times of the database.
    const elapsedMs = this.updatedAt.getTime() - this.phaseStartedAt.getTime();
    return Math.max(0, Math.ceil(((elapsedMs / 1000) * (1 - progress)) / progress));
  }
}

export type NewImport = Pick<
  Import,
  'id' | 'projectId' | 'source' | 'format' | 'conflictPolicy' | 'options' | 'state' | 'list'
>;

export const noCounts: OutcomeCounts = { created: 0, replaced: 0, unchanged: 0, conflict: 0, refused: 0 };
