import { Injectable } from '@nestjs/common';
import { byteOrderMark, csvRecord } from '../../api-kit/kit/csv';
import { retried } from '../../api-kit/kit/long-requests';
import type { Project } from '../../links/projects/project';
import { ProjectRepository } from '../../links/projects/project.repository';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';

export const conversionFormats = ['csv', 'ndjson'] as const;
export type ConversionFormat = (typeof conversionFormats)[number];

const batchSize = 2000;

interface ExportedConversion {
  occurred_at: string;
  key: string;
  event: string;
  value: string | null;
  currency: string | null;
  dynamic_link_id: string;
  short_link_id: string | null;
  platform: string;
  variant: string | null;
  trusted: boolean;
  received_at: string;
}

export const conversionExample: ExportedConversion = {
  occurred_at: '2026-06-01T12:30:45.678Z',
  key: 'order-1',
  event: 'purchase',
  value: '19.90',
  currency: 'EUR',
  dynamic_link_id: '0198c0de-7e57-7000-8000-000000000002',
  short_link_id: null,
  platform: 'ios',
  variant: null,
  trusted: true,
  received_at: '2026-06-01T12:30:46.012Z',
};

const columns = Object.keys(conversionExample) as (keyof ExportedConversion)[];

const moment = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${column}`;

/** Selects the conversions of the project `$1` from `$2` to `$3` that follow the position `$4`, `$5`. */
const batchSql = `SELECT ${moment('occurred_at')}, key, event, value::text, currency, dynamic_link_id, short_link_id, platform, variant, trusted,
       ${moment('received_at')}
FROM conversions AS sent
WHERE project_id = $1 AND sent.occurred_at >= $2 AND sent.occurred_at < $3 AND (sent.occurred_at, key) > ($4::timestamptz, $5)
ORDER BY sent.occurred_at, key LIMIT ${batchSize}`;

@Injectable()
export class PgConversionExport {
  constructor(
    private readonly context: TransactionContext,
    private readonly projects: ProjectRepository,
  ) {}

  /**
   * Returns the conversions of a period as parts of a file, the oldest first.
   * @throws NotFound if the project is deleted meanwhile
   */
  async *write({ id }: Project, from: Date, to: Date, format: ConversionFormat): AsyncGenerator<string> {
    yield format === 'csv' ? byteOrderMark + csvRecord(columns) : '';
    let batch = await this.#batchAfter(id, from, to, null);
    while (batch.length > 0) {
      yield batch.map(format === 'csv' ? recordOf : lineOf).join('');
      const last = batch.at(-1)!;
      batch = batch.length < batchSize ? [] : await retried(() => this.#batchAfter(id, from, to, last));
    }
    // A deleted project has no conversions any more, which must not look like the end of its conversions.
    if (!(await retried(() => this.projects.find(id)))) throw new NotFound('Project');
  }

  #batchAfter(id: string, from: Date, to: Date, last: ExportedConversion | null): Promise<ExportedConversion[]> {
    return this.context.read(batchSql, [id, from, to, last?.occurred_at ?? '-infinity', last?.key ?? '']);
  }
}

const recordOf = (row: ExportedConversion): string => csvRecord(columns.map((column) => row[column]));

const lineOf = (row: ExportedConversion): string => `${JSON.stringify(row)}\n`;
