import type { Pagination } from 'signpost-client';
import { useEffect, useEffectEvent } from 'react';

/** Goes to the last page of a list if the page that was asked for is behind it, because its items were removed. */
export function useLastPage(
  list: { data: unknown[]; pagination: Pagination } | undefined,
  onPage: (page: number) => void,
) {
  const isBehind = list?.data.length === 0 && list.pagination.total > 0;
  const goTo = useEffectEvent(onPage);
  const last = Math.max(1, list?.pagination.totalPages ?? 1);
  useEffect(() => {
    if (isBehind) goTo(last);
  }, [isBehind, last]);
}
