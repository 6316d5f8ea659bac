import { Injectable } from '@nestjs/common';
import { isUndefinedTable } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { storable } from '../sources/source-cells';
import type { FileRow } from './file-row';
import type { Import } from './import';
import type { ImportRow, Outcome, PlannedLink, RowResult } from './import-row';
import { bytesSql, importTables } from './pg-import-files';

/** Bytes of a row that a page shows. A page has up to 100 rows. A link with all fields at their limits has less. */
export const maxShownBytes = 100_000;

/** Bytes of the rows of a page. They are parsed in one turn of the event loop. */
export const maxShownBytesOfPage = 2_000_000;

/** Bytes of rows that a statement reads unless one row has more. Each row may have 250 kB, and a heap has some hundred MB. */
const maxReadBytes = 1_000_000;

/** Bytes that a row and its entries in indexes occupy beside its texts. Measured: 270 to 330. */
export const bytesOfRow = 300;

type RowRange = Pick<Import, 'id' | 'processed'>;

/** Reads and writes rows of imports. `PgImportUpkeep` removes them with their import. */
@Injectable()
export class PgImportRows {
  constructor(private readonly context: TransactionContext) {}

  /** Stores rows of the file with the results of the dry run, and returns the bytes that they occupy. */
  async addRows(id: string, rows: { row: FileRow; result: RowResult }[]): Promise<number> {
    if (rows.length === 0) return 0;
    const last = new Map(rows.flatMap(({ result: { number, link } }) => (link ? [[link.id, number]] : [])));
    // A link has one row with its plan: the last one that writes it.
    if (last.size > 0)
      await this.context.write(
        `UPDATE ${importTables(id).rows} SET digest = NULL WHERE link_id = ANY ($1) AND digest IS NOT NULL RETURNING number`,
        [[...last.keys()]],
      );
    const stored = rows.map(({ row: { start, end, fault }, result }) => {
      const { link, number } = result;
      const plan = link && last.get(link.id) === number ? columnsOfPlan(link) : {};
      return { start, length: end - start, fault, ...columnsOf(result), ...plan };
    });
    await this.context.write(
      `INSERT INTO ${importTables(id).rows} SELECT * FROM json_populate_recordset(NULL::import_rows, $1) RETURNING number`,
      [storableRows(stored)],
    );
    return this.#bytesOf(id, stored);
  }

  /** Stores the results of a run, and returns the bytes that the rows occupy in addition. */
  async setResults(id: string, results: RowResult[]): Promise<number> {
    if (results.length === 0) return 0;
    const before = await this.#bytesOf(id, results);
    await this.context.write(
      `UPDATE ${importTables(id).rows} AS stored SET (outcome, link_id, problems, unmapped, path, external_id, digest)
         = (given.outcome, given.link_id, given.problems, given.unmapped, NULL, NULL, NULL)
       FROM json_populate_recordset(NULL::import_rows, $1) AS given
       WHERE stored.number = given.number AND stored.number BETWEEN $2 AND $3 RETURNING stored.number`,
      // Without the range, the planner may read all rows of the file.
      [storableRows(results.map((result) => columnsOf(result))), results[0]!.number, results.at(-1)!.number],
    );
    return (await this.#bytesOf(id, results)) - before;
  }

  /** Returns the bytes that rows occupy, whose texts may be compressed. */
  async #bytesOf(id: string, rows: readonly { number: number }[]): Promise<number> {
    const texts = ['fault', 'problems', 'unmapped', 'path', 'external_id'];
    const sizes = texts.map((name) => `coalesce(pg_column_size(${name}), 0)`).join(' + ');
    const [stored] = await this.context.read<{ bytes: string }>(
      `SELECT sum(${bytesOfRow} + ${sizes}) AS bytes FROM ${importTables(id).rows} WHERE number BETWEEN $1 AND $2`,
      [rows[0]!.number, rows.at(-1)!.number],
    );
    return Number(stored!.bytes);
  }

  /** Returns processed rows after `number`, with an outcome or all: as many as memory may hold, but one at least. */
  rowsAfter({ id, processed }: RowRange, number: number, limit: number, outcome?: Outcome): Promise<ImportRow[]> {
    return this.#rows(
      id,
      `SELECT *, true AS is_read FROM (
         SELECT *, sum(length) OVER (ORDER BY number) AS bytes, row_number() OVER (ORDER BY number) AS place
         FROM (
           SELECT * FROM ${importTables(id).rows} WHERE number > $1 AND number <= $2 AND ${ofOutcome(outcome)} ORDER BY number LIMIT $4
         ) AS found
       ) AS summed WHERE place = 1 OR bytes <= ${maxReadBytes}`,
      [number, processed, outcome, limit],
    );
  }

  /** Returns a page of the processed rows with an outcome, or all, in their order, without bytes that are too large for a page. */
  listRows({ id, processed }: RowRange, offset: number, limit: number, outcome?: Outcome): Promise<ImportRow[]> {
    const [number, skipped] = outcome === undefined ? [offset, 0] : [0, offset];
    return this.#rows(
      id,
      `SELECT *, length <= ${maxShownBytes} AND shown <= ${maxShownBytesOfPage} AS is_read FROM (
         SELECT *, sum(length) FILTER (WHERE length <= ${maxShownBytes}) OVER (ORDER BY number) AS shown
         FROM (
           SELECT * FROM ${importTables(id).rows} WHERE number > $1 AND number <= $2 AND ${ofOutcome(outcome)}
           ORDER BY number LIMIT $4 OFFSET $5
         ) AS found
       ) AS summed`,
      [number, processed, outcome, limit, skipped],
    );
  }

  /** Returns no rows if they have been dropped meanwhile. */
  async #rows(id: string, selection: string, values: unknown[]): Promise<ImportRow[]> {
    try {
      return await this.context.read<ImportRow>(
        `SELECT number::int AS number, fault, outcome, link_id AS "linkId", coalesce(problems, '[]') AS problems, coalesce(unmapped, '[]') AS unmapped,
           CASE WHEN is_read AND fault IS NULL THEN ${bytesSql(id, 'selected.start', 'selected.length')} END AS bytes
         FROM (${selection}) AS selected ORDER BY selected.number`,
        values,
      );
    } catch (error) {
      if (isUndefinedTable(error)) return [];
      throw error;
    }
  }

  /** Returns the links that earlier rows of the dry run would write, and that have one of the names. */
  findPlanned(
    id: string,
    { paths, externalIds, linkIds }: Record<'paths' | 'externalIds' | 'linkIds', string[]>,
  ): Promise<PlannedLink[]> {
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

const ofOutcome = (outcome: Outcome | undefined): string =>
  outcome === undefined ? '$3::text IS NULL' : 'outcome = $3';

const columnsOf = ({ number, outcome, linkId, problems, unmapped }: RowResult) => ({
  number,
  outcome,
  link_id: linkId,
  problems: problems.length > 0 ? problems : null,
  unmapped: unmapped.length > 0 ? unmapped.map(({ field, value }) => ({ field, value })) : null,
});

const columnsOfPlan = ({ path, externalId, digest, origin }: PlannedLink) => ({
  path,
  external_id: externalId,
  digest,
  imported_from: origin.importedFrom,
  original_clicks: origin.originalClicks,
});

/** Returns JSON that PostgreSQL can store, because names of fields may have any character. */
const storableRows = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'string' ? storable(value) : value));
