import { Injectable } from '@nestjs/common';
import type { RedisRateLimitStorage } from '../../platform/rate-limit/redis-rate-limit-storage';
import { NotFound } from '../../shared/domain-error';
import { Log } from '../../platform/observability/log';
import { DatabaseState } from './database-state';

/** Milliseconds that the database gets to answer: a probe that waits longer has its answer. */
const timeoutMs = 2000;

/** How what stands behind the process is, as far as it was asked. */
interface Checks {
  database: 'up' | 'down';
  /** All that this program comes with have run. */
  migrations: 'done' | 'missing' | 'unknown';
  /** What keeps remembered links, keys and plans true. Without it each costs a query. */
  announcements: 'up' | 'down';
  /** Where rate limits are counted over all replicas. Without it each counts for itself. */
  redis: 'up' | 'down' | 'unused';
}

export interface Report {
  status: 'started' | 'starting' | 'ready' | 'unready' | 'draining';
  checks?: Checks;
}

/** What the log has last said of the database. */
type Told = 'well' | 'behind' | 'away';

/** What was not there yet when the rooms were built. */
interface Parts {
  role: 'all' | 'api' | 'traffic';
  announcements: { readonly current: boolean };
  /** Absent where limits are counted in the process. */
  redis: Pick<RedisRateLimitStorage, 'answers'> | undefined;
}

/** Whether the process should be sent requests (docs/decisions/0012-health-by-role.md). */
@Injectable()
export class Health {
  #parts: Parts | undefined;
  #started = false;
  #draining = false;
  #looking: Promise<Checks> | undefined;
  #told: Told = 'well';

  constructor(
    private readonly database: DatabaseState,
    private readonly log: Log,
  ) {}

  /** From here on the process listens. */
  listening(parts: Parts): void {
    this.#parts = parts;
  }

  /** From here on the process is on its way out. */
  drain(): void {
    this.#draining = true;
  }

  /** Once it has listened and found its database with the schema that it needs, it has started for good. */
  async startup(): Promise<Report> {
    const checks = this.#started ? null : await this.#look();
    return checks === null || this.#started ? { status: 'started' } : { status: 'starting', checks };
  }

  /** Whether it can do all that its role promises. */
  ready(): Promise<Report> {
    return this.#ready(this.#parts?.role === 'traffic');
  }

  /**
   * Whether it can serve link traffic, which goes on out of memory while the database is away.
   * @throws NotFound where other processes serve that
   */
  async readyForTraffic(): Promise<Report> {
    if (this.#parts?.role === 'api') throw new NotFound('Link traffic');
    return this.#ready(true);
  }

  async #ready(withoutDatabase: boolean): Promise<Report> {
    if (this.#draining) return { status: 'draining' };
    const checks = await this.#look();
    return { status: this.#statusBy(checks, withoutDatabase), checks };
  }

  #statusBy(checks: Checks, withoutDatabase: boolean): Report['status'] {
    if (this.#draining) return 'draining'; // since the checks began
    if (!this.#started) return 'starting';
    return checks.database === 'up' || withoutDatabase ? 'ready' : 'unready';
  }

  /** Whoever asks meanwhile waits for the same answers: probes must not queue up before a database that has none. */
  #look(): Promise<Checks> {
    this.#looking ??= this.#lookAround().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookAround(): Promise<Checks> {
    const [database, redis] = await Promise.all([this.#askDatabase(), this.#parts?.redis?.answers()]);
    const announcements = this.#parts?.announcements.current ? 'up' : 'down';
    return {
      ...database,
      announcements,
      redis: redis === undefined ? 'unused' : redis ? 'up' : 'down',
    };
  }

  async #askDatabase(): Promise<Pick<Checks, 'database' | 'migrations'>> {
    try {
      const missing = await this.#findMissing();
      if (missing.length === 0 && this.#parts) this.#started = true;
      if (missing.length > 0) this.#tell('behind', `the database lacks migrations: ${missing.join(', ')}`);
      else this.#tell('well', 'the database can be asked, and is migrated');
      return { database: 'up', migrations: missing.length === 0 ? 'done' : 'missing' };
    } catch (error) {
      this.#tell('away', `the database cannot be asked: ${(error as Error).message}`);
      return { database: 'down', migrations: this.#started ? 'done' : 'unknown' };
    }
  }

  async #findMissing(): Promise<string[]> {
    if (!this.#started) return this.database.missingMigrations(timeoutMs);
    await this.database.ping(timeoutMs);
    return [];
  }

  /** Once a change: probes ask every few seconds. */
  #tell(how: Told, message: string): void {
    if (this.#told !== how) this.log.warn(message);
    this.#told = how;
  }
}
