import { Box, Paper, Table } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Pagination } from 'signpost-client';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/i18n';
import { PageButtons } from './page-buttons';
import { useLastPage } from './use-last-page';
import { QueryView } from './query-view';

/** Shows a page of a list as a table whose last column has the actions. */
export function PagedTable<T extends { id: string }>({
  query,
  label,
  heads,
  minWidth,
  empty,
  cellsOf,
  onPage,
}: {
  query: UseQueryResult<{ data: T[]; pagination: Pagination }>;
  label: string;
  /** The heads of all columns but the last one. */
  heads: string[];
  /** In pixels. A narrower screen scrolls the table. */
  minWidth: number;
  empty: ReactNode;
  cellsOf: (item: T) => ReactNode;
  onPage: (page: number) => void;
}) {
  const { t } = useI18n();
  useLastPage(query.data, onPage);
  return (
    <Paper className="card">
      <QueryView query={query}>
        {({ data, pagination }) =>
          pagination.total === 0 ? (
            empty
          ) : (
            <>
              <div className="scroll-x" role="region" aria-label={label} tabIndex={0}>
                <Table verticalSpacing="sm" horizontalSpacing="md" miw={minWidth}>
                  <Table.Thead>
                    <Table.Tr>
                      {heads.map((head) => (
                        <Table.Th key={head}>{head}</Table.Th>
                      ))}
                      <Table.Th>
                        <span className="visually-hidden">{t('table.actions')}</span>
                      </Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {data.map((item) => (
                      <Table.Tr key={item.id}>{cellsOf(item)}</Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </div>
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
