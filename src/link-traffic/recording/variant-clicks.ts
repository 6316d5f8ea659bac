import { randomBytes } from 'node:crypto';
import { type AppEvent, unknownFacts } from '../../clicks/app-events/app-event';
import type { PgAppEventRepository } from '../../clicks/app-events/pg-app-event.repository';
import { quarterHourMs } from '../../clicks/recording/click';
import { BackgroundWriter } from './background-writer';

/** Pause in which equal clicks are counted together, in milliseconds. */
const pauseMs = 500;

/** Groups of equal clicks. Some 10 MB wait at most. */
const limits = { intervalMs: 50, perWrite: 1000, waiting: 20_000 };

/** Counts the clicks of people on variants. A group that is written twice counts once, by its random digest. */
export class VariantClicks {
  readonly #writer: BackgroundWriter<AppEvent>;
  #groups = new Map<string, AppEvent>();
  #timer: NodeJS.Timeout | undefined;
  #recorded = 0;
  #dropped = 0;

  constructor(events: Pick<PgAppEventRepository, 'record'>, onError: (error: unknown) => void) {
    this.#writer = new BackgroundWriter(
      async (groups) => {
        await events.record(groups);
        this.#recorded += clicksOf(groups);
      },
      limits,
      onError,
    );
  }

  get counts(): { recorded: number; waiting: number; dropped: number } {
    const waiting = clicksOf(this.#writer.waiting) + clicksOf([...this.#groups.values()]);
    return { recorded: this.#recorded, waiting, dropped: this.#dropped };
  }

  record(click: Pick<AppEvent, 'projectId' | 'dynamicLinkId' | 'platform' | 'variant' | 'at'>): void {
    if (this.#writer.isFull) {
      this.#dropped++;
      return;
    }
    const quarter = Math.floor(click.at / quarterHourMs);
    const key = `${click.dynamicLinkId} ${click.platform} ${quarter} ${click.variant}`;
    const group = this.#groups.get(key);
    if (group) group.times++;
    else this.#groups.set(key, { ...unknownFacts, ...click, event: 'click', digest: randomBytes(32) });
    this.#timer ??= setTimeout(() => this.#flush(), pauseMs).unref();
  }

  /** Tries once to write the waiting clicks. The rest is lost and counted as dropped. */
  async stop(): Promise<void> {
    this.#flush();
    await this.#writer.stop();
    this.#dropped += clicksOf(this.#writer.waiting);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const group of this.#groups.values()) this.#writer.add(group);
    this.#groups = new Map();
  }
}

const clicksOf = (groups: readonly AppEvent[]): number => groups.reduce((sum, { times }) => sum + times, 0);
