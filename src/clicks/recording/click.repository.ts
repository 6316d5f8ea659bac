import type { ClickBatch } from './click-batch';

export abstract class ClickRepository {
  /**
   * Writes a batch, which counts once however often it is sent. Clicks of deleted projects are left out, or removed later.
   * @param writer the id of the process
   * @param number from 1, in the writer's order; after a batch, the writer sends no earlier one
   */
  abstract record(writer: string, number: number, batch: ClickBatch): Promise<void>;
  /** Returns whether fresh clicks reach one of the limits; `milliseconds` is the age of the oldest batch. */
  abstract isRollUpDue(limits: { clicks: number; batches: number; milliseconds: number }): Promise<boolean>;
  /**
   * Adds the oldest fresh batches to the sums: up to so many clicks, or one batch. Returns the number of clicks; 0 if none are
   * fresh, or while another process does it.
   */
  abstract rollUp(clicks: number): Promise<number>;
  /** Merges a part of the clicks that wait for the sums of their links; returns false if nothing is due. */
  abstract mergeSome(): Promise<boolean>;
  /** Removes up to `batch` rows of deleted projects; returns true once no rows remain for this process. */
  abstract purgeSome(batch: number): Promise<boolean>;
  /** Creates the partitions of the current month, by the clock of the database, and of so many months after it. */
  abstract createPartitionsAhead(months: number): Promise<void>;
  /** Drops the partitions before the last `months` whole months, and returns their names. */
  abstract dropPartitions(months: number): Promise<string[]>;
  /** Removes up to `batch` ids of opens and claims after a week, and sums after so many whole months; returns true once none remain. */
  abstract purgeAppEvents(months: number, batch: number): Promise<boolean>;
  abstract deleteIdleWriters(): Promise<void>;
}
