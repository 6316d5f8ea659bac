import { type ApiSource, apiSourceNames } from './api-sources';

export const outcomes = ['created', 'replaced', 'unchanged', 'conflict', 'refused'] as const;
export type Outcome = (typeof outcomes)[number];

/** The state of the page of an import, which its address contains. */
export interface ImportSearch {
  outcome?: Outcome;
  page?: number;
}

/** Reads the address. Values that it does not understand are left out. */
export function importSearch(raw: Record<string, unknown>): ImportSearch {
  const outcome = outcomes.find((one) => one === raw['outcome']);
  const page = Number(raw['page']);
  return { ...(outcome && { outcome }), ...(Number.isSafeInteger(page) && page > 1 && { page }) };
}

/** The address of a new import names the API of its list, and the import whose form is changed. */
export interface NewImportSearch {
  api?: ApiSource;
  from?: string;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function newImportSearch(raw: Record<string, unknown>): NewImportSearch {
  const api = apiSourceNames.find((source) => source === raw['api']);
  const from = raw['from'];
  return { ...(api && { api }), ...(typeof from === 'string' && uuid.test(from) && { from }) };
}
