import type { Pool } from 'pg';

/** An advisory lock of the session of a pool with one connection. It ends with the connection. */
export class SessionLock {
  #isHeld = false;

  /** @param key two numbers, of `advisoryLocks` */
  constructor(
    private readonly pool: Pool,
    private readonly key: string,
  ) {}

  /** Returns whether the session has the lock, and takes it if it is free. */
  async tryHold(): Promise<boolean> {
    const { rows } = await this.pool.query<{ held: boolean }>(
      `SELECT EXISTS (
         SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND (classid::bigint, objid::bigint) = (${this.key})
       ) OR pg_try_advisory_lock(${this.key}) AS held`,
    );
    return (this.#isHeld = rows[0]!.held);
  }

  /** Lets another session take the lock. */
  async release(): Promise<void> {
    if (!this.#isHeld) return;
    await this.pool.query(`SELECT pg_advisory_unlock(${this.key})`);
    this.#isHeld = false;
  }
}
