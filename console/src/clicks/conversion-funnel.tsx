import { Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ConversionFilter, conversionsQuery } from '../api/queries';
import { useI18n } from '../i18n/i18n';
import type { Filters } from './filters';
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
  const { t, number, percent, money } = useI18n();
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
  const largest = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <Paper className="card" p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('conversions.title')}
        </Title>
        <Stack component="ol" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
          {steps.map(({ name, count, notes }, at) => (
            <li key={`${at} ${name}`} className="bar">
              <span className="fill" style={{ width: `${(100 * count) / largest}%` }} />
              <span className="name">{name}</span>
              <span className="value">
                {notes.map((note) => (
                  <Text span size="sm" c="dimmed" mr="sm" key={note}>
                    {note}
                  </Text>
                ))}
                {number(count)}{' '}
                {at > 0 && clicks > 0 && (
                  <Text span size="sm" c="dimmed">
                    {percent(count / clicks)}
                  </Text>
                )}
              </span>
            </li>
          ))}
        </Stack>
        {untrusted > 0 && (
          <Text size="sm" c="dimmed">
            {t('conversions.untrusted', { count: number(untrusted) })}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
