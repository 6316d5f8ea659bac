import type { Pagination } from 'signpost-client';

interface Page<T> {
  data: T[];
  pagination: Pagination;
}

/**
 * Reads all pages of a list that the console shows as a whole. An item that moves to a later page between two reads is listed once,
 * because fields refuse duplicates.
 * @param read returns a page by its number, from 1
 */
export async function allPages<T>(
  read: (page: number) => Promise<Page<T>>,
  idOf: (item: T) => string,
): Promise<Page<T>> {
  const { data, pagination } = await read(1);
  const byId = new Map(data.map((item) => [idOf(item), item]));
  for (let page = 2; page <= pagination.totalPages; page++)
    for (const item of (await read(page)).data) byId.set(idOf(item), item);
  return { data: [...byId.values()], pagination };
}
