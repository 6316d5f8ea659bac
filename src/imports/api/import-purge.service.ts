import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { BatchPurge } from '../../shared/batch-purge';
import { PgImportUpkeep } from '../model/pg-import-upkeep';

const importsPerStatement = 100;

/** Drops the tables of imports that failed or were cancelled, and removes old imports and uploads that have stopped. */
@Injectable()
export class ImportPurgeService extends BatchPurge {
  constructor(imports: PgImportUpkeep, log: Log) {
    super(
      async () => {
        await imports.removeExpired();
        return imports.purgeSome(importsPerStatement);
      },
      (error) => log.warn(`the purge of imports failed, will be retried: ${(error as Error).message}`),
    );
  }
}
