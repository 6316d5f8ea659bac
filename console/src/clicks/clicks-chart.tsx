import { Group, SegmentedControl, Table, Title, UnstyledButton } from '@mantine/core';
import type { Analytics } from 'signpost-client';
import { type ReactNode, useRef, useState } from 'react';
import { useI18n } from '../i18n/i18n';
import { AreaChart, type Series } from './area-chart';
import { chartImage } from './chart-image';
import { ChartMenu } from './chart-menu';

/** Draws clicks over time. The same numbers are available as a table. */
export default function ClicksChart({
  data,
  before,
  opens,
  claims,
  isUnfinished,
  lines,
  controls,
  onSelect,
}: {
  data: Analytics;
  before: Analytics | undefined;
  /** Opens of apps, and claims of deferred links. Undefined while they are read. */
  opens: Analytics | undefined;
  claims: Analytics | undefined;
  /** Whether the last interval goes on. */
  isUnfinished: boolean;
  /** Clicks of groups instead of all clicks; null without groups. */
  lines: { name: string; values: number[] }[] | null;
  controls: ReactNode;
  /** Gets the start of an interval that is selected. */
  onSelect: (start: string) => void;
}) {
  const { t, locale, number } = useI18n();
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const drawing = useRef<SVGSVGElement>(null);
  const valuesOf = (one: Analytics | undefined) => data.series.map((_, at) => one?.series[at]?.clicks ?? null);
  const format = new Intl.DateTimeFormat(locale, { timeZone: data.timezone, ...formats[data.interval] });
  const ofGroups = lines?.map(({ name, values }, at): Series => ({
    name,
    color: colors[at % colors.length]!,
    isFilled: false,
    values,
  }));
  const series: Series[] = ofGroups ?? [
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
        <Group gap="xs" wrap="nowrap" maw="100%">
          {controls}
          <SegmentedControl
            flex="none"
            size="xs"
            aria-label={t('clicks.view')}
            data={[
              { value: 'chart', label: t('clicks.chart') },
              { value: 'table', label: t('clicks.table') },
            ]}
            value={view}
            onChange={(value) => setView(value)}
          />
          {view === 'chart' && <ChartMenu draw={() => chartImage(drawing.current!, series)} />}
        </Group>
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
            onSelect={(point) => onSelect(data.series[point]!.start)}
            drawing={drawing}
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
                  <Table.Td>
                    <UnstyledButton
                      fz="sm"
                      aria-label={t('clicks.filterBy', { name: label })}
                      onClick={() => onSelect(data.series[at]!.start)}
                    >
                      {label}
                    </UnstyledButton>
                  </Table.Td>
                  {series.map(({ name, values }) => (
                    <Table.Td key={name} ta="right">
                      {(values[at] ?? null) === null ? '–' : number(values[at]!)}
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

/** The colours of lines, which differ on both backgrounds. */
const colors = ['brand-6', 'orange-6', 'grape-6', 'teal-6', 'red-6', 'indigo-5'];

const formats: Record<Analytics['interval'], Intl.DateTimeFormatOptions> = {
  hour: { hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
};
