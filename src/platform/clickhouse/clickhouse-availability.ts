import { ClickHouseUnavailable } from './clickhouse';

/** Derives from the statements of a process whether ClickHouse is up. It is up if it answers, and took the last insert. */
export class ClickHouseAvailability {
  #answers = false;
  /** ClickHouse may answer everything but inserts while it has no space, too many parts or no rights for them. */
  #accepts = true;
  #checking: Promise<void> | undefined;

  /**
   * @param ping throws unless ClickHouse answers a short statement
   * @param isRefusal returns whether an error is an answer of ClickHouse
   */
  constructor(
    private readonly ping: () => Promise<void>,
    private readonly isRefusal: (error: unknown) => boolean,
  ) {}

  get up(): boolean {
    return this.#answers && this.#accepts;
  }

  /** Shares one check between probes and failed reads. A refused check counts as no answer, because a wrong password refuses all. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  /** Runs a read. A check decides after a failed one, because a read can fail by its own limits of time and memory. */
  async read<T>(send: () => Promise<T>): Promise<T> {
    try {
      const answer = await send();
      this.#answers = true;
      return answer;
    } catch (error) {
      if (error instanceof ClickHouseUnavailable) this.check().catch(() => {});
      throw error;
    }
  }

  /** Runs a statement that waits long enough for its answer. A refusal is an answer. */
  async write(send: () => Promise<void>): Promise<void> {
    try {
      await send();
      this.#answers = true;
    } catch (error) {
      this.#answers = this.isRefusal(error instanceof ClickHouseUnavailable ? error.cause : error);
      throw error;
    }
  }

  async insert(send: () => Promise<void>): Promise<void> {
    try {
      await this.write(send);
      this.#accepts = true;
    } catch (error) {
      this.#accepts = false;
      throw error;
    }
  }

  async #check(): Promise<void> {
    try {
      await this.ping();
      this.#answers = true;
    } catch (error) {
      this.#answers = false;
      throw error;
    }
  }
}
