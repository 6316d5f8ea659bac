import type { Pool } from 'pg';

/** Finds pictures by their addresses. */
export class PgServedPictures {
  /** @param pool of the primary, because a region has no pictures */
  constructor(private readonly pool: Pool) {}

  async find(projectId: string, digest: string): Promise<Buffer | null> {
    const { rows } = await this.pool.query<{ content: Buffer }>(
      'SELECT content FROM pictures WHERE project_id = $1 AND digest = $2',
      [projectId, digest],
    );
    return rows[0]?.content ?? null;
  }
}
