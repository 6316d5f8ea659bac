import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ApiStep, Cursor } from './import-api';
import { EndlessList, ImportApiFailure, IncompleteList, StrangeAnswer } from './import-api.errors';
import type { Attempts } from './retry-pause';

/** Bytes of a list. A link of an API has up to ten times those of a row in a file. Tests lower it. */
export const importListLimits = { maxBytes: 1_000_000_000 };

/** Characters of a cursor, which is written after each step. */
const maxCursorLength = 20_000;

/** Pages without a link, one after the other, after which a list has no end. Domains and groups may be empty. */
const maxEmptyPages = 1000;

/** The state of a list between two steps. It is JSON without the token. */
export interface ListProgress {
  /** The cursor of the next step; null at the beginning. */
  readonly cursor: Cursor | null;
  /** Digest of the first record of the page before; empty if that had none. */
  readonly first: string;
  /** Pages without a record since the last one with some. */
  readonly empty: number;
  /** Records that the first total contains. */
  readonly records: number;
  /** The first total; null if the API has returned none. */
  readonly firstTotal: number | null;
  readonly lastTotal: number;
  /** Attempts at the next step that have failed. One of its questions may have been answered each time, so these do not end them. */
  readonly attempts: Attempts;
  readonly bytes: number;
}

export const noProgress: ListProgress = {
  cursor: null,
  first: '',
  empty: 0,
  records: 0,
  firstTotal: null,
  lastTotal: 0,
  attempts: { failed: 0, limited: 0 },
  bytes: 0,
};

export function requireListSize(bytes: number): void {
  if (bytes > importListLimits.maxBytes)
    throw new ImportApiFailure('list_too_large', 'The list has more than 1 GB; choose a part of it, or import files');
}

/**
 * Returns the progress after a step; null at the end of the list.
 * @throws EndlessList if the list repeats itself
 * @throws IncompleteList if links are missing
 * @throws ImportApiFailure if the cursor is too large, or has the token
 */
export function progressAfter(
  { api: { name }, token }: { api: { readonly name: string }; token: string },
  before: ListProgress,
  { records: page = [], total, counted = page.length, next: cursor }: ApiStep,
  bytes: number,
): ListProgress | null {
  const first = page.length > 0 ? digestOfRecord(page[0]) : '';
  const empty = first === '' ? before.empty + 1 : 0;
  if ((first !== '' && first === before.first) || empty > maxEmptyPages) throw new EndlessList(name);
  if (total !== undefined && total < before.lastTotal)
    throw new IncompleteList(name, 'has lost links while its list was read');
  const records = before.records + counted;
  const firstTotal = before.firstTotal ?? total ?? null;
  if (cursor === null) {
    // Links that are new since the first page may be missing.
    if (firstTotal !== null && records < firstTotal)
      throw new IncompleteList(name, `has sent ${records} of ${firstTotal} links`);
    return null;
  }
  // PostgreSQL orders the keys of the stored cursor itself.
  if (isDeepStrictEqual(cursor, before.cursor)) throw new EndlessList(name);
  const text = JSON.stringify(cursor);
  if (text.length > maxCursorLength)
    throw new ImportApiFailure('list_too_large', 'The list has too many parts; choose one of them, or import files');
  if (text.includes(JSON.stringify(token).slice(1, -1))) throw new StrangeAnswer(name, 'with the token');
  const { attempts } = noProgress;
  return { cursor, first, empty, records, firstTotal, lastTotal: total ?? before.lastTotal, attempts, bytes };
}

export const digestOfRecord = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url');
