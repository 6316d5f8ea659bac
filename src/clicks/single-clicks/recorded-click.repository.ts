import type { ClickPosition } from './click-position';
import type { ClickCriteria, RecordedClick } from './recorded-click';

export interface ClickPage {
  clicks: RecordedClick[];
  /** The place of the next page; null after the last click of the period. */
  next: ClickPosition | null;
}

export abstract class RecordedClickRepository {
  /**
   * Returns the next clicks after the position, newest first. A page can have fewer than `limit` although more follow, because an
   * adapter limits the clicks that it reads for one page.
   */
  abstract list(criteria: ClickCriteria, position: ClickPosition, limit: number): Promise<ClickPage>;
  /**
   * Reads all clicks of the period in parts of some thousand lines of JSON, in any order. Each part is one statement, so that a slow
   * reader holds no connection. A part may be empty.
   */
  abstract lines(criteria: ClickCriteria): AsyncGenerator<string>;
}
