import { Injectable } from '@nestjs/common';
import { columnArrays } from '../../platform/postgres/column-arrays';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { digestOfClickId } from './click-id';
import { type Conversion, maxUntrusted, type ConversionOutcome } from './conversion';

/** Stores conversions in PostgreSQL, also if ClickHouse stores the clicks, because they are few and their sums must be exact. */
@Injectable()
export class PgConversionRepository {
  constructor(private readonly context: TransactionContext) {}

  /** Counts conversions once each, in one statement, and returns an outcome for each. */
  async record(projectId: string, trusted: boolean, sent: readonly Conversion[]): Promise<ConversionOutcome[]> {
    if (sent.length === 0) return [];
    const [answer] = await this.context.write<{ outcomes: ConversionOutcome[] }>(
      'SELECT record_conversions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS outcomes',
      [
        projectId,
        trusted,
        maxUntrusted,
        sent.map(({ clickId }) => clickId && digestOfClickId(clickId)),
        ...columnArrays(sent, ['event', 'value', 'currency', 'key', 'saleKey', 'occurredAt']),
      ],
    );
    return answer!.outcomes;
  }
}
