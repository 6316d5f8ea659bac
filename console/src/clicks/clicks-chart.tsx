import { Group, SegmentedControl, Table, Title } from '@mantine/core';
import type { Analytics } from 'signpost-client';
import { useState } from 'react';
import { useI18n } from '../i18n/i18n';
import { AreaChart } from './area-chart';

/** Draws clicks over time. The same numbers are available as a table. */
export default function ClicksChart({
  data,
  before,
  opens,
  claims,
  isUnfinished,
}: {
  data: Analytics;
  before: Analytics | undefined;
  /** Opens of apps, and claims of deferred links. Undefined while they are read. */
  opens: Analytics | undefined;
  claims: Analytics | undefined;
  /** Whether the last interval goes on. */
  isUnfinished: boolean;
}) {
  const { t, locale, number } = useI18n();
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const valuesOf = (one: Analytics | undefined) => data.series.map((_, at) => one?.series[at]?.clicks ?? null);
  const format = new Intl.DateTimeFormat(locale, { timeZone: data.timezone, ...formats[data.interval] });
  const series: { name: string; color: string; dashed?: boolean; values: (number | null)[] }[] = [
    { name: t('clicks.before'), color: 'gray-5', dashed: true, values: valuesOf(before) },
    { name: t('clicks.clicks'), color: 'brand-6', values: valuesOf(data) },
    { name: t('clicks.qrScans'), color: 'indigo-5', values: data.series.map((point) => point.qr_scans) },
    // A project without an app has neither.
    ...(opens?.totals.clicks ? [{ name: t('clicks.opens'), color: 'orange-6', values: valuesOf(opens) }] : []),
    ...(claims?.totals.clicks ? [{ name: t('clicks.claims'), color: 'grape-6', values: valuesOf(claims) }] : []),
  ];
  const labels = data.series.map(
    ({ start }, at) =>
      format.format(new Date(start)) +
      (isUnfinished && at === data.series.length - 1 ? ` (${t('clicks.unfinished')})` : ''),
  );
  return (
    <section aria-label={t('clicks.overTime')}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('clicks.overTime')}</Title>
        <SegmentedControl
          size="xs"
          aria-label={t('clicks.view')}
          data={[
            { value: 'chart', label: t('clicks.chart') },
            { value: 'table', label: t('clicks.table') },
          ]}
          value={view}
          onChange={(value) => setView(value)}
        />
      </Group>
      {view === 'chart' ? (
        <div
          role="img"
          aria-label={t('clicks.chartSummary', { clicks: number(data.totals.clicks), intervals: data.series.length })}
        >
          <AreaChart
            labels={labels}
            series={series.map((one) => ({ ...one, isUnfinished: isUnfinished && !one.dashed }))}
            format={number}
          />
        </div>
      ) : (
        <div
          className="scroll-x"
          tabIndex={0}
          role="region"
          aria-label={t('clicks.table')}
          style={{ maxHeight: 300, overflowY: 'auto' }}
        >
          <Table stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('clicks.interval')}</Table.Th>
                {series.map(({ name }) => (
                  <Table.Th key={name} ta="right">
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {labels.map((label, at) => (
                <Table.Tr key={data.series[at]!.start}>
                  <Table.Td>{label}</Table.Td>
                  {series.map(({ name, values }) => (
                    <Table.Td key={name} ta="right">
                      {values[at] === null ? '–' : number(values[at]!)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </section>
  );
}

const formats: Record<Analytics['interval'], Intl.DateTimeFormatOptions> = {
  hour: { hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
};
