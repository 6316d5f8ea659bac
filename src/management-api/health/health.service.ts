import type { ClickHouse } from '../../platform/clickhouse/clickhouse';
import type { RedisRateLimitStorage } from '../../platform/rate-limit/redis-rate-limit-storage';
import { NotFound } from '../../shared/domain-error';
import type { Log } from '../../platform/observability/log';
import type { PgDatabaseState } from './pg-database-state';

/** The state of the services that the process depends on. */
export interface Checks {
  database: 'up' | 'down';
  /** Whether all migrations of this version have run. */
  migrations: 'done' | 'missing' | 'unknown';
  /** Change notifications, which keep caches current. While they are down, each cached link, key or plan costs a query. */
  change_listener: 'up' | 'down' | 'unused';
  /** Counts requests for all replicas. While it is down, each replica counts for itself. */
  redis: 'up' | 'down' | 'unused';
  /** Stores clicks. While it is down, clicks wait in memory, and statistics answer 503. */
  clickhouse: 'up' | 'down' | 'unused';
  /** Whether the replicated data are less than ten seconds old; absent outside regions. */
  replication?: 'current' | 'behind';
}

export interface Report {
  status: 'started' | 'starting' | 'ready' | 'unready' | 'draining';
  checks?: Checks;
}

/** The state of the database in the last log line about it. */
type LoggedState = 'up' | 'unmigrated' | 'down';

/** Objects that exist only after all modules have started. */
interface Dependencies {
  role: 'all' | 'api' | 'traffic' | 'import';
  /** Undefined if the process has no caches. */
  changeListener: { readonly current: boolean } | undefined;
  /** Undefined if the process counts requests in memory. */
  redis: Pick<RedisRateLimitStorage, 'answers'> | undefined;
  /** Undefined if PostgreSQL stores clicks. */
  clickHouse: Pick<ClickHouse, 'check'> | undefined;
  /** Undefined in a process on the database of the primary. */
  region?: { readonly state: 'current' | 'behind' } | undefined;
}

/** Determines whether the process should receive requests (docs/decisions/0012-health-shutdown-traces.md). */
export class HealthService {
  #dependencies: Dependencies | undefined;
  #started = false;
  #draining = false;
  #pendingChecks: Promise<Checks> | undefined;
  #loggedState: LoggedState = 'up';

  constructor(
    private readonly database: PgDatabaseState,
    private readonly log: Log,
  ) {}

  /** Records that the process listens, and what it depends on. */
  listening(dependencies: Dependencies): void {
    this.#dependencies = dependencies;
  }

  drain(): void {
    this.#draining = true;
  }

  /** Reports whether the process has ever listened and found its database with the required schema. */
  async startup(): Promise<Report> {
    const checks = this.#started ? null : await this.#check();
    return checks === null || this.#started ? { status: 'started' } : { status: 'starting', checks };
  }

  /** Reports whether the process can serve all requests of its role. */
  ready(): Promise<Report> {
    return this.#ready(this.#dependencies?.role === 'traffic');
  }

  /**
   * Reports whether the process can serve link traffic, which continues from the cache while the database is down.
   * @throws NotFound in a process that serves no link traffic
   */
  async readyForTraffic(): Promise<Report> {
    if (this.#dependencies?.role === 'api' || this.#dependencies?.role === 'import') throw new NotFound('Link traffic');
    return this.#ready(true);
  }

  async #ready(withoutDatabase: boolean): Promise<Report> {
    if (this.#draining) return { status: 'draining' };
    const checks = await this.#check();
    return { status: this.#statusBy(checks, withoutDatabase), checks };
  }

  #statusBy(checks: Checks, withoutDatabase: boolean): Report['status'] {
    if (this.#draining) return 'draining'; // since the checks began
    if (!this.#started) return 'starting';
    return checks.database === 'up' || withoutDatabase ? 'ready' : 'unready';
  }

  /** Shares one check between concurrent probes, so that they do not queue for a database that does not answer. */
  #check(): Promise<Checks> {
    this.#pendingChecks ??= this.#checkAll().finally(() => (this.#pendingChecks = undefined));
    return this.#pendingChecks;
  }

  async #checkAll(): Promise<Checks> {
    const [database, redis, clickHouse] = await Promise.all([
      this.#checkDatabase(),
      this.#dependencies?.redis?.answers(),
      this.#dependencies?.clickHouse?.check().then(
        () => true,
        () => false,
      ),
    ]);
    return {
      ...database,
      change_listener: this.#dependencies ? stateOf(this.#dependencies.changeListener?.current) : 'down',
      redis: stateOf(redis),
      clickhouse: stateOf(clickHouse),
      ...(this.#dependencies?.region && { replication: this.#dependencies.region.state }),
    };
  }

  async #checkDatabase(): Promise<Pick<Checks, 'database' | 'migrations'>> {
    try {
      const missing = await this.#missingMigrations();
      if (missing.length === 0 && this.#dependencies) this.#started = true;
      if (missing.length > 0) this.#logState('unmigrated', `the database lacks migrations: ${missing.join(', ')}`);
      else this.#logState('up', 'the database answers and has all migrations');
      return { database: 'up', migrations: missing.length === 0 ? 'done' : 'missing' };
    } catch (error) {
      this.#logState('down', `the database does not answer: ${(error as Error).message}`);
      return { database: 'down', migrations: this.#started ? 'done' : 'unknown' };
    }
  }

  async #missingMigrations(): Promise<string[]> {
    if (!this.#started) return this.database.missingMigrations();
    await this.database.ping();
    return [];
  }

  /** Logs changes of the state only, because probes repeat every few seconds. */
  #logState(state: LoggedState, message: string): void {
    if (this.#loggedState !== state) this.log.warn(message);
    this.#loggedState = state;
  }
}

const stateOf = (answers: boolean | undefined): 'up' | 'down' | 'unused' =>
  answers === undefined ? 'unused' : answers ? 'up' : 'down';
