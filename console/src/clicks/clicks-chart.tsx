import { Group, SegmentedControl, Table, Title } from '@mantine/core';
import type { Analytics } from 'signpost-client';
import { useState } from 'react';
import { useI18n } from '../i18n/i18n';
import { AreaChart } from './area-chart';

/** Draws clicks over time. The same numbers are available as a table. */
export default function ClicksChart({
  data,
  before,
  isUnfinished,
}: {
  data: Analytics;
  before: Analytics | undefined;
  /** Whether the last interval goes on. */
  isUnfinished: boolean;
}) {
  const { t, locale, number } = useI18n();
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const format = new Intl.DateTimeFormat(locale, { timeZone: data.timezone, ...formats[data.interval] });
  const names = { clicks: t('clicks.clicks'), qr: t('clicks.qrScans'), before: t('clicks.before') };
  const points = data.series.map((point, at) => ({
    start:
      format.format(new Date(point.start)) +
      (isUnfinished && at === data.series.length - 1 ? ` (${t('clicks.unfinished')})` : ''),
    clicks: point.clicks,
    qr: point.qr_scans,
    before: before?.series[at]?.clicks ?? null,
  }));
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
            labels={points.map(({ start }) => start)}
            series={[
              { name: names.before, color: 'gray-5', dashed: true, values: points.map((point) => point.before) },
              { name: names.clicks, color: 'brand-6', isUnfinished, values: points.map((point) => point.clicks) },
              { name: names.qr, color: 'indigo-5', isUnfinished, values: points.map((point) => point.qr) },
            ]}
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
                <Table.Th ta="right">{names.clicks}</Table.Th>
                <Table.Th ta="right">{names.qr}</Table.Th>
                <Table.Th ta="right">{names.before}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {points.map((point, at) => (
                <Table.Tr key={data.series[at]!.start}>
                  <Table.Td>{point.start}</Table.Td>
                  <Table.Td ta="right">{number(point.clicks)}</Table.Td>
                  <Table.Td ta="right">{number(point.qr)}</Table.Td>
                  <Table.Td ta="right">{point.before === null ? '–' : number(point.before)}</Table.Td>
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
