import { Paper, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { conversionsQuery, linkQuery } from '../api/queries';
import { useI18n } from '../i18n/i18n';
import type { Period } from './period';

/** Shows the numbers of each variant of a link. Links without variants show and ask nothing. */
export function VariantTable({ projectId, linkId, period }: { projectId: string; linkId: string; period: Period }) {
  const { t, number, percent } = useI18n();
  const link = useQuery(linkQuery(projectId, linkId)).data?.value;
  const isSplit =
    (link?.variants ?? null) !== null || (link?.rules ?? []).some(({ then }) => then.variants !== undefined);
  const { data } = useQuery({
    ...conversionsQuery(projectId, { ...period, link_id: [linkId], group_by: 'variant' }),
    enabled: isSplit,
  });
  const variants = (data?.groups ?? []).flatMap((group) =>
    group.value === null ? [] : [{ ...group, name: group.value }],
  );
  if (!isSplit || variants.length === 0) return null;
  // The rate of one variant can be compared with those of others by the length of the bars.
  const highest = Math.max(...variants.map(({ rate_high, rate }) => rate_high ?? rate ?? 0)) || 1;
  return (
    <Paper className="card" p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t('variants.title')}
        </Title>
        <Table.ScrollContainer minWidth={560}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('variants.name')}</Table.Th>
                <Table.Th ta="right">{t('clicks.clicks')}</Table.Th>
                <Table.Th ta="right">{t('clicks.opens')}</Table.Th>
                <Table.Th ta="right">{t('variants.conversions')}</Table.Th>
                <Table.Th ta="right">{t('variants.rate')}</Table.Th>
                <Table.Th>{t('variants.interval')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {variants.map(({ name, clicks, opens, conversions, rate, rate_low: low, rate_high: high }) => (
                <Table.Tr key={name}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td ta="right">{number(clicks ?? 0)}</Table.Td>
                  <Table.Td ta="right">{number(opens ?? 0)}</Table.Td>
                  <Table.Td ta="right">{number(conversions)}</Table.Td>
                  <Table.Td ta="right">{rate === null ? '–' : percent(rate)}</Table.Td>
                  <Table.Td>
                    {low === null || high === null ? (
                      '–'
                    ) : (
                      <Stack gap={2}>
                        <span>{t('variants.range', { low: percent(low), high: percent(high) })}</span>
                        <Progress.Root size="sm" aria-hidden>
                          <Progress.Section value={(100 * low) / highest} color="transparent" />
                          <Progress.Section value={(100 * (high - low)) / highest} />
                        </Progress.Root>
                      </Stack>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Text size="sm" c="dimmed">
          {t('variants.note')}
        </Text>
      </Stack>
    </Paper>
  );
}
