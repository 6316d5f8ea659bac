import type { Pagination } from 'signpost-client';

interface Page<T> {
  data: T[];
  pagination: Pagination;
}

/**
 * Reads all pages of a list that the console shows as a whole.
 * @param read returns a page by its number, from 1
 */
export async function allPages<T>(read: (page: number) => Promise<Page<T>>): Promise<Page<T>> {
  const { data, pagination } = await read(1);
  const all = [...data];
  for (let page = 2; page <= pagination.totalPages; page++) all.push(...(await read(page)).data);
  return { data: all, pagination };
}
