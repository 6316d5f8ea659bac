import { Alert, Button, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/i18n';
import { ErrorText } from './error-text';

/** Shows the data of a query, a skeleton while it loads, or its error with a way to try again. */
export function QueryView<T>({
  query,
  height = 160,
  children,
}: {
  query: UseQueryResult<T>;
  /** Of the skeleton, in pixels, so that the page does not jump. */
  height?: number;
  children: (data: T) => ReactNode;
}) {
  const { t } = useI18n();
  if (query.data !== undefined) return children(query.data);
  if (query.isError)
    return (
      <Alert color="red" title={t('fault.notLoaded')}>
        <Stack align="flex-start" gap="sm">
          <ErrorText error={query.error} />
          <Button variant="default" size="xs" onClick={() => void query.refetch()}>
            {t('fault.again')}
          </Button>
        </Stack>
      </Alert>
    );
  return <Skeleton height={height} radius="lg" aria-label={t('loading')} role="status" />;
}
