import type { Pool } from 'pg';
import type { PictureStore } from './picture-store';

/** Finds pictures by their addresses. */
export class PgServedPictures {
  /**
   * @param pool of the primary, because a region has no pictures
   * @param store of those whose bytes are not in their rows
   */
  constructor(
    private readonly pool: Pool,
    private readonly store: PictureStore | null,
  ) {}

  async find(projectId: string, digest: string): Promise<Buffer | null> {
    const { rows } = await this.pool.query<{ id: string; content: Buffer | null }>(
      'SELECT id, content FROM pictures WHERE project_id = $1 AND digest = $2',
      [projectId, digest],
    );
    const [row] = rows;
    if (!row || row.content) return row?.content ?? null;
    if (!this.store) throw new Error('PICTURES_S3_URL is not set, but the picture is in its bucket');
    return this.store.read(row.id);
  }
}
