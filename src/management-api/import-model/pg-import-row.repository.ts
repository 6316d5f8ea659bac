import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import type { Import } from './import';
import type { FileRow, ImportRow, Outcome, PlannedLink, RowResult } from './import-row';
import { ImportRowRepository, type LinkNames } from './import-row.repository';

/**
 * Selects a row as `ImportRow`. Statements order by `import_rows.number`, because the bare name would be the expression below. No index
 * has it, so each batch would sort all rows of the file.
 */
const rowFieldsWith = (
  record: string,
): string => `number::int AS number, ${record}, fault, outcome, link_id AS "linkId",
  coalesce(problems, '[]') AS problems, coalesce(unmapped, '[]') AS unmapped`;

const rowFields = rowFieldsWith('record');

/** A page has up to 100 rows. A link with all fields at their limits has less. */
export const maxShownBytes = 100_000;

/** Bytes of the records of a page. They are parsed in one turn of the event loop. */
export const maxShownBytesOfPage = 2_000_000;

const shownFields = rowFieldsWith(
  `CASE WHEN octet_length(record) <= ${maxShownBytes} AND shown <= ${maxShownBytesOfPage} THEN record END AS record`,
);

/** Bytes of rows that a statement reads unless one row has more. Each row may have 250 kB, and a heap has some hundred MB. */
const maxReadBytes = 1_000_000;

@Injectable()
export class PgImportRowRepository extends ImportRowRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async addRows(id: string, firstNumber: number, rows: FileRow[]): Promise<void> {
    await mapConstraintErrors({ import_rows_import_fk: () => new NotFound('Import') }, () =>
      this.context.write(
        `INSERT INTO import_rows (import_id, number, record, fault)
         SELECT $1, $2::bigint + place - 1, record, fault
         FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given (record, fault, place)
         ON CONFLICT DO NOTHING RETURNING number`,
        [id, firstNumber, rows.map(({ record }) => record), rows.map(({ fault }) => fault)],
      ),
    );
  }

  rowsAfter(id: string, number: number, limit: number): Promise<ImportRow[]> {
    return this.#readSome('import_id = $1 AND number > $2::bigint AND number <= $2::bigint + $3', [id, number, limit]);
  }

  listRows({ id, processed }: Import, outcome: Outcome | undefined, offset: number, limit: number) {
    const [number, skipped] = outcome === undefined ? [offset, 0] : [0, offset];
    return this.context.read<ImportRow>(
      `SELECT ${shownFields} FROM (
         SELECT *, sum(octet_length(record)) FILTER (WHERE octet_length(record) <= ${maxShownBytes}) OVER (ORDER BY number) AS shown
         FROM (
           SELECT * FROM import_rows
           WHERE import_id = $1 AND number > $2 AND number <= $3 ${outcome === undefined ? '' : 'AND outcome = $6'}
           ORDER BY number OFFSET $4 LIMIT $5
         ) AS found
       ) AS import_rows ORDER BY import_rows.number`,
      [id, number, processed, skipped, limit, ...(outcome === undefined ? [] : [outcome])],
    );
  }

  processedRowsAfter({ id, processed }: Import, outcome: Outcome | undefined, number: number, limit: number) {
    return this.#readSome(
      `import_id = $1 AND number > $2 AND number <= $3 ${outcome === undefined ? '' : 'AND outcome = $5'}
       ORDER BY number LIMIT $4`,
      [id, number, processed, limit, ...(outcome === undefined ? [] : [outcome])],
    );
  }

  /** Reads the first rows of a condition until they have `maxReadBytes` together. Lengths are known without the values. */
  #readSome(condition: string, values: unknown[]): Promise<ImportRow[]> {
    return this.context.read<ImportRow>(
      `SELECT ${rowFields} FROM (
         SELECT *, sum(octet_length(record)) OVER (ORDER BY number) AS bytes, row_number() OVER (ORDER BY number) AS place
         FROM (SELECT * FROM import_rows WHERE ${condition}) AS found
       ) AS import_rows
       WHERE place = 1 OR coalesce(bytes, 0) <= $${values.length + 1} ORDER BY import_rows.number`,
      [...values, maxReadBytes],
    );
  }

  async setResults(id: string, results: RowResult[]): Promise<void> {
    if (results.length === 0) return;
    // A link has one row that stands for its state: the last one that writes it.
    const written = results.flatMap(({ planned }) => planned?.id ?? []);
    if (written.length > 0)
      await this.context.write(
        `UPDATE import_rows SET digest = NULL
         WHERE import_id = $1 AND link_id = ANY ($2) AND digest IS NOT NULL RETURNING number`,
        [id, written],
      );
    const last = new Map(results.flatMap(({ number, planned }) => (planned ? [[planned.id, number] as const] : [])));
    const of = <T>(value: (result: RowResult) => T) => results.map(value);
    const stored = (values: RowResult['unmapped']) => values.map(({ field, value }) => ({ field, value }));
    const planned = <T>(value: (link: PlannedLink) => T) =>
      of((result) => (result.planned && last.get(result.planned.id) === result.number ? value(result.planned) : null));
    await this.context.write(
      `UPDATE import_rows AS stored SET outcome = given.outcome, link_id = given.link_id, problems = given.problems,
         unmapped = given.unmapped, path = given.path, external_id = given.external_id, digest = given.digest,
         imported_from = given.imported_from, original_clicks = given.original_clicks
       FROM unnest($2::bigint[], $3::text[], $4::uuid[], $5::jsonb[], $6::jsonb[], $7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[])
         AS given (number, outcome, link_id, problems, unmapped, path, external_id, digest, imported_from, original_clicks)
       WHERE stored.import_id = $1 AND stored.number = given.number AND stored.number BETWEEN $12 AND $13
       RETURNING stored.number`,
      [
        id,
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
        // Without them, the planner may read all rows of the file.
        results[0]!.number,
        results.at(-1)!.number,
      ],
    );
  }

  findPlanned(id: string, { paths, externalIds, linkIds }: LinkNames): Promise<PlannedLink[]> {
    const one = (column: string, values: string) =>
      `SELECT link_id AS id, path, external_id AS "externalId", digest,
         json_build_object('importedFrom', imported_from, 'originalClicks', original_clicks::text)::jsonb AS origin FROM import_rows
       WHERE import_id = $1 AND ${column} = ANY (${values}) AND digest IS NOT NULL`;
    return this.context.read<PlannedLink>(
      `${one('path', '$2::text[]')} UNION ${one('external_id', '$3::text[]')} UNION ${one('link_id', '$4::uuid[]')}`,
      [id, paths, externalIds, linkIds],
    );
  }
}

/** Returns JSON that jsonb can hold, because names of fields may have any character. */
const json = (items: readonly object[]): string | null =>
  items.length === 0
    ? null
    : JSON.stringify(items, (_, value: unknown) =>
        typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value,
      );
