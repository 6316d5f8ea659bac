import type { SourceRecord } from '../sources/import-source';
import type { ApiAnswer } from './api-answer';

export interface ApiQuestion {
  path: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** Fields of a form, which make the question a POST. */
  form?: Readonly<Record<string, string>>;
}

/** Asks the API, and returns its answer. If it throws, the whole step is repeated later. So a step asks few questions. */
export type Ask = (question: ApiQuestion) => Promise<ApiAnswer>;

/** Parts of a list that a caller can choose. Each system has some of them. */
export const apiChoices = ['domain', 'group', 'workspace'] as const;
export type ApiChoice = Readonly<Partial<Record<(typeof apiChoices)[number], string>>>;

/** JSON of the position in a list. It is stored between two steps, so it has at most 20 kB, and not the token. */
export type Cursor = number | object;

export interface ApiStep<C = Cursor> {
  records?: readonly SourceRecord[];
  /** Links of the list, if the API returns their number. */
  total?: number;
  /** Records that the first total contains; all of them by default. */
  counted?: number;
  /** The cursor of the next step; null at the end of the list. */
  next: C | null;
}

/** The API of a system that lists its links. Its records are those that the source of the same name maps. */
export interface ImportApi<C = Cursor> {
  readonly source: string;
  readonly name: string;
  /** The address of a hosted system; null if each installation has its own. */
  readonly baseUrl: string | null;
  readonly choices: readonly (keyof ApiChoice)[];
  headers(token: string): Record<string, string>;
  /** Reads the list from the cursor; from its beginning if that is null. */
  readPage(ask: Ask, cursor: C | null, choice: ApiChoice, token: string): Promise<ApiStep<C>>;
}
