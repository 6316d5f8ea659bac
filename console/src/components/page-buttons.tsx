import { Pagination } from '@mantine/core';
import type { Pagination as Pages } from 'signpost-client';
import { useI18n } from '../i18n/i18n';

/** Leads to the other pages of a list. A list of one page has none. */
export function PageButtons({ pages, onChange }: { pages: Pages; onChange: (page: number) => void }) {
  const { t } = useI18n();
  if (pages.totalPages <= 1) return null;
  return (
    <Pagination
      total={Math.max(pages.totalPages, pages.page + (pages.hasNextPage ? 1 : 0))}
      value={pages.page}
      onChange={onChange}
      getItemProps={(item) => ({ 'aria-label': t('paging.page', { page: item }) })}
      getControlProps={(control) => ({ 'aria-label': t(`paging.${control}`) })}
    />
  );
}
