import type { ClickBatch } from './click-batch';

export abstract class ClickRepository {
  /**
   * Writes the clicks of projects that are not deleted, once: a batch that is written already, or is older than one that is,
   * is not written again.
   * @param writer who counts its batches, from 1
   */
  abstract record(writer: string, number: number, batch: ClickBatch): Promise<void>;
  /** Whether so many clicks, or batches, were written and not rolled up, or one of them so long ago. */
  abstract isRollUpDue(most: { clicks: number; batches: number; milliseconds: number }): Promise<boolean>;
  /** Adds up to so many of the batches that were written to what statistics read, and tells how many; 0 while another process does. */
  abstract rollUp(batches: number): Promise<number>;
  /** Removes up to `batch` rows of deleted projects; false once there are none left to this process. */
  abstract purgeSome(batch: number): Promise<boolean>;
  /** There is room for clicks of the months in which these moments lie, in milliseconds since 1970 (UTC). */
  abstract makePartitions(moments: Iterable<number>): Promise<void>;
  /** Drops all months but the current one and so many before it, and names what it dropped. */
  abstract dropPartitions(months: number): Promise<string[]>;
  /** Forgets processes that wrote nothing for a month. */
  abstract forgetWriters(): Promise<void>;
}
