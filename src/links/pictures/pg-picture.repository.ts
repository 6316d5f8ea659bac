import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import { newId } from '../../shared/id';
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

  /**
   * Adds a picture, unless the project has it.
   * @throws QuotaReached, NotFound
   */
  async insert(
    picture: { projectId: string; digest: string; jpeg: Buffer },
    quota: QuotaReservation | undefined,
  ): Promise<void> {
    const { projectId, digest, jpeg } = picture;
    const errors = {
      picture_bytes_quota: (used: string | undefined) => quota!.reached(Number(used), jpeg.length),
      pictures_project_fk: () => new NotFound('Project'),
    };
    await mapConstraintErrors(errors, () =>
      this.context.write('SELECT insert_picture($1, $2, $3, $4, $5)', [
        newId(),
        projectId,
        digest,
        jpeg,
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
