import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { withDeadline } from '../../platform/postgres/deadline';
import { missingMigrations } from '../../platform/postgres/schema-state';
import { DatabaseState } from './database-state';

@Injectable()
export class TypeormDatabaseState extends DatabaseState {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  missingMigrations(timeoutMs: number): Promise<string[]> {
    return withDeadline(timeoutMs, () => missingMigrations((sql) => this.dataSource.query(sql)));
  }

  async ping(timeoutMs: number): Promise<void> {
    await withDeadline(timeoutMs, () => this.dataSource.query('SELECT 1'));
  }
}
