import { Group, Paper, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { analyticsQuery } from '../api/queries';
import { QueryView } from '../components/query-view';
import { useI18n } from '../i18n/i18n';
import { Breakdowns } from './breakdowns';
import { ClicksDownload } from './clicks-download';
import { type ClicksSearch, ranges } from './clicks-search';
import { OwnPeriod } from './own-period';
import { calendarDays, periodsOf, periodsOfDays } from './period';
import { Totals } from './totals';
import { ownTimeZone, timeZones } from './time-zones';

/** The choice of calendar days. */
const own = 'own' as const;

const ClicksChart = lazy(() => import('./clicks-chart'));

/** Shows the clicks of a project, or of one of its links, and compares them with the period before. */
export function ClicksView({
  projectId,
  linkId = null,
  state,
  onChange,
  whenEmpty,
}: {
  projectId: string;
  linkId?: string | null;
  /** Shown above the numbers if there are no clicks. */
  whenEmpty?: ReactNode;
  state: ClicksSearch;
  onChange: (changes: Partial<ClicksSearch>) => void;
}) {
  const { t } = useI18n();
  const { range = '30d', days, timezone = ownTimeZone, bots = false } = state;
  const [readAt, setReadAt] = useState(Date.now);
  const { current, previous } = days ? periodsOfDays(days, timezone, readAt) : periodsOf(range, timezone, readAt);
  const filter = { ...current, include_bots: bots };
  // The first breakdown shares the request of the chart.
  const clicks = useQuery(analyticsQuery(projectId, linkId, { ...filter, group_by: 'country' }));
  const before = useQuery(analyticsQuery(projectId, linkId, { ...previous, include_bots: bots }));
  const opens = useQuery(analyticsQuery(projectId, linkId, { ...current, metric: 'opens' })).data;
  const claims = useQuery(analyticsQuery(projectId, linkId, { ...current, metric: 'claims' })).data;
  // Those of another period or link stay until the new ones are read.
  const compared = before.isPlaceholderData ? undefined : before.data;
  const change = (changes: Partial<ClicksSearch>): void => {
    setReadAt(Date.now());
    onChange(changes);
  };

  return (
    <Stack gap="md">
      <Group gap="sm" justify="space-between">
        <SegmentedControl
          aria-label={t('clicks.range')}
          data={([...ranges, own] as const).map((value) => ({ value, label: t(`clicks.range.${value}`) }))}
          value={days ? own : range}
          onChange={(value) =>
            change(
              value === own
                ? { range: undefined, days: calendarDays('this-month', timezone, Date.now()) }
                : { range: value, days: undefined },
            )
          }
          style={{ maxWidth: '100%', overflowX: 'auto' }}
        />
        <Group gap="md">
          <Switch
            label={t('clicks.includeBots')}
            checked={bots}
            onChange={(event) => change({ bots: event.currentTarget.checked || undefined })}
          />
          <Select
            aria-label={t('clicks.timeZone')}
            data={timeZones(timezone)}
            value={timezone}
            onChange={(value) => change({ timezone: value && value !== ownTimeZone ? value : undefined })}
            searchable
            allowDeselect={false}
            limit={50}
            nothingFoundMessage={t('palette.nothing')}
            w={210}
          />
          <ClicksDownload projectId={projectId} linkId={linkId} filter={filter} />
        </Group>
      </Group>
      {days && (
        <OwnPeriod days={days} timezone={timezone} now={readAt} onChange={(chosen) => change({ days: chosen })} />
      )}
      <QueryView query={clicks} height={480}>
        {(data) => (
          <Stack gap="md" aria-busy={clicks.isPlaceholderData}>
            {data.totals.clicks === 0 && whenEmpty}
            <Totals
              totals={data.totals}
              before={compared?.totals}
              isComparisonFailed={before.isError}
              includesBots={bots}
              opens={opens?.totals.clicks}
              claims={claims?.totals.clicks}
            />
            <Paper className="card" p="md">
              <Suspense fallback={<div style={{ height: 300 }} />}>
                <ClicksChart
                  data={data}
                  before={compared}
                  opens={opens}
                  claims={claims}
                  isUnfinished={Date.parse(current.to) > readAt}
                />
              </Suspense>
            </Paper>
            <Breakdowns projectId={projectId} linkId={linkId} filter={filter} countries={data} />
            <Text size="sm" c="dimmed">
              {t('clicks.note')}
            </Text>
          </Stack>
        )}
      </QueryView>
    </Stack>
  );
}
