import { digestOfClickId, type IssuedClickId, newClickId } from '../../clicks/conversions/click-id';
import type { PgClickIdRepository } from '../../clicks/conversions/pg-click-id.repository';
import type { OpenedLink } from '../../clicks/recording/click';
import { BackgroundWriter } from './background-writer';

/** The pause is shorter than the way from a redirect to a conversion. Some 10 MB wait at most. */
const limits = { intervalMs: 50, perWrite: 1000, waiting: 20_000 };

/** Issues the ids by which conversions count for a link. Writes in the background, so that visitors never wait for them. */
export class ClickIds {
  readonly #writer: BackgroundWriter<IssuedClickId>;
  #issued = 0;
  #dropped = 0;

  /** @param now returns milliseconds since 1970 by the clock of the database */
  constructor(
    ids: Pick<PgClickIdRepository, 'record'>,
    private readonly now: () => number,
    onError: (error: unknown) => void,
  ) {
    this.#writer = new BackgroundWriter((waiting) => ids.record(waiting), limits, onError);
  }

  /** `dropped` counts the visits that got no id, because too many waited. */
  get counts(): { issued: number; waiting: number; dropped: number } {
    return { issued: this.#issued, waiting: this.#writer.waiting.length, dropped: this.#dropped };
  }

  /**
   * Issues an id and schedules its write. Returns null while too many ids wait.
   * @param id a derived one, for requests that are repeated
   */
  issue(
    projectId: string,
    link: Pick<OpenedLink, 'id' | 'shortLinkId'>,
    platform: string,
    variant: string | null,
    id = newClickId(),
  ): string | null {
    if (this.#writer.isFull) {
      this.#dropped++;
      return null;
    }
    this.#issued++;
    this.#writer.add({
      digest: digestOfClickId(id),
      projectId,
      dynamicLinkId: link.id,
      shortLinkId: link.shortLinkId,
      platform,
      variant,
      day: new Date(this.now()).toISOString().slice(0, 10),
    });
    return id;
  }

  /** Tries once to write the waiting ids. The rest is lost. */
  async stop(): Promise<void> {
    await this.#writer.stop();
    this.#dropped += this.#writer.waiting.length;
  }
}
