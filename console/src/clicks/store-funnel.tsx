import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type StoreFunnelFilter, storeFunnelQuery } from '../api/queries';
import { useI18n } from '../i18n/i18n';
import type { Filters } from './filters';
import { FunnelSteps } from './funnel-steps';
import type { Period } from './period';

const steps = ['shown', 'copied', 'store_opened', 'first_opens'] as const;
const outcomes = ['claimed', 'offline_later', 'none', 'declined', 'expired', 'used'] as const;
const filtered = ['link_id', 'tag', 'platform', 'browser'];

/** Returns whether steps through a store have all properties of the conditions. */
const suitsFunnel = (filters: Filters): boolean =>
  Object.keys(filters).every((name) => filtered.includes(name)) && filters.platform?.includes('desktop') !== true;

/** Shows the way through the store and the outcomes of first launches, and nothing without any. */
export function StoreFunnel({
  projectId,
  linkId,
  filters,
  period,
}: {
  projectId: string;
  linkId: string | null;
  filters: Filters;
  period: Period;
}) {
  const { t, number } = useI18n();
  const { link_id, tag, platform, browser } = filters;
  const filter = { ...(linkId === null ? { link_id, tag } : { link_id: [linkId] }), platform, browser };
  const query = { ...period, ...filter, group_by: 'platform' } as StoreFunnelFilter;
  const { data } = useQuery({ ...storeFunnelQuery(projectId, query), enabled: suitsFunnel(filters) });
  if (!data || !suitsFunnel(filters)) return null;
  const all = [...steps, ...outcomes];
  if (all.every((step) => data.totals[step] === 0)) return null;
  const listed = all
    .filter((step) => step !== 'copied' || data.totals.shown > 0)
    .map((step) => ({
      name: t(`storeFunnel.${step}`),
      count: data.totals[step],
      notes: (data.groups ?? [])
        .filter((group) => group[step] > 0)
        .map((group) => `${group.value === 'ios' ? 'iOS' : 'Android'} ${number(group[step])}`),
    }));
  return (
    <FunnelSteps title={t('storeFunnel.title')} steps={listed} whole={0}>
      <Text size="sm" c="dimmed">
        {t('storeFunnel.note')}
      </Text>
    </FunnelSteps>
  );
}
