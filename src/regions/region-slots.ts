import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics } from '../platform/observability/metrics';
import { outsideRequests } from '../platform/postgres/request-context';
import { ParallelShutdown } from '../shared/parallel-shutdown';

const intervalMs = 5000;

/** Some scrapes of Prometheus. A series that disappears for one of them begins the waiting time of its alert again. */
const maxAgeMs = 60_000;

interface RegionSlot {
  name: string;
  /** Whether the PostgreSQL of the region receives changes now. */
  connected: boolean;
  /** Write-ahead log that the primary keeps for the region; null if the slot is lost or missing. */
  retainedBytes: number | null;
}

/** Reads the slots of all regions in the primary, for metrics. A region that is gone cannot report that it is behind. */
@Injectable()
export class RegionSlots extends ParallelShutdown implements OnModuleInit {
  #slots: RegionSlot[] = [];
  /** When the slots were read, by `performance.now`. */
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: DataSource,
    @Inject(Metrics) private readonly metrics: Metrics | null,
  ) {
    super();
    metrics?.watch({
      signpost_region_connected: () => this.#recent.map(({ name, connected }) => [{ region: name }, Number(connected)]),
      signpost_region_retained_wal_bytes: () =>
        this.#recent.flatMap(({ name, retainedBytes }) =>
          retainedBytes === null ? [] : [[{ region: name }, retainedBytes] as const],
        ),
    });
  }

  /** As they were some seconds ago. Empty if the database has not answered for a minute. */
  get #recent(): readonly RegionSlot[] {
    return performance.now() - this.#readAt <= maxAgeMs ? this.#slots : [];
  }

  onModuleInit(): void {
    if (this.metrics) this.#timer = setInterval(() => void (this.#reading ??= this.#read()), intervalMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }

  async #read(): Promise<void> {
    const sql = `SELECT regions.name, coalesce(slot.active, false) AS connected,
        pg_wal_lsn_diff(pg_current_wal_lsn(), slot.restart_lsn)::float8 AS "retainedBytes"
      FROM regions LEFT JOIN pg_replication_slots AS slot
        ON slot.slot_name = 'signpost_' || regions.name AND slot.database = current_database()`;
    try {
      this.#slots = await outsideRequests(() => this.database.query<RegionSlot[]>(sql));
      this.#readAt = performance.now();
    } catch {
      // The health check and other queries report it.
    }
    this.#reading = undefined;
  }
}
