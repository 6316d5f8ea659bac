import { quarterHourMs } from '../recording/click';
import type { TransactionContext } from '../../platform/postgres/transaction-context';
import { retried } from '../../api-kit/kit/long-requests';
import { clickPage, rowsAfter } from './click-page';
import type { ClickPosition } from './click-position';
import { type ClickCriteria, type ClickRow, lastKey } from './recorded-click';
import { type ClickPage, type RecordedClickRepository } from './recorded-click.repository';
import { linesSql, listSql, oldestRowSql } from './pg-recorded-clicks-sql';

/** Rows that are read at once. A row has the clicks of one batch, so it has a few on a quiet project, and up to 5,000 on a busy one. */
const rowsPerRead = 1000;

/** A rare filter would read all rows of the period for one page. */
const maxReadsPerPage = 10;

const clicksPerPart = 5000;

const maxRowsPerPart = 500;

interface Part {
  rows: number;
  clicks: number;
  last: string;
  lines: string | null;
}

/** Reads the batches that the recorder wrote. All clicks of a row are in the quarter of an hour of the row's own time. */
export class PgRecordedClickRepository implements RecordedClickRepository {
  constructor(private readonly context: TransactionContext) {}

  /** Reads whole quarters of an hour, newest first, because any row of a quarter can have its newest click. */
  async list(criteria: ClickCriteria, position: ClickPosition, limit: number): Promise<ClickPage> {
    const rows: ClickRow[] = [];
    let end = quarterOf(position.at) + quarterHourMs;
    for (let reads = 0; rows.length <= limit; reads++) {
      const begin = await this.#beginBefore(end, criteria);
      if (begin === null) break;
      // The page ends here without a last click.
      if (reads === maxReadsPerPage) {
        const { clicks } = clickPage(position, rows, limit);
        return { clicks, next: { at: end - 1, key: lastKey, repeated: 0, from: position.from } };
      }
      const { sql, values } = listSql(criteria, { begin, end }, position, limit + 1 - rows.length);
      rows.push(...rowsAfter(position, await this.context.read<ClickRow>(sql, values)));
      end = begin;
    }
    return clickPage(position, rows, limit);
  }

  async *lines(criteria: ClickCriteria): AsyncGenerator<string> {
    let part = await this.#partAfter(criteria, '-infinity', 1);
    for (let rows = 1; part.rows > 0;) {
      yield part.lines ?? '';
      const { last } = part;
      // The next part has as many clicks per row.
      const fitting = Math.floor((part.rows * clicksPerPart) / part.clicks);
      rows = Math.max(1, Math.min(maxRowsPerPart, rows * 4, fitting));
      part = await retried(() => this.#partAfter(criteria, last, rows));
    }
  }

  async #partAfter(criteria: ClickCriteria, after: string, rows: number): Promise<Part> {
    const { sql, values } = linesSql(criteria, after, { rows, clicks: clicksPerPart });
    const [part] = await this.context.read<Part>(sql, values);
    return part!;
  }

  /** Returns the start of the quarter of an hour that ends a read of enough rows; null if no rows are left in the period. */
  async #beginBefore(end: number, { projectId, from }: ClickCriteria): Promise<number | null> {
    const [row] = await this.context.read<{ oldest: number | null }>(oldestRowSql, [
      projectId,
      quarterOf(from),
      end,
      rowsPerRead,
    ]);
    return row!.oldest === null ? null : quarterOf(row!.oldest);
  }
}

const quarterOf = (moment: number): number => moment - (moment % quarterHourMs);
