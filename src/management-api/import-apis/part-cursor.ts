import { EndlessList } from './import-api.errors';

/** The position in a list with several parts, such as the groups of an account. */
export interface PartCursor<Part = string> {
  /** The part that is read, and those after it. */
  readonly parts: readonly [Part, ...Part[]];
  /** The page before, in the words of the API; null at the beginning of a part. */
  readonly after: string | null;
}

/** Returns the beginning of the first part; null without parts. */
export function startOf<Part>([first, ...others]: readonly Part[]): PartCursor<Part> | null {
  return first === undefined ? null : { parts: [first, ...others], after: null };
}

/**
 * Returns the position after a page.
 * @param next of the page; null if it was the last one of its part
 * @throws EndlessList if the page leads to itself
 */
export function positionAfter<Part>(
  api: { readonly name: string },
  { parts, after }: PartCursor<Part>,
  next: string | null,
): PartCursor<Part> | null {
  if (next === null) return startOf(parts.slice(1));
  if (next === after) throw new EndlessList(api.name);
  return { parts, after: next };
}
