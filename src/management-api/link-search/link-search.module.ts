import { Module, type OnModuleInit } from '@nestjs/common';
import { BackgroundJobs } from '../../shared/background-jobs';
import { UnitOfWork } from '../../shared/unit-of-work';
import { Log } from '../../platform/observability/log';
import { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { ParallelShutdown } from '../kit/parallel-shutdown';
import { LinkSearchIndex } from './link-search-index';
import { LinkSearchRepository } from './link-search.repository';
import { LinkSearchUpkeep } from './link-search-upkeep';
import { NewSearchEntries } from './new-search-entries';
import { NewSearchEntriesUpkeep } from './new-search-entries-upkeep';
import { PgLinkSearchTotals } from './pg-link-search-totals';
import { PgNewSearchEntries } from './pg-new-search-entries';
import { PgLinkSearchRepository } from './pg-link-search.repository';

/** Provides the totals of searches in large projects, and keeps them. Keeps the lists of new entries of search indexes short. */
@Module({
  imports: [DatabaseModule],
  providers: [
    { provide: LinkSearchRepository, useClass: PgLinkSearchRepository },
    {
      provide: PgLinkSearchTotals,
      useFactory: (links: LinkSearchRepository) => new PgLinkSearchTotals(links),
      inject: [LinkSearchRepository],
    },
    {
      provide: LinkSearchUpkeep,
      useFactory: (
        unitOfWork: UnitOfWork,
        links: LinkSearchRepository,
        totals: PgLinkSearchTotals,
        log: Log,
        jobs: BackgroundJobs,
      ) =>
        new LinkSearchUpkeep(
          links,
          new LinkSearchIndex(unitOfWork, links),
          totals,
          (project_id, count, milliseconds) =>
            log.logger.info({ project_id, links: count, duration_ms: Math.round(milliseconds) }, 'counted searches'),
          (error) => log.warn(`the upkeep of searches goes on later: ${(error as Error).message}`),
          jobs,
        ),
      inject: [UnitOfWork, LinkSearchRepository, PgLinkSearchTotals, Log, BackgroundJobs],
    },
    {
      provide: NewSearchEntries,
      useFactory: (pool: AdaptivePool) => new PgNewSearchEntries(pool),
      inject: [AdaptivePool],
    },
    {
      provide: NewSearchEntriesUpkeep,
      useFactory: (entries: NewSearchEntries, log: Log, jobs: BackgroundJobs) =>
        new NewSearchEntriesUpkeep(
          entries,
          (error) => log.warn(`new entries of search indexes are moved later: ${(error as Error).message}`),
          jobs,
        ),
      inject: [NewSearchEntries, Log, BackgroundJobs],
    },
  ],
  exports: [PgLinkSearchTotals],
})
export class LinkSearchModule extends ParallelShutdown implements OnModuleInit {
  constructor(
    private readonly upkeep: LinkSearchUpkeep,
    private readonly newEntries: NewSearchEntriesUpkeep,
  ) {
    super();
  }

  async onModuleInit(): Promise<void> {
    await this.upkeep.start();
  }

  protected stop(): Promise<unknown> {
    return Promise.all([this.upkeep.stop(), this.newEntries.stop()]);
  }
}
