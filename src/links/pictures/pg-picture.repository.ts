import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import type { QuotaReservation } from '../../tenancy/accounts/quotas';
import { keptUnusedDays } from './picture';

@Injectable()
export class PgPictureRepository {
  constructor(private readonly context: TransactionContext) {}

  /** Returns whether the project has the picture, and keeps it as if it were new. */
  async renew(projectId: string, digest: string): Promise<boolean> {
    const rows = await this.context.write(
      `UPDATE pictures SET unused_since = CASE WHEN unused_since IS NOT NULL THEN now() END
       WHERE project_id = $1 AND digest = $2 RETURNING id`,
      [projectId, digest],
    );
    return rows.length > 0;
  }

  /** Plans the removal of an object, in case that its upload is interrupted. */
  async planRemoval(id: string): Promise<void> {
    await this.context.write(`INSERT INTO picture_removals (id, due_at) VALUES ($1, now() + interval '1 hour')`, [id]);
  }

  /** Returns ids of objects that are to be removed now. */
  async removals(limit: number): Promise<string[]> {
    const rows = await this.context.read<{ id: string }>(
      'SELECT id FROM picture_removals WHERE due_at <= now() ORDER BY due_at LIMIT $1',
      [limit],
    );
    return rows.map(({ id }) => id);
  }

  async forgetRemoval(id: string): Promise<void> {
    await this.context.write('DELETE FROM picture_removals WHERE id = $1', [id]);
  }

  async postponeRemoval(id: string): Promise<void> {
    await this.context.write(`UPDATE picture_removals SET due_at = now() + interval '5 minutes' WHERE id = $1`, [id]);
  }

  /**
   * Adds a picture, unless the project has it.
   * @param picture with its bytes; null if the store has them
   * @throws QuotaReached, NotFound
   */
  async insert(
    picture: { id: string; projectId: string; digest: string; bytes: number; content: Buffer | null },
    quota: QuotaReservation | undefined,
  ): Promise<void> {
    const { id, projectId, digest, bytes, content } = picture;
    const errors = {
      picture_bytes_quota: (used: string | undefined) => quota!.reached(Number(used), bytes),
      pictures_project_fk: () => new NotFound('Project'),
    };
    await mapConstraintErrors(errors, () =>
      this.context.write('SELECT insert_picture($1, $2, $3, $4, $5, $6)', [
        id,
        projectId,
        digest,
        bytes,
        content,
        quota?.limit ?? null,
      ]),
    );
  }

  /** Deletes up to `batch` pictures that no link has had for `keptUnusedDays`. Returns true if none of these remain. */
  async retireSome(batch: number): Promise<boolean> {
    const [row] = await this.context.write<{ done: boolean }>(
      'SELECT retire_pictures(make_interval(days => $1), $2) AS done',
      [keptUnusedDays, batch],
    );
    return row!.done;
  }
}
