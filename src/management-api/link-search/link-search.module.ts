import { Module, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '../../shared/unit-of-work';
import { Log } from '../../platform/observability/log';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { ParallelShutdown } from '../kit/parallel-shutdown';
import { LinkSearchIndex } from './link-search-index';
import { LinkSearchRepository } from './link-search.repository';
import { LinkSearchUpkeep } from './link-search-upkeep';
import { PgLinkSearchTotals } from './pg-link-search-totals';
import { TypeormLinkSearchRepository } from './typeorm-link-search.repository';

/** Provides the totals of searches in large projects, and keeps them. */
@Module({
  imports: [DatabaseModule],
  providers: [
    { provide: LinkSearchRepository, useClass: TypeormLinkSearchRepository },
    {
      provide: PgLinkSearchTotals,
      useFactory: (links: LinkSearchRepository) => new PgLinkSearchTotals(links),
      inject: [LinkSearchRepository],
    },
    {
      provide: LinkSearchUpkeep,
      useFactory: (unitOfWork: UnitOfWork, links: LinkSearchRepository, totals: PgLinkSearchTotals, log: Log) =>
        new LinkSearchUpkeep(
          links,
          new LinkSearchIndex(unitOfWork, links),
          totals,
          (project_id, count, milliseconds) =>
            log.logger.info({ project_id, links: count, duration_ms: Math.round(milliseconds) }, 'counted searches'),
          (error) => log.warn(`the upkeep of searches goes on later: ${(error as Error).message}`),
        ),
      inject: [UnitOfWork, LinkSearchRepository, PgLinkSearchTotals, Log],
    },
  ],
  exports: [PgLinkSearchTotals],
})
export class LinkSearchModule extends ParallelShutdown implements OnModuleInit {
  constructor(private readonly upkeep: LinkSearchUpkeep) {
    super();
  }

  async onModuleInit(): Promise<void> {
    await this.upkeep.start();
  }

  protected stop(): Promise<void> {
    return this.upkeep.stop();
  }
}
