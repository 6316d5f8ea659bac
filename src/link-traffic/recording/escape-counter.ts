import type { BrowserEscapes, CountedEscape } from '../../link-routing/escapes/escape-choice';
import { BackgroundWriter } from './background-writer';
import type { PgEscapeCountsRepository } from './pg-escape-counts.repository';

/** Counts of this process are written so soon, and those of all are read then, or after the longer time. */
export const countTimes = { writeMs: 5000, readMs: 60_000 };

/** Offers and arrivals. Some 5 MB wait at most, and further ones do not count. */
const limits = { perWrite: 5000, waiting: 20_000 };

interface Totals {
  labels: { app: string; platform: string; way: string };
  offers: number;
  arrivals: number;
}

/** Counts in memory, and exchanges the counts with other processes. A batch whose answer is lost counts twice. */
export class EscapeCounter {
  readonly #writer: BackgroundWriter<CountedEscape>;
  /** Since the start of the process, of ways in the table. */
  readonly #totals = new Map<string, Totals>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly escapes: BrowserEscapes,
    private readonly counts: Pick<PgEscapeCountsRepository, 'add' | 'all'>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#writer = new BackgroundWriter(
      async (counted) => {
        await this.counts.add(grouped(counted));
        void this.#read();
      },
      { intervalMs: countTimes.writeMs, ...limits },
      onError,
    );
  }

  get totals(): readonly Totals[] {
    return [...this.#totals.values()];
  }

  count(counted: CountedEscape): void {
    const { app, platform, way, offers, arrivals } = counted;
    const key = `${app} ${platform} ${way}`;
    const before = this.#totals.get(key) ?? { offers: 0, arrivals: 0 };
    const labels = { app, platform, way };
    this.#totals.set(key, { labels, offers: before.offers + offers, arrivals: before.arrivals + arrivals });
    if (!this.#writer.isFull) this.#writer.add(counted);
  }

  async start(): Promise<void> {
    await this.#read();
    this.#timer = setInterval(() => void this.#read(), countTimes.readMs).unref();
  }

  /** Tries once to write the waiting counts. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writer.stop();
  }

  async #read(): Promise<void> {
    try {
      this.escapes.counted = await this.counts.all();
    } catch (error) {
      this.onError(error);
    }
  }
}

/** Sums offers and arrivals by version. */
function grouped(counted: readonly CountedEscape[]): CountedEscape[] {
  const groups = new Map<string, CountedEscape>();
  for (const { offers, arrivals, ...named } of counted) {
    const key = Object.values(named).join(' ');
    const before = groups.get(key) ?? { offers: 0, arrivals: 0 };
    groups.set(key, { ...named, offers: before.offers + offers, arrivals: before.arrivals + arrivals });
  }
  return [...groups.values()];
}
