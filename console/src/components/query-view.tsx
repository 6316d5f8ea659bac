import { Alert, Box, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ActionButton } from './action-button';
import { useI18n } from '../i18n/i18n';
import { ApiError } from '../api/api-error';
import { ErrorText } from './error-text';

/**
 * Shows the data of a query, a skeleton while it loads, or its error with a way to try again. Data that cannot be read again stays
 * below a notice, unless it no longer exists.
 */
export function QueryView<T>({
  query,
  height = 160,
  head,
  children,
}: {
  query: UseQueryResult<T>;
  /** The heading of a page whose data cannot be shown. */
  head?: (isMissing: boolean) => ReactNode;
  /** Of the skeleton, in pixels, so that the page does not jump. */
  height?: number;
  children: (data: T) => ReactNode;
}) {
  const { t } = useI18n();
  if (query.data === undefined && !query.isError)
    return <Skeleton height={height} radius="lg" aria-label={t('loading')} role="status" />;
  const { data, error } = query;
  const isMissing = error instanceof ApiError && error.isMissing;
  const isShown = data !== undefined && !isMissing;
  // The data has the same place with and without a notice, so that a form below keeps what is typed.
  return (
    <>
      {!isShown && head && <Box mb="lg">{head(isMissing)}</Box>}
      {error && <Fault query={query} error={error} isOld={isShown} />}
      {isShown && children(data)}
    </>
  );
}

/** Says why a query failed, and asks it again. */
function Fault({ query, error, isOld }: { query: UseQueryResult; error: Error; isOld: boolean }) {
  const { t } = useI18n();
  return (
    <Alert
      // Old data stays usable, so its notice does not interrupt a screen reader.
      role={isOld ? 'status' : 'alert'}
      color={isOld ? 'yellow' : 'red'}
      title={t(isOld ? 'fault.notRefreshed' : 'fault.notLoaded')}
    >
      <Stack align="flex-start" gap="sm">
        <ErrorText error={error} />
        <ActionButton variant="default" size="xs" loading={query.isFetching} onClick={() => void query.refetch()}>
          {t('fault.again')}
        </ActionButton>
      </Stack>
    </Alert>
  );
}
