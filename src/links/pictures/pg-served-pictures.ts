import type { Pool } from 'pg';
import type { PictureStore } from './picture-store';

/** Finds pictures by their addresses. */
export class PgServedPictures {
  /** @param pool of the primary, because a region has no pictures */
  constructor(
    private readonly pool: Pool,
    private readonly store: PictureStore,
  ) {}

  async find(projectId: string, digest: string): Promise<Buffer | null> {
    const { rows } = await this.pool.query<{ id: string }>(
      'SELECT id FROM pictures WHERE project_id = $1 AND digest = $2',
      [projectId, digest],
    );
    return rows[0] ? this.store.read(rows[0].id) : null;
  }
}
