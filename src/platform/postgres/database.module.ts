import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type EntitySchema } from 'typeorm';
import { Log } from '../observability/log';
import { UnitOfWork } from '../../shared/unit-of-work';
import { poolOptions } from './connection';
import { AdaptivePool } from './adaptive-pool';
import { keepContexts } from './keep-contexts';
import { closeWhenReadOnly } from './read-only';
import { poolOf, TransactionContext } from './transaction-context';

@Module({})
export class DatabaseModule {
  static with(settings: { url: string; poolSize: number; schemas: EntitySchema[] }): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Log],
          useFactory: (log: Log) => ({
            type: 'postgres' as const,
            driver: { Pool: AdaptivePool },
            entities: settings.schemas,
            entitySkipConstructor: true,
            uuidExtension: 'pgcrypto' as const,
            installExtensions: false,
            // The database answered a moment ago. A busy one may still miss the time limit of a connection.
            retryAttempts: 4,
            retryDelay: 500,
            poolErrorHandler: (error: Error) => log.warn(`an idle database connection was lost: ${error.message}`),
            extra: poolOptions(settings.url, { max: settings.poolSize, name: 'management API' }),
          }),
          dataSourceFactory: async (options) => {
            const dataSource = await new DataSource(options!).initialize();
            closeWhenReadOnly(poolOf(dataSource));
            keepContexts(poolOf(dataSource));
            return dataSource;
          },
        }),
      ],
      providers: [TransactionContext, { provide: UnitOfWork, useExisting: TransactionContext }],
      exports: [TransactionContext, UnitOfWork],
    };
  }
}
