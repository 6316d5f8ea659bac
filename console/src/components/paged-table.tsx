import { Box, Paper } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Pagination } from 'signpost-client';
import type { ReactNode } from 'react';
import { PageButtons } from './page-buttons';
import { QueryView } from './query-view';
import { type Row, RowTable } from './row-table';
import { useLastPage } from './use-last-page';

/** Shows a page of a list. */
export function PagedTable<T extends { id: string }>({
  query,
  label,
  heads,
  empty,
  rowOf,
  onPage,
}: {
  query: UseQueryResult<{ data: T[]; pagination: Pagination }>;
  label: string;
  heads: readonly string[];
  empty: ReactNode;
  rowOf: (item: T) => Row;
  onPage: (page: number) => void;
}) {
  useLastPage(query.data, onPage);
  return (
    <Paper className="card">
      <QueryView query={query}>
        {({ data, pagination }) =>
          pagination.total === 0 ? (
            empty
          ) : (
            <>
              <RowTable label={label} heads={heads} rows={data.map((item) => ({ key: item.id, ...rowOf(item) }))} />
              {pagination.totalPages > 1 && (
                <Box p="md">
                  <PageButtons pages={pagination} onChange={onPage} />
                </Box>
              )}
            </>
          )
        }
      </QueryView>
    </Paper>
  );
}
