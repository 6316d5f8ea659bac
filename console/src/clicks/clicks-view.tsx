import { Group, Paper, SegmentedControl, Select, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { analyticsQuery } from '../api/queries';
import { QueryView } from '../components/query-view';
import { useI18n } from '../i18n/i18n';
import { Breakdowns } from './breakdowns';
import { ClicksDownload } from './clicks-download';
import { type ClicksSearch, ranges } from './clicks-search';
import { periodsOf } from './period';
import { Totals } from './totals';
import { ownTimeZone, timeZones } from './time-zones';

const ClicksChart = lazy(() => import('./clicks-chart'));

/** Shows the clicks of a project, or of one of its links, and compares them with the period before. */
export function ClicksView({
  projectId,
  linkId = null,
  state,
  onChange,
}: {
  projectId: string;
  linkId?: string | null;
  state: ClicksSearch;
  onChange: (changes: Partial<ClicksSearch>) => void;
}) {
  const { t } = useI18n();
  const { range = '30d', timezone = ownTimeZone, bots = false } = state;
  const [readAt, setReadAt] = useState(Date.now);
  const { current, previous } = periodsOf(range, timezone, readAt);
  const filter = { ...current, include_bots: bots };
  // The first breakdown shares the request of the chart.
  const clicks = useQuery(analyticsQuery(projectId, linkId, { ...filter, group_by: 'country' }));
  const before = useQuery(analyticsQuery(projectId, linkId, { ...previous, include_bots: bots }));
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
          data={ranges.map((value) => ({ value, label: t(`clicks.range.${value}`) }))}
          value={range}
          onChange={(value) => change({ range: value })}
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
      <QueryView query={clicks} height={480}>
        {(data) => (
          <Stack gap="md" aria-busy={clicks.isPlaceholderData}>
            <Totals
              totals={data.totals}
              before={compared?.totals}
              isComparisonFailed={before.isError}
              includesBots={bots}
            />
            <Paper className="card" p="md">
              <Suspense fallback={<div style={{ height: 300 }} />}>
                <ClicksChart data={data} before={compared} />
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
