import { Injectable } from '@nestjs/common';
import { isUndefinedTable } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { FileRow } from './file-row';
import type { Import } from './import';
import type { ImportRow, Outcome, PlannedLink, RowResult } from './import-row';
import { ImportRowRepository, type LinkNames } from './import-row.repository';
import { bytesSql, importTables } from './import-tables';

/** Bytes of a row that a page shows. A page has up to 100 rows. A link with all fields at their limits has less. */
export const maxShownBytes = 100_000;

/** Bytes of the rows of a page. They are parsed in one turn of the event loop. */
export const maxShownBytesOfPage = 2_000_000;

/** Bytes of rows that a statement reads unless one row has more. Each row may have 250 kB, and a heap has some hundred MB. */
const maxReadBytes = 1_000_000;

/** Bytes that a row and its entries in indexes occupy beside its texts. Measured: 270 to 330. */
export const bytesOfRow = 300;

@Injectable()
export class PgImportRowRepository extends ImportRowRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async addRows(id: string, rows: { row: FileRow; result: RowResult }[]): Promise<number> {
    if (rows.length === 0) return 0;
    await this.#forgetPlans(id, rows);
    const { sql, values } = resultColumns(rows.map(({ result }) => result));
    const [stored] = await this.context.write<{ bytes: string }>(
      `WITH stored AS (
         INSERT INTO ${importTables(id).rows} (number, start, length, fault, ${resultNames})
         SELECT number, start, length, fault, ${resultNames}
         FROM unnest(${sql}, $11::bigint[], $12::bigint[], $13::text[]) AS given (number, ${resultNames}, start, length, fault)
         RETURNING coalesce(octet_length(problems::text), 0) + coalesce(octet_length(unmapped::text), 0)
           + coalesce(octet_length(path), 0) + coalesce(octet_length(external_id), 0) AS texts
       ) SELECT sum(texts + ${bytesOfRow}) AS bytes FROM stored`,
      [
        ...values,
        rows.map(({ row }) => row.start),
        rows.map(({ row }) => row.end - row.start),
        rows.map(({ row }) => row.fault),
      ],
    );
    return Number(stored!.bytes);
  }

  rowsAfter(id: string, number: number, limit: number): Promise<ImportRow[]> {
    return this.#readSome(id, 'number > $1::bigint AND number <= $1::bigint + $2', [number, limit]);
  }

  listRows({ id, processed }: Import, outcome: Outcome | undefined, offset: number, limit: number) {
    const [number, skipped] = outcome === undefined ? [offset, 0] : [0, offset];
    const isShown = `length <= ${maxShownBytes} AND shown <= ${maxShownBytesOfPage}`;
    return this.#rows(
      id,
      `SELECT *, ${isShown} AS is_read FROM (
         SELECT *, sum(length) FILTER (WHERE length <= ${maxShownBytes}) OVER (ORDER BY number) AS shown
         FROM (
           SELECT * FROM ${importTables(id).rows}
           WHERE number > $1 AND number <= $2 ${outcome === undefined ? '' : 'AND outcome = $5'}
           ORDER BY number OFFSET $3 LIMIT $4
         ) AS found
       ) AS summed`,
      [number, processed, skipped, limit, ...(outcome === undefined ? [] : [outcome])],
    );
  }

  processedRowsAfter({ id, processed }: Import, outcome: Outcome | undefined, number: number, limit: number) {
    return this.#readSome(
      id,
      `number > $1 AND number <= $2 ${outcome === undefined ? '' : 'AND outcome = $4'} ORDER BY number LIMIT $3`,
      [number, processed, limit, ...(outcome === undefined ? [] : [outcome])],
    );
  }

  /** Reads the first rows of a condition until they have `maxReadBytes` together. */
  #readSome(id: string, condition: string, values: unknown[]): Promise<ImportRow[]> {
    return this.#rows(
      id,
      `SELECT *, true AS is_read FROM (
         SELECT *, sum(length) OVER (ORDER BY number) AS bytes, row_number() OVER (ORDER BY number) AS place
         FROM (SELECT * FROM ${importTables(id).rows} WHERE ${condition}) AS found
       ) AS summed WHERE place = 1 OR bytes <= ${maxReadBytes}`,
      values,
    );
  }

  /** Returns no rows if they have been dropped meanwhile. */
  async #rows(id: string, selection: string, values: unknown[]): Promise<ImportRow[]> {
    try {
      return await this.context.read<ImportRow>(
        `SELECT number::int AS number, fault, outcome, link_id AS "linkId", coalesce(problems, '[]') AS problems, coalesce(unmapped, '[]') AS unmapped,
           CASE WHEN is_read AND fault IS NULL THEN ${bytesSql(importTables(id).files, 'selected.start', 'selected.length')} END AS bytes
         FROM (${selection}) AS selected ORDER BY selected.number`,
        values,
      );
    } catch (error) {
      if (isUndefinedTable(error)) return [];
      throw error;
    }
  }

  async setResults(id: string, results: RowResult[]): Promise<void> {
    if (results.length === 0) return;
    const { sql, values } = resultColumns(results);
    await this.context.write(
      `UPDATE ${importTables(id).rows} AS stored
       SET ${resultNames
         .split(', ')
         .map((name) => `${name} = given.${name}`)
         .join(', ')}
       FROM unnest(${sql}) AS given (number, ${resultNames})
       WHERE stored.number = given.number AND stored.number BETWEEN $11 AND $12 RETURNING stored.number`,
      // Without them, the planner may read all rows of the file.
      [...values, results[0]!.number, results.at(-1)!.number],
    );
  }

  /** Removes the plans of links that later rows write. A link has one row with its plan: the last one that writes it. */
  async #forgetPlans(id: string, rows: { result: RowResult }[]): Promise<void> {
    const written = rows.flatMap(({ result }) => result.planned?.id ?? []);
    if (written.length > 0)
      await this.context.write(
        `UPDATE ${importTables(id).rows} SET digest = NULL WHERE link_id = ANY ($1) AND digest IS NOT NULL RETURNING number`,
        [written],
      );
  }

  findPlanned(id: string, { paths, externalIds, linkIds }: LinkNames): Promise<PlannedLink[]> {
    const one = (column: string, values: string) =>
      `SELECT link_id AS id, path, external_id AS "externalId", digest,
         json_build_object('importedFrom', imported_from, 'originalClicks', original_clicks::text)::jsonb AS origin
       FROM ${importTables(id).rows} WHERE ${column} = ANY (${values}) AND digest IS NOT NULL`;
    return this.context.read<PlannedLink>(
      `${one('path', '$1::text[]')} UNION ${one('external_id', '$2::text[]')} UNION ${one('link_id', '$3::uuid[]')}`,
      [paths, externalIds, linkIds],
    );
  }
}

const resultNames = 'outcome, link_id, problems, unmapped, path, external_id, digest, imported_from, original_clicks';

/** Returns the columns of results as arrays, for `unnest`. */
function resultColumns(results: RowResult[]): { sql: string; values: unknown[] } {
  const last = new Map(results.flatMap(({ number, planned }) => (planned ? [[planned.id, number] as const] : [])));
  const of = <T>(value: (result: RowResult) => T) => results.map(value);
  const stored = (values: RowResult['unmapped']) => values.map(({ field, value }) => ({ field, value }));
  const planned = <T>(value: (link: PlannedLink) => T) =>
    of((result) => (result.planned && last.get(result.planned.id) === result.number ? value(result.planned) : null));
  return {
    sql: '$1::bigint[], $2::text[], $3::uuid[], $4::jsonb[], $5::jsonb[], $6::text[], $7::text[], $8::text[], $9::text[], $10::bigint[]',
    values: [
      of(({ number }) => number),
      of(({ outcome }) => outcome),
      of(({ linkId }) => linkId),
      of(({ problems }) => json(problems)),
      of(({ unmapped }) => json(stored(unmapped))),
      planned(({ path }) => path),
      planned(({ externalId }) => externalId),
      planned(({ digest }) => digest),
      planned(({ origin }) => origin.importedFrom),
      planned(({ origin }) => origin.originalClicks),
    ],
  };
}

/** Returns JSON that jsonb can hold, because names of fields may have any character. */
const json = (items: readonly object[]): string | null =>
  items.length === 0
    ? null
    : JSON.stringify(items, (_, value: unknown) =>
        typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value,
      );
