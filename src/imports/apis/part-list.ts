import type { ApiChoice, Ask, ImportApi } from './import-api';
import type { SourceRecord } from '../sources/import-source';

/** The position in a list with several parts, such as the groups of an account. */
export interface PartCursor<Part = string> {
  /** The part that is read, and those after it. */
  readonly parts: readonly Part[];
  /** The page before, in the words of the API; null at the beginning of a part. */
  readonly after: string | null;
}

interface Page {
  records: readonly SourceRecord[];
  /** Leads to the page after it; null if it is the last one of its part. */
  next: string | null;
}

/** Reads a list part by part. The caller may have chosen one part. */
export const partList =
  <Part>(
    partsOf: (ask: Ask, choice: ApiChoice) => Promise<readonly Part[]>,
    pageOf: (ask: Ask, part: Part, after: string | null, choice: ApiChoice) => Promise<Page>,
  ): ImportApi<PartCursor<Part>>['readPage'] =>
  async (ask, cursor, choice) => {
    const startOf = (parts: readonly Part[]) => (parts.length > 0 ? { parts, after: null } : null);
    if (!cursor) return { next: startOf(await partsOf(ask, choice)) };
    const { parts, after } = cursor;
    const { records, next } = await pageOf(ask, parts[0]!, after, choice);
    return { records, next: next === null ? startOf(parts.slice(1)) : { parts, after: next } };
  };
