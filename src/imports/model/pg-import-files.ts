import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';

/** Bytes of a chunk, except for the last one of a file. */
export const chunkBytes = 131_072;

/**
 * Returns the names of the tables of an import (`create_import_data`).
 * @param id a UUID, which cannot contain SQL
 */
export function importTables(id: string): { files: string; rows: string } {
  if (!/^[\da-f-]{36}$/.test(id)) throw new Error('An id of an import must be a UUID');
  const suffix = id.replaceAll('-', '');
  return { files: `import_data.files_${suffix}`, rows: `import_data.rows_${suffix}` };
}

/** Returns SQL for a range of bytes of the file. Parts of a chunk that are not wanted stay on the disk. */
export const bytesSql = (id: string, start: string, length: string): string =>
  `(SELECT string_agg(substring(part.bytes FROM greatest(${start} - part.number * ${chunkBytes}, 0)::int + 1
      FOR (least(${start} + ${length}, (part.number + 1) * ${chunkBytes}) - greatest(${start}, part.number * ${chunkBytes}))::int), ''::bytea ORDER BY part.number)
    FROM ${importTables(id).files} AS part WHERE part.number BETWEEN ${start} / ${chunkBytes} AND (${start} + ${length} - 1) / ${chunkBytes})`;

/** Stores files of imports in chunks. `PgImportUpkeep` removes them with their import. */
@Injectable()
export class PgImportFiles {
  constructor(private readonly context: TransactionContext) {}

  /** Adds bytes at the end of a file, which has `fileBytes`. */
  async append(id: string, fileBytes: number, bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const position = fileBytes + at;
      const part = bytes.subarray(at, at + chunkBytes - (position % chunkBytes));
      await this.context.write(
        `INSERT INTO ${importTables(id).files} AS file (number, bytes) VALUES ($1, $2)
         ON CONFLICT (number) DO UPDATE SET bytes = file.bytes || excluded.bytes RETURNING number`,
        [Math.floor(position / chunkBytes), part],
      );
      at += part.length;
    }
  }

  async read(id: string, from: number, length: number): Promise<Buffer> {
    const [row] = await this.context.read<{ bytes: Buffer | null }>(
      `SELECT ${bytesSql(id, '$1::bigint', '$2::bigint')} AS bytes`,
      [from, length],
    );
    return row!.bytes ?? Buffer.alloc(0);
  }
}
