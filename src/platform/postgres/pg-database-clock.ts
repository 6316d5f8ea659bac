import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../shared/database-clock';
import { TransactionContext } from './transaction-context';

@Injectable()
export class PgDatabaseClock extends DatabaseClock {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async now(): Promise<number> {
    const [row] = await this.context.read<{ now: Date }>('SELECT now() AS now');
    return row!.now.getTime();
  }
}
