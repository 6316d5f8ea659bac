import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { withDeadline } from '../../platform/postgres/deadline';
import { missingMigrations } from '../../platform/postgres/schema-state';
import { timeLimits } from '../../platform/postgres/time-limits';
import { DatabaseState } from './database-state';

@Injectable()
export class TypeormDatabaseState extends DatabaseState {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  missingMigrations(): Promise<string[]> {
    return withDeadline(timeLimits.probe, () => missingMigrations((sql) => this.dataSource.query(sql)));
  }

  async ping(): Promise<void> {
    await withDeadline(timeLimits.probe, () => this.dataSource.query('SELECT 1'));
  }
}
