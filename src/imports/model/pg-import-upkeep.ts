import { Injectable } from '@nestjs/common';
import { outsideRequests } from '../../platform/postgres/request-context';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { ImportState } from './import-state';

/** The age of an upload whose process has died. An upload that lives ends within half an hour (`maxUploadMs`). */
const abandonedUploadMs = 3_600_000;

/** Days that reports of imports are kept, and imports that nobody runs. */
export const retentionDays = 30;

/** Imports of a project that are kept. Older ones that have ended go. */
export const maxKeptImports = 20;

@Injectable()
export class PgImportUpkeep {
  constructor(private readonly context: TransactionContext) {}

  /**
   * Notes that a process begins to work on the import. Returns how many others began at this position, and died before `settle`; null
   * if the import is gone.
   */
  async attempt(id: string, processId: string): Promise<{ attempts: number; state: ImportState } | null> {
    const [row] = await this.context.write<{ attempts: number; state: ImportState }>(
      `UPDATE imports SET attempted_by = $2, attempted_at = read_bytes + processed + file_bytes, attempts = CASE
         WHEN attempted_by <> $2 AND attempted_at = read_bytes + processed + file_bytes THEN attempts + 1 ELSE 0 END
       WHERE id = $1 AND deleted_at IS NULL RETURNING attempts::int, state`,
      [id, processId],
    );
    return row ?? null;
  }

  /** Notes that the process has not ended by its work. Another process may have begun meanwhile. */
  async settle(id: string, processId: string): Promise<void> {
    await this.context.write('UPDATE imports SET attempted_by = NULL WHERE id = $1 AND attempted_by = $2', [
      id,
      processId,
    ]);
  }

  /** Takes away imports that are too old, beyond the last ones of a project, or whose upload has stopped. */
  async removeExpired(): Promise<void> {
    await this.context.write(
      `UPDATE imports SET deleted_at = now(), reserved_links = 0
       WHERE deleted_at IS NULL AND (
         (state = 'uploading' AND list IS NULL AND updated_at < now() - $1 * interval '1 ms')
         OR (state IN ('ready', 'completed', 'cancelled', 'failed') AND updated_at < now() - $2 * interval '1 day')
         OR id IN (
           SELECT id FROM (
             SELECT id, state, row_number() OVER (PARTITION BY project_id ORDER BY created_at DESC, id DESC) AS place
             FROM imports WHERE deleted_at IS NULL
           ) AS ranked
           WHERE place > $3 AND state IN ('completed', 'cancelled', 'failed')
         )
       )`,
      [abandonedUploadMs, retentionDays, maxKeptImports],
    );
  }

  /** Drops the tables of one import that needs none, or removes imports. Returns true if nothing is left for this process. */
  async purgeSome(batch: number): Promise<boolean> {
    const [row] = await outsideRequests(() =>
      this.context.write<{ done: boolean }>('SELECT purge_imports($1) AS done', [batch]),
    );
    return row!.done;
  }
}
