import { Alert } from '@mantine/core';
import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ApiError } from '../api/api-error';
import { useI18n } from '../i18n/i18n';
import { IconCloudOff, IconHourglass } from './icons';

type Trouble = 'offline' | 'limited' | 'unavailable' | null;

/** Says that requests wait for the network, the rate limit or the service. They are sent again by themselves. */
export function ConnectionBanner() {
  const { t } = useI18n();
  const trouble = useTrouble();
  if (trouble === null) return null;
  const Icon = trouble === 'limited' ? IconHourglass : IconCloudOff;
  return (
    <Alert
      role="status"
      color="yellow"
      mb="md"
      icon={<Icon size={18} aria-hidden />}
      title={t(`connection.${trouble}`)}
    >
      {t('connection.retrying')}
    </Alert>
  );
}

function useTrouble(): Trouble {
  const client = useQueryClient();
  return useSyncExternalStore(
    (listener) => {
      const stops = [
        client.getQueryCache().subscribe(listener),
        client.getMutationCache().subscribe(listener),
        onlineManager.subscribe(listener),
      ];
      return () => stops.forEach((stop) => stop());
    },
    () => {
      if (!onlineManager.isOnline()) return 'offline';
      const queries = client.getQueryCache().getAll();
      const waiting = [
        ...queries.filter(({ state }) => state.fetchStatus === 'fetching').map(({ state }) => state.fetchFailureReason),
        ...client
          .getMutationCache()
          .getAll()
          .filter(({ state }) => state.status === 'pending')
          .map(({ state }) => state.failureReason),
      ];
      return waiting.map(troubleOf).find((trouble) => trouble !== null) ?? null;
    },
  );
}

function troubleOf(error: Error | null): Trouble {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'OFFLINE') return 'offline';
  if (error.status === 429) return 'limited';
  return error.isUnavailable ? 'unavailable' : null;
}
