import type { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { clickHouseColumns, clickHouseRows } from './clickhouse-rows';
import { migrateClickHouse } from './clickhouse-migrations';
import { longerPeriods } from './clickhouse-schema';
import type { ClicksByDay, PgClickCopies } from './pg-click-copies';

/** For a statement that sums a month of all projects. PostgreSQL has as long. */
const timeoutMs = 10 * 60_000;

/** Clicks of a project on a day (UTC), where the stores differ. */
export interface Difference {
  projectId: string;
  day: string;
  postgresql: number;
  clickhouse: number;
}

export class ClickHouseClickCopy {
  constructor(
    private readonly clickHouse: ClickHouse,
    private readonly source: PgClickCopies,
    private readonly retentionMonths: number,
  ) {}

  /**
   * Copies all clicks that no process writes to both stores, and returns their number. It continues where an earlier copy ended or was
   * interrupted.
   */
  async copy(): Promise<number> {
    await migrateClickHouse(this.clickHouse, this.retentionMonths);
    return this.source.exclusively(async () => {
      const until = await this.source.lastBatch();
      let copied = 0;
      for (const month of await this.source.months())
        for (let part = await this.source.next(month, until); part; part = await this.source.next(month, until)) {
          const { after, last, begun, rows } = part;
          // A part is empty if its projects were deleted.
          if (rows.length > 0)
            await this.clickHouse.insert({
              table: 'clicks',
              columns: clickHouseColumns,
              rows: clickHouseRows(rows),
              token: `copy:${month}:${begun}:${after}:${last}`,
            });
          await this.source.done(month, part);
          copied += rows.reduce((sum, { moments }) => sum + moments.length, 0);
        }
      return copied;
    });
  }

  today(): Promise<string> {
    return this.source.today();
  }

  /** Compares the clicks of each project and day (UTC) before `today`. Days of deleted projects are left out. */
  async differences(today: string): Promise<Difference[]> {
    const differences: Difference[] = [];
    for (const month of await this.source.months()) {
      const [inPostgres, inClickHouse] = [await this.source.countByDay(month), await this.#countByDay(month)];
      const keys = [...new Set([...inPostgres.keys(), ...inClickHouse.keys()])].sort();
      const different = keys
        .map((key) => ({ key, postgresql: inPostgres.get(key) ?? 0, clickhouse: inClickHouse.get(key) ?? 0 }))
        .filter(({ postgresql, clickhouse }) => postgresql !== clickhouse)
        .map(({ key, ...counts }) => ({ projectId: key.slice(0, 36), day: key.slice(37), ...counts }))
        .filter(({ day }) => day < today);
      const deleted = await this.source.deletedOf([...new Set(different.map(({ projectId }) => projectId))]);
      differences.push(...different.filter(({ projectId }) => !deleted.has(projectId)));
    }
    return differences;
  }

  /** Counts by an expression of the projection `by_day`, so that ClickHouse reads days instead of quarters. */
  async #countByDay(month: string): Promise<ClicksByDay> {
    const rows = await this.clickHouse.rows<{ project: string; day: string; number: number }>(
      `SELECT toString(project_id) AS project, toString(${longerPeriods.by_day}) AS day, sum(clicks) + sum(bots) AS number
       FROM project_clicks_by_quarter
       WHERE dimension = 'platform' AND ${longerPeriods.by_day} >= {month:Date}
         AND ${longerPeriods.by_day} < {month:Date} + toIntervalMonth(1)
       GROUP BY project_id, ${longerPeriods.by_day}`,
      { month },
      { timeoutMs },
    );
    return new Map(rows.map(({ project, day, number }) => [`${project} ${day}`, number]));
  }
}
