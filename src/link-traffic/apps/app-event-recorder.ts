import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppEvent } from '../../clicks/app-events/app-event';
import type { PgAppEventRepository } from '../../clicks/app-events/pg-app-event.repository';
import { DistinctNames, maxVersionsPerDay, otherName } from '../../clicks/recording/distinct-names';
import { DatabaseUnavailable } from '../../platform/postgres/database-error';
import { BackgroundWriter } from '../recording/background-writer';

/** Events of 50 ms share a statement. Some 10 MB wait at most. */
const limits = { intervalMs: 50, perWrite: 1000, waiting: 20_000 };

/** Opens that are answered before visits have their turn. A hundred answers at once would delay visits by some 10 ms. */
const answersPerTurn = 4;

/** An app starts with the answer, so it does not wait longer. */
const maxAnswerDelayMs = 300;

/** The form of versions that are counted by name. */
const countedVersion = /^[A-Za-z0-9.+_-]{1,20}$/;

interface Waiting {
  event: AppEvent;
  written: () => void;
}

/** Records opens of apps, first launches and steps through a store. A batch that fails is repeated, and counts once by the ids of its events. */
export class AppEventRecorder {
  readonly #writer: BackgroundWriter<Waiting>;
  readonly #versions = new DistinctNames(maxVersionsPerDay);
  #received = 0;
  #recorded = 0;
  #dropped = 0;

  constructor(events: Pick<PgAppEventRepository, 'record'>, onError: (error: unknown) => void) {
    this.#writer = new BackgroundWriter(
      async (waiting) => {
        await events.record(waiting.map(({ event }) => event));
        this.#recorded += waiting.length;
        void this.#answer(waiting);
      },
      limits,
      onError,
    );
  }

  /** `received` includes the opens that are dropped. */
  get counts(): { received: number; recorded: number; waiting: number; dropped: number } {
    const waiting = this.#writer.waiting.length;
    return { received: this.#received, recorded: this.#recorded, waiting, dropped: this.#dropped };
  }

  /**
   * Returns once the event is stored, or after 300 ms. Then it is stored later.
   * @throws DatabaseUnavailable if too many events wait
   */
  async record(event: AppEvent): Promise<void> {
    this.#received++;
    if (this.#writer.isFull) {
      this.#dropped++;
      throw new DatabaseUnavailable(new Error('too many events of apps wait to be written'));
    }
    const version = this.#versionOf(event);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxAnswerDelayMs);
      const written = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#writer.add({ event: { ...event, version }, written });
    });
  }

  /** Tries once to write the waiting events. The rest is lost and counted as dropped. */
  async stop(): Promise<void> {
    await this.#writer.stop();
    this.#dropped += this.#writer.waiting.length;
  }

  async #answer(waiting: readonly Waiting[]): Promise<void> {
    for (const [at, { written }] of waiting.entries()) {
      if (at % answersPerTurn === answersPerTurn - 1) await nextTurn();
      written();
    }
  }

  /** Returns the version that is counted. Strangers can send any text, and each one would need rows in the sums. */
  #versionOf({ at, projectId, version }: AppEvent): string {
    if (version === '') return version;
    if (!countedVersion.test(version)) return otherName;
    return this.#versions.nameOf(projectId, at, version);
  }
}
