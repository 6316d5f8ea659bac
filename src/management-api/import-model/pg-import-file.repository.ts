import { Injectable } from '@nestjs/common';
import { isUndefinedTable } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import { chunkBytes, ImportFileRepository } from './import-file.repository';
import { bytesSql, importTables } from './import-tables';

@Injectable()
export class PgImportFileRepository extends ImportFileRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async addChunk(id: string, number: number, bytes: Buffer): Promise<boolean> {
    try {
      const added = await this.context.write(
        `INSERT INTO ${importTables(id).files} (number, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING number`,
        [number, bytes],
      );
      return added.length > 0;
    } catch (error) {
      // It was removed meanwhile, such as with its project.
      throw isUndefinedTable(error) ? new NotFound('Import') : error;
    }
  }

  async append(id: string, fileBytes: number, bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const position = fileBytes + at;
      const part = bytes.subarray(at, at + chunkBytes - (position % chunkBytes));
      await this.context.write(
        `INSERT INTO ${importTables(id).files} AS file (number, bytes) VALUES ($1, $2)
         ON CONFLICT (number) DO UPDATE SET bytes = substring(file.bytes FOR $3) || excluded.bytes RETURNING number`,
        [Math.floor(position / chunkBytes), part, position % chunkBytes],
      );
      at += part.length;
    }
  }

  async read(id: string, from: number, length: number): Promise<Buffer> {
    const { files } = importTables(id);
    const [row] = await this.context.read<{ bytes: Buffer | null }>(
      `SELECT ${bytesSql(files, '$1::bigint', '$2::bigint')} AS bytes`,
      [from, length],
    );
    return row!.bytes ?? Buffer.alloc(0);
  }
}
