export interface PageQuery {
  page: number;
  limit: number;
}

interface Page<Item> {
  data: Item[];
  pagination: { hasNextPage: boolean };
}

export const maxPageSize = 100;
/** More would leave too little of a page for further items. */
const maxOverlap = 32;
/** A list that changes faster than it is read may lack items, but its reading ends. */
const maxReturns = 1000;

/**
 * Yields all items of a list that others may change meanwhile, each item once. A deletion moves later items to earlier pages. So
 * each page begins with an item that was read before. If it begins with another one, the list is read again from further ahead.
 */
export async function* allItems<Item extends { id: string }>(
  read: (query: PageQuery) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  const yielded = new Set<string>();
  let position = 0;
  let overlap = 1;
  let returns = 0;
  for (;;) {
    const query = overlappingPage(position, overlap);
    const offset = (query.page - 1) * query.limit;
    const { data, pagination } = await read(query);
    if (offset > 0 && !(data[0] && yielded.has(data[0].id)) && returns++ < maxReturns) {
      // All items that were read are before this page now.
      position = offset;
      overlap = Math.min(2 * overlap, maxOverlap);
      continue;
    }
    for (const item of data) {
      if (yielded.has(item.id)) continue;
      yielded.add(item.id);
      yield item;
    }
    if (!pagination.hasNextPage) return;
    position = offset + data.length;
  }
}

/** Returns the page that has `overlap` items before `position`, and the most items from there on. */
function overlappingPage(position: number, overlap: number): PageQuery {
  const start = Math.max(0, position - overlap);
  const pages = Array.from({ length: maxPageSize }, (_, at) => {
    const limit = maxPageSize - at;
    return { page: Math.floor(start / limit) + 1, limit };
  });
  return pages.reduce((best, page) => (page.page * page.limit > best.page * best.limit ? page : best));
}
