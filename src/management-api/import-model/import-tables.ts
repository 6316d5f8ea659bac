import { chunkBytes } from './import-file.repository';

/** Returns the names of the tables of an import (`create_import_data`). @param id a UUID, which cannot contain SQL */
export function importTables(id: string): { files: string; rows: string } {
  if (!/^[\da-f-]{36}$/.test(id)) throw new Error('An id of an import must be a UUID');
  const suffix = id.replaceAll('-', '');
  return { files: `import_data.files_${suffix}`, rows: `import_data.rows_${suffix}` };
}

/** Returns SQL for a range of bytes of a file. Parts of a chunk that are not wanted stay on the disk. */
export const bytesSql = (files: string, start: string, length: string, chunk = chunkBytes): string =>
  `(SELECT string_agg(substring(part.bytes FROM greatest(${start} - part.number * ${chunk}, 0)::int + 1
      FOR (least(${start} + ${length}, (part.number + 1) * ${chunk}) - greatest(${start}, part.number * ${chunk}))::int), ''::bytea ORDER BY part.number)
    FROM ${files} AS part WHERE part.number BETWEEN ${start} / ${chunk} AND (${start} + ${length} - 1) / ${chunk})`;
