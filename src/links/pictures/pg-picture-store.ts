import type { Pool } from 'pg';
import { PictureStore } from './picture-store';

/** Stores pictures in PostgreSQL. */
export class PgPictureStore extends PictureStore {
  constructor(private readonly pool: Pool) {
    super();
  }

  async write(id: string, bytes: Buffer): Promise<void> {
    await this.pool.query('INSERT INTO picture_contents (id, content) VALUES ($1, $2)', [id, bytes]);
  }

  async read(id: string): Promise<Buffer | null> {
    const { rows } = await this.pool.query<{ content: Buffer }>('SELECT content FROM picture_contents WHERE id = $1', [
      id,
    ]);
    return rows[0]?.content ?? null;
  }

  async remove(id: string): Promise<void> {
    await this.pool.query('DELETE FROM picture_contents WHERE id = $1', [id]);
  }
}
