import type { Column, SignedColumn } from './statistics-filter';
import type { Dimension } from './statistics-plan';
import { type Piece, piecesOf } from './statistics-window';

/** Tables of sums. A row has the sums of each unit of its period; rows of months also have their totals. */
const tables = [
  { of: 'days', table: 'clicks_by_day', period: 'month', hasTotals: true },
  { of: 'quarters', table: 'clicks_by_quarter', period: 'day', hasTotals: false },
] as const;

export const columns: Record<Column, string> = {
  clicks: 'bot IS NOT TRUE',
  qr_scans: 'bot IS NOT TRUE AND qr',
  bots: 'bot',
  bot_qr_scans: 'bot AND qr',
};

/** The requested sums by their names in the result. Each adds up columns, and is 0 without any. */
export type RequestedSums = Partial<Record<'clicks' | 'qr_scans' | 'bots', readonly SignedColumn[]>>;

const unnestedPieces = ` CROSS JOIN LATERAL (SELECT unnest(parts) AS part, unnest(firsts) AS first, unnest(lasts) AS last, unnest(signs) AS sign OFFSET 0) AS piece`;

/** Pieces up to this length are added up without a subquery, which takes longer than the addition. */
const maxInlineUnits = 4;

/** Builds the SQL that reads the rows of one table of sums for a window, and adds up their arrays. */
export class Source {
  /** A row for each period of the window, with its pieces. */
  readonly cte: string;
  readonly #maxUnits: number;
  readonly #hasSigns: boolean;
  /** Whether no period has pieces of several parts. */
  readonly #isSimple: boolean;
  readonly #from: string;
  readonly #to: string;

  constructor(
    private readonly name: string,
    private readonly of: (typeof tables)[number],
    pieces: Piece[],
    parameter: (value: unknown) => string,
  ) {
    this.#maxUnits = Math.max(...pieces.map(({ first, last }) => last - first + 1));
    this.#hasSigns = pieces.some(({ sign }) => sign === -1);
    const periods = pieces.map(({ period }) => period).sort();
    // Constant bounds spare the planner other partitions.
    [this.#from, this.#to] = [parameter(periods[0]), parameter(periods.at(-1))];
    this.#isSimple = new Set(periods).size === periods.length;
    const perPeriod = this.#isSimple
      ? 'part, first, last, sign'
      : 'array_agg(part) AS parts, array_agg(first) AS firsts, array_agg(last) AS lasts, array_agg(sign) AS signs';
    const valuesOf = (name: keyof Piece, type: string) => `${parameter(pieces.map((piece) => piece[name]))}::${type}[]`;
    this.cte = `${name} AS MATERIALIZED (
  SELECT ${of.period}, ${perPeriod}
  FROM unnest(${valuesOf('period', 'date')}, ${valuesOf('part', 'integer')}, ${valuesOf('first', 'integer')}, ${valuesOf('last', 'integer')},
              ${valuesOf('sign', 'integer')}) AS piece (${of.period}, part, first, last, sign)
  ${this.#isSimple ? '' : `GROUP BY ${of.period}`}
)`;
  }

  /**
   * Builds a FROM list of rows and their pieces. OFFSET 0 makes the planner look up the rows of one period at a time. Its
   * estimates are unreliable, and another order could read all values of every period.
   * @param after rows that the condition names
   * @param scope selects the sums of the project, or those of links
   */
  rows(condition: string, after = '', scope = 'scope_id = $1'): string {
    const { table, period } = this.of;
    return `${after}${this.name} AS period CROSS JOIN LATERAL (
        SELECT * FROM ${table} AS kept WHERE project_id = $1 AND ${scope} AND kept.${period} = period.${period} AND kept.${period} BETWEEN ${this.#from}::date AND ${this.#to}::date
          AND ${condition} OFFSET 0
      ) AS counted${this.#isSimple ? '' : unnestedPieces}`;
  }

  /** Builds the sums over the units of a row from `first` to `last`. */
  sums(requested: RequestedSums): string {
    return sums(
      requested,
      (column) =>
        `CASE WHEN counted.${column} IS NULL THEN 0 ${this.#total(column)} ${this.#ofPiece(`counted.${column}`)} END${this.#hasSigns ? ' * sign' : ''}`,
    );
  }

  /** Reads the total, which is the sum of the piece if the row has no other units. */
  #total(column: Column): string {
    if (!this.of.hasTotals || this.#maxUnits <= maxInlineUnits) return '';
    return `WHEN array_lower(counted.${column}, 1) >= first AND array_upper(counted.${column}, 1) <= last THEN counted.total_${column}`;
  }

  #ofPiece(column: string): string {
    if (this.#maxUnits <= maxInlineUnits) {
      const units = Array.from({ length: this.#maxUnits }, (_, after) =>
        after === 0
          ? `coalesce(${column}[first], 0)`
          : `CASE WHEN first + ${after} <= last THEN coalesce(${column}[first + ${after}], 0) ELSE 0 END`,
      );
      return `ELSE ${units.join(' + ')}`;
    }
    // `unnest` after `FROM` would first store its result.
    return `WHEN first = last THEN coalesce(${column}[first], 0) ELSE (
      SELECT coalesce(sum(of_unit), 0) FROM (SELECT unnest(${column}[first:last]) AS of_unit) AS units
    )`;
  }
}

export const sums = (requested: RequestedSums, read: (column: Column) => string): string =>
  Object.entries(requested)
    .map(
      ([name, columns]) =>
        `${columns.length === 0 ? '0' : columns.map((column) => signed(column, read)).join(' + ')} AS ${name}`,
    )
    .join(', ');

const signed = (column: SignedColumn, read: (column: Column) => string): string =>
  column.startsWith('-') ? `-(${read(column.slice(1) as Column)})` : read(column as Column);

export const summed = (requested: RequestedSums): string =>
  Object.keys(requested)
    .map((name) => `sum(${name}) AS ${name}`)
    .join(', ');

export const inDimension = (dimension: Dimension): string => `dimension = '${dimension}'`;

export function sourcesOf(
  window: Parameters<typeof piecesOf>[0],
  parameter: (value: unknown) => string,
  prefix = '',
): Source[] {
  const pieces = piecesOf(window);
  return tables
    .filter(({ of }) => pieces[of].length > 0)
    .map((table) => new Source(`${prefix}${table.of}`, table, pieces[table.of], parameter));
}
