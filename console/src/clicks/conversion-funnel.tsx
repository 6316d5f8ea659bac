import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ConversionFilter, conversionsQuery } from '../api/queries';
import { useI18n } from '../i18n/i18n';
import type { Filters } from './filters';
import { FunnelSteps } from './funnel-steps';
import type { Period } from './period';

/** Returns whether conversions have all properties of the conditions. */
const suitsConversions = (filters: Filters): boolean =>
  Object.keys(filters).every((name) => name === 'link_id' || name === 'tag');

/** Shows the way from clicks to the events that customers report, and nothing without such events. */
export function ConversionFunnel({
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
  const { t, number, money } = useI18n();
  const links: ConversionFilter =
    linkId === null ? { link_id: filters.link_id, tag: filters.tag } : { link_id: [linkId] };
  const { data } = useQuery({
    ...conversionsQuery(projectId, { ...period, ...links, group_by: 'event' }),
    enabled: suitsConversions(filters),
  });
  if (!data || !suitsConversions(filters)) return null;
  const { clicks, opens, claims, conversions, refunds, untrusted } = data.totals;
  if (conversions + refunds + untrusted === 0) return null;
  const events = (data.groups ?? []).map(({ value, conversions, refunds, values }) => ({
    name: value ?? '',
    count: conversions,
    notes: [
      ...values.map(({ currency, value }) => money(value, currency)),
      ...(refunds > 0 ? [t('conversions.refunds', { count: number(refunds) })] : []),
    ],
  }));
  const steps = [
    { name: t('clicks.clicks'), count: clicks, notes: [] },
    ...(opens > 0 ? [{ name: t('clicks.opens'), count: opens, notes: [] }] : []),
    ...(claims > 0 ? [{ name: t('clicks.claims'), count: claims, notes: [] }] : []),
    ...events,
  ];
  return (
    <FunnelSteps title={t('conversions.title')} steps={steps} whole={clicks}>
      {untrusted > 0 && (
        <Text size="sm" c="dimmed">
          {t('conversions.untrusted', { count: number(untrusted) })}
        </Text>
      )}
    </FunnelSteps>
  );
}
