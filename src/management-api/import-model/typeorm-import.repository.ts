import { Injectable } from '@nestjs/common';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { outsideRequests } from '../../platform/postgres/deadline';
import { OwnedRows } from '../../platform/postgres/owned-rows';
import type { ListDefinition } from '../../platform/postgres/list-sql';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import type { QuotaReservation } from '../accounts/quotas';
import { Import, type ImportChanges, type ImportFailure, type NewImport } from './import';
import type { FileRow, ImportRow, Outcome, PlannedLink, RowResult } from './import-row';
import type { ImportState } from './import-state';
import { type ImportListRequest, ImportRepository, type LinkNames } from './import.repository';
import { type ImportColumns, ImportSchema } from './import.schema';

const live = 't.deleted_at IS NULL';

const list: ListDefinition<'created_at'> = {
  owner: 'project_id',
  only: live,
  sortColumns: { created_at: 'created_at' },
};

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
export class TypeormImportRepository extends ImportRepository {
  readonly #imports: OwnedRows<ImportColumns, 'created_at'>;

  constructor(private readonly context: TransactionContext) {
    super();
    this.#imports = new OwnedRows<ImportColumns, 'created_at'>(context, ImportSchema, list);
  }

  async insert(created: NewImport): Promise<Import> {
    const errors = { imports_project_fk: () => new NotFound('Project') };
    await mapConstraintErrors(errors, () => this.#imports.insert(created as ImportColumns));
    return (await this.find(created.projectId, created.id))!;
  }

  async find(projectId: string, id: string): Promise<Import | null> {
    return toImport(await this.#imports.find(projectId, id));
  }

  async findForUpdate(projectId: string, id: string): Promise<Import | null> {
    return toImport(await this.#imports.findForUpdate(projectId, id));
  }

  async findPlace(id: string): Promise<{ projectId: string; state: ImportState } | null> {
    const [row] = await this.context.read<{ projectId: string; state: ImportState }>(
      'SELECT project_id AS "projectId", state FROM imports WHERE id = $1 AND deleted_at IS NULL',
      [id],
    );
    return row ?? null;
  }

  async list(projectId: string, request: ImportListRequest): Promise<Page<Import>> {
    const { items, total } = await this.#imports.page(projectId, { ...request, sortBy: 'created_at' });
    return { items: items.map((row) => toImport(row)!), total };
  }

  async countOpen(projectId: string): Promise<number> {
    const [row] = await this.context.read<{ open: number }>(
      `SELECT count(*)::int AS open FROM imports
       WHERE project_id = $1 AND deleted_at IS NULL AND state IN ('uploading', 'checking', 'ready', 'running')`,
      [projectId],
    );
    return row!.open;
  }

  async update(id: string, changes: ImportChanges): Promise<void> {
    const { counts, ...others } = changes;
    const columns = {
      ...others,
      ...(counts && {
        created: counts.created,
        replaced: counts.replaced,
        unchanged: counts.unchanged,
        conflicts: counts.conflict,
        refused: counts.refused,
      }),
    } as Partial<ImportColumns>;
    const [row] = await this.context.read<{ project_id: string }>('SELECT project_id FROM imports WHERE id = $1', [id]);
    if (row) await this.#imports.update(row.project_id, id, columns);
  }

  async touchUpload(id: string): Promise<boolean> {
    const touched = await this.context.write(
      `UPDATE imports SET updated_at = now()
       WHERE id = $1 AND state = 'uploading' AND deleted_at IS NULL
         AND EXISTS (SELECT FROM projects WHERE projects.id = project_id AND projects.deleted_at IS NULL)
       RETURNING id`,
      [id],
    );
    return touched.length > 0;
  }

  async failUpload(id: string, { code, message }: ImportFailure): Promise<void> {
    await this.context.write(
      `UPDATE imports SET state = 'failed', failure_code = $2, failure = $3, finished_at = now(), updated_at = now()
       WHERE id = $1 AND state = 'uploading' RETURNING id`,
      [id, code, message],
    );
  }

  async failSilentFetches(silentSince: Date, { code, message }: ImportFailure): Promise<void> {
    await this.context.write(
      `UPDATE imports SET state = 'failed', failure_code = $2, failure = $3, finished_at = now(), updated_at = now()
       WHERE deleted_at IS NULL AND state = 'uploading' AND format = 'api' AND updated_at < $1 RETURNING id`,
      [silentSince, code, message],
    );
  }

  async remove(id: string): Promise<void> {
    await this.context.write('UPDATE imports SET deleted_at = now(), reserved_links = 0 WHERE id = $1 RETURNING id', [
      id,
    ]);
  }

  async reserveLinks(quota: QuotaReservation, links: number): Promise<void> {
    const errors = { dynamic_links_quota: (used: string | undefined) => quota.reached(Number(used), links) };
    await mapConstraintErrors(errors, () =>
      this.context.read('SELECT reserve_dynamic_links($1, $2, $3)', [quota.accountId, quota.limit, links]),
    );
  }

  async addRows(id: string, firstNumber: number, rows: FileRow[]): Promise<void> {
    await this.context.write(
      `INSERT INTO import_rows (import_id, number, record, fault)
       SELECT $1, $2::bigint + place - 1, record, fault
       FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given (record, fault, place)
       ON CONFLICT DO NOTHING RETURNING number`,
      [id, firstNumber, rows.map(({ record }) => record), rows.map(({ fault }) => fault)],
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
         unmapped = given.unmapped, path = given.path, external_id = given.external_id, digest = given.digest
       FROM unnest($2::bigint[], $3::text[], $4::uuid[], $5::jsonb[], $6::jsonb[], $7::text[], $8::text[], $9::text[])
         AS given (number, outcome, link_id, problems, unmapped, path, external_id, digest)
       WHERE stored.import_id = $1 AND stored.number = given.number AND stored.number BETWEEN $10 AND $11
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
        // Without them, the planner may read all rows of the file.
        results[0]!.number,
        results.at(-1)!.number,
      ],
    );
  }

  findPlanned(id: string, { paths, externalIds, linkIds }: LinkNames): Promise<PlannedLink[]> {
    const one = (column: string, values: string) =>
      `SELECT link_id AS id, path, external_id AS "externalId", digest FROM import_rows
       WHERE import_id = $1 AND ${column} = ANY (${values}) AND digest IS NOT NULL`;
    return this.context.read<PlannedLink>(
      `${one('path', '$2::text[]')} UNION ${one('external_id', '$3::text[]')} UNION ${one('link_id', '$4::uuid[]')}`,
      [id, paths, externalIds, linkIds],
    );
  }

  async removeExpired(limits: { uploadBefore: Date; finishedBefore: Date; maxPerProject: number }): Promise<void> {
    await this.context.write(
      `UPDATE imports SET deleted_at = now(), reserved_links = 0
       WHERE deleted_at IS NULL AND (
         (state = 'uploading' AND updated_at < $1)
         OR (state IN ('ready', 'completed', 'cancelled', 'failed') AND updated_at < $2)
         OR id IN (
           SELECT id FROM (
             SELECT id, state, row_number() OVER (PARTITION BY project_id ORDER BY created_at DESC, id DESC) AS place
             FROM imports WHERE deleted_at IS NULL
           ) AS ranked
           WHERE place > $3 AND state IN ('completed', 'cancelled', 'failed')
         )
       ) RETURNING id`,
      [limits.uploadBefore, limits.finishedBefore, limits.maxPerProject],
    );
  }

  async purgeSome(batch: number): Promise<boolean> {
    const [row] = await outsideRequests(() =>
      this.context.read<{ done: boolean }>('SELECT purge_imports($1) AS done', [batch]),
    );
    return row!.done;
  }
}

/** Returns JSON that jsonb can hold, because names of fields may have any character. */
const json = (items: readonly object[]): string | null =>
  items.length === 0
    ? null
    : JSON.stringify(items, (_, value: unknown) =>
        typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value,
      );

function toImport(row: ImportColumns | null): Import | null {
  if (!row) return null;
  const { created, replaced, unchanged, conflicts, refused, ...fields } = row;
  return Import.of({
    ...fields,
    fileRows: Number(fields.fileRows),
    fileBytes: Number(fields.fileBytes),
    processed: Number(fields.processed),
    reservedLinks: Number(fields.reservedLinks),
    counts: {
      created: Number(created),
      replaced: Number(replaced),
      unchanged: Number(unchanged),
      conflict: Number(conflicts),
      refused: Number(refused),
    },
  });
}
