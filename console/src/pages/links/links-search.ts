/** The state of the list of links, which its address contains. */
export interface LinksSearch {
  search?: string;
  page?: number;
  limit?: 25 | 50 | 100;
  sortBy?: (typeof sortKeys)[number];
  sortOrder?: 'asc' | 'desc';
  ios_app_id?: string;
  android_app_id?: string;
  archived?: 'true' | 'any';
  tag?: string;
}

const sortKeys = ['name', 'custom_path', 'created_at', 'updated_at', 'clicks'] as const;
export type Order = Required<Pick<LinksSearch, 'sortBy' | 'sortOrder'>>;

/** Names are read from A, dates from the newest, and clicks from the most. */
export const firstOrder = (by: Order['sortBy']): Order['sortOrder'] =>
  by === 'name' || by === 'custom_path' ? 'asc' : 'desc';

export const pageSizes = [25, 50, 100] as const;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) || undefined : undefined;

/** Reads the address. Values that it does not understand are left out, because people edit addresses. */
export function linksSearch(raw: Record<string, unknown>): LinksSearch {
  const page = Number(raw['page']);
  const state: LinksSearch = {
    search: textOf(raw['search']),
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
    limit: pageSizes.find((size) => size === Number(raw['limit'])),
    sortBy: sortKeys.find((key) => key === raw['sortBy']),
    sortOrder: (['asc', 'desc'] as const).find((order) => order === raw['sortOrder']),
    ios_app_id: textOf(raw['ios_app_id']),
    android_app_id: textOf(raw['android_app_id']),
    tag: textOf(raw['tag']),
    archived: (['true', 'any'] as const).find((choice) => choice === String(raw['archived'])),
  };
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
}
