import type { SourceRecord } from '../import-sources/import-source';

/** A question to an API, below its base address. */
export interface ApiQuestion {
  path: string;
  query?: Readonly<Record<string, string>>;
  /** Headers of this question alone. */
  headers?: Readonly<Record<string, string>>;
  /** Fields of a form, which make the question a POST. */
  form?: Readonly<Record<string, string>>;
}

/** Asks the API, and returns the JSON of its answer. */
export type Ask = (question: ApiQuestion) => Promise<unknown>;

/** The part of a list that the caller chooses. Each system has some of these fields. */
export interface ApiChoice {
  readonly domain?: string;
  readonly group?: string;
  readonly workspace?: string;
}

/** A part of the list, in the order of the API. */
export interface ApiPage {
  records: readonly SourceRecord[];
  /** Links of the list, as far as the API tells; null if it does not. */
  total: number | null;
  /** Records that the first total contains; all of them by default. */
  counted?: number;
}

/** The API of a system that lists its links. Its records are those that the source of the same name maps. */
export interface ImportApi {
  readonly source: string;
  /** For messages. */
  readonly name: string;
  /** The address of a hosted system; null if each installation has its own. */
  readonly baseUrl: string | null;
  readonly choices: readonly (keyof ApiChoice)[];
  headers(token: string): Record<string, string>;
  pages(ask: Ask, choice: ApiChoice, token: string): AsyncGenerator<ApiPage>;
}
