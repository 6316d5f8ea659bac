import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Tenant } from '../postgres/tenant-connection-limiter';
import { currentTenant, timeLeft, withDeadline } from '../postgres/request-context';

interface Batch<Item, Result> {
  items: Item[];
  timeLeftMs: number;
  result: Promise<Result>;
}

interface Line<Item, Result> {
  readonly key: string;
  readonly tenant: string | null;
  running: number;
  open: Batch<Item, Result> | undefined;
  /** Lets the open batch be sent. No other one waits, because items join the open batch. */
  send: (() => void) | undefined;
}

export interface BatchOptions {
  /**
   * Separates the items of each account, so that their connections count for it. Otherwise a batch has items of several accounts
   * and counts for none of them.
   */
  perTenant?: boolean;
  /** Limits the statements of a line at a time; while they run, the open batch grows instead of being sent. */
  maxRunning?: number;
}

/** A statement that runs longer does not delay the next one. */
const slowStatementMs = 5;

/** Collects the items of an event-loop turn for one statement, which is sent after all of them have arrived. */
export class BatchQueue<Item, Result> {
  readonly #lines = new Map<string, Line<Item, Result>>();
  readonly #perTenant: boolean;
  readonly #maxRunning: number;

  /** @param send runs the statement for all items of a batch */
  constructor(
    private readonly send: (items: Item[]) => Promise<Result>,
    { perTenant = false, maxRunning = Infinity }: BatchOptions = {},
  ) {
    this.#perTenant = perTenant;
    this.#maxRunning = maxRunning;
  }

  /**
   * Returns the result of the item's batch.
   * @param group items of different groups never share a batch
   */
  add(item: Item, group = ''): Promise<Result> {
    const line = this.#lineOf(group);
    const batch = (line.open ??= this.#begin(line));
    batch.items.push(item);
    batch.timeLeftMs = Math.min(batch.timeLeftMs, timeLeft());
    return batch.result;
  }

  #lineOf(group: string): Line<Item, Result> {
    const tenant = this.#perTenant ? (currentTenant()?.key ?? null) : null;
    const key = tenant === null ? group : `${tenant} ${group}`;
    let line = this.#lines.get(key);
    if (!line) this.#lines.set(key, (line = { key, tenant, running: 0, open: undefined, send: undefined }));
    return line;
  }

  #begin(line: Line<Item, Result>): Batch<Item, Result> {
    const result = endOfTurn()
      .then(() => this.#untilSent(line))
      .then(() => {
        line.open = undefined;
        const send = () => this.send(batch.items);
        // Link traffic has no deadlines. On Node 20 the first use of a context slows the process down for good.
        if (batch.timeLeftMs === Infinity) return this.#run(line, send);
        // No single request of the batch holds the connection, because others need it after that one has gone.
        const tenant = line.tenant === null ? null : new Tenant(line.tenant);
        return this.#run(line, () => withDeadline(batch.timeLeftMs, send, tenant));
      });
    const batch: Batch<Item, Result> = { items: [], timeLeftMs: Infinity, result };
    return batch;
  }

  #untilSent(line: Line<Item, Result>): Promise<void> | undefined {
    if (line.running < this.#maxRunning) return undefined;
    return new Promise((resolve) => (line.send = resolve));
  }

  #run(line: Line<Item, Result>, send: () => Promise<Result>): Promise<Result> {
    line.running++;
    let isCounted = true;
    const end = () => {
      if (!isCounted) return;
      isCounted = false;
      line.running--;
      line.send?.();
      line.send = undefined;
      if (line.running === 0 && !line.open) this.#lines.delete(line.key);
    };
    const timer = this.#maxRunning === Infinity ? undefined : setTimeout(end, slowStatementMs).unref();
    return send().finally(() => {
      clearTimeout(timer);
      end();
    });
  }
}
