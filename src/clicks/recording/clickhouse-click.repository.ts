import { type ClickHouse, isMissingTable } from '../../platform/clickhouse/clickhouse';
import type { ClickBatch } from './click-batch';
import { clickHouseColumns, clickHouseRows } from './clickhouse-rows';
import { migrateClickHouse, requireClickTables } from './clickhouse-migrations';
import { type ClickTable, clickTables } from './clickhouse-schema';
import { PgClickRepository } from './pg-click.repository';
import type { PgClickHousePurges } from './pg-clickhouse-purges';

const tables = Object.keys(clickTables) as ClickTable[];

/** How long processes take at most to write the clicks that waited for ClickHouse. They try each second. */
const catchUpMs = 10 * 60_000;

/**
 * Writes clicks to ClickHouse. PostgreSQL keeps the list of deleted projects, and clicks from before, whose upkeep continues until they
 * expire.
 */
export class ClickHouseClickRepository extends PgClickRepository {
  /** Whether the tables are there. ClickHouse may be down when the process starts. */
  #isPrepared = false;
  /** The last batch that ClickHouse took. It remembers some thousand, and PostgreSQL may be away for longer. */
  #taken: string | null = null;
  /** When both stores answered first after the last outage of either, by `performance.now`. */
  #answersSince: number | null = null;

  constructor(
    private readonly clickHouse: ClickHouse,
    private readonly purges: PgClickHousePurges,
    private readonly settings: { retentionMonths: number; migrate: boolean; writesBoth: boolean },
    ...postgres: ConstructorParameters<typeof PgClickRepository>
  ) {
    super(...postgres);
  }

  override async record(writer: string, number: number, batch: ClickBatch): Promise<void> {
    // Another process may have created the table, but not yet the views that sum it.
    if (!this.#isPrepared) await this.#prepare();
    const token = `${writer}:${number}`;
    if (this.#taken !== token) await this.#insert(token, batch);
    this.#taken = token;
    // In this order, PostgreSQL has no batch that ClickHouse lacks. It ignores a batch that is sent again.
    if (this.settings.writesBoth) await this.recordMirrored(writer, number, batch);
  }

  async #insert(token: string, batch: ClickBatch): Promise<void> {
    try {
      const rows = clickHouseRows(batch.rows());
      await this.clickHouse.insert({ table: 'clicks', columns: clickHouseColumns, rows, token });
    } catch (error) {
      if (isMissingTable(error)) this.#isPrepared = false;
      throw error;
    }
  }

  override async purgeSome(batch: number): Promise<boolean> {
    const isDone = await super.purgeSome(batch).catch((error: unknown) => {
      // With both stores, clicks wait for the end of an outage of PostgreSQL too.
      this.#answersSince = null;
      throw error;
    });
    if (!this.clickHouse.up) this.#answersSince = null;
    if (!this.#isPrepared || !this.clickHouse.up) await this.#prepare();
    this.#answersSince ??= performance.now();
    await this.#purge(performance.now() - this.#answersSince >= catchUpMs);
    return isDone;
  }

  /** Creates partitions of PostgreSQL, and the tables of ClickHouse, which creates partitions itself and drops them by their TTL. */
  override async createPartitionsAhead(months: number): Promise<void> {
    await super.createPartitionsAhead(months);
    // The upkeep of PostgreSQL goes on. The next sweep tries again, and its error is logged.
    await this.#prepare().catch(() => {});
  }

  async #prepare(): Promise<void> {
    await this.clickHouse.check();
    if (this.settings.migrate) await migrateClickHouse(this.clickHouse, this.settings.retentionMonths);
    else await requireClickTables(this.clickHouse);
    this.#isPrepared = true;
  }

  /**
   * Removes clicks of deleted projects. A project stays on the list for a week, because a process that is cut off from ClickHouse keeps
   * its clicks, and writes them later.
   * @param isCaughtUp whether no process has clicks any more that waited for the end of an outage
   */
  async #purge(isCaughtUp: boolean): Promise<void> {
    const claimed = await this.purges.claim();
    if (claimed.length === 0) return;
    const ids = claimed.map(({ projectId }) => projectId);
    const left = new Set<string>();
    for (const table of tables) for (const { id } of await this.#projectsIn(table, ids)) left.add(id);
    if (left.size > 0) await this.#remove([...left]);
    await this.purges.remove(claimed.filter((one) => isCaughtUp && one.isSettled && !left.has(one.projectId)));
  }

  #projectsIn(table: ClickTable, ids: string[]): Promise<{ id: string }[]> {
    const sql = `SELECT DISTINCT project_id AS id FROM ${table} WHERE project_id IN {ids:Array(UUID)}`;
    return this.clickHouse.rows(sql, { ids });
  }

  /** Begins a mutation of each table, which ClickHouse continues after a restart. */
  async #remove(ids: string[]): Promise<void> {
    const list = ids.map((id) => `'${id}'`).join(', ');
    for (const table of tables)
      await this.clickHouse.command(`ALTER TABLE ${table} DELETE WHERE project_id IN (${list})`);
  }
}
