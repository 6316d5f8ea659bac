import { PgClickRepository } from './pg-click.repository';

/** Keeps the clicks of a region without sums, because the primary adds them up (docs/decisions/0017-regions.md). */
export class PgRegionalClickRepository extends PgClickRepository {
  override async isRollUpDue(): Promise<boolean> {
    return false;
  }

  override async purgeSome(batch: number): Promise<boolean> {
    return this.purgeBy('purge_region', batch);
  }
}
