import { Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { type AnalyticsFilter, analyticsQuery } from '../api/queries';
import { QueryView } from '../components/query-view';
import { useI18n } from '../i18n/i18n';
import { Breakdowns } from './breakdowns';
import type { ClicksSearch } from './clicks-search';
import { ClicksToolbar } from './clicks-toolbar';
import { ConversionFunnel } from './conversion-funnel';
import { FilterChips } from './filter-chips';
import { type FilterName, lacksValue, parametersOf, suitsApps, withFilter, withoutFilter } from './filters';
import { daysOfInterval, periodsOfSearch } from './period';
import { SingleClicks } from './single-clicks';
import { SplitSelect } from './split-select';
import { StoreFunnel } from './store-funnel';
import { Totals } from './totals';
import { ownTimeZone } from './time-zones';
import { useGroupName } from './use-group-name';
import { VariantTable } from './variant-table';

const ClicksChart = lazy(() => import('./clicks-chart'));

/** The number of lines whose colours differ. */
const maxLines = 6;

/** Shows the clicks of a project, or of one of its links, and compares them with an earlier period. */
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
  const nameOf = useGroupName();
  const { timezone = ownTimeZone, bots = false, filters = {}, split } = state;
  const [readAt, setReadAt] = useState(Date.now);
  const { current, previous } = periodsOfSearch(state, timezone, readAt);
  const conditions = parametersOf(filters, linkId);
  const filter = { ...current, ...conditions, include_bots: bots } as AnalyticsFilter;
  // The first breakdown shares the request of the chart.
  const clicks = useQuery(analyticsQuery(projectId, linkId, { ...filter, group_by: 'country' }));
  const before = useQuery({
    ...analyticsQuery(projectId, linkId, { ...filter, ...previous }),
    enabled: previous !== null,
  });
  const appFilter = { ...current, ...(suitsApps(filters) && conditions) } as AnalyticsFilter;
  const ofApps = { enabled: suitsApps(filters) };
  const opens = useQuery({ ...analyticsQuery(projectId, linkId, { ...appFilter, metric: 'opens' }), ...ofApps });
  const claims = useQuery({ ...analyticsQuery(projectId, linkId, { ...appFilter, metric: 'claims' }), ...ofApps });
  const groups = useQuery({
    ...analyticsQuery(projectId, linkId, { ...filter, group_by: split }),
    enabled: split !== undefined,
  });
  const lines = split
    ? (groups.data?.groups ?? [])
        .filter(({ value }) => !lacksValue(split, value))
        .slice(0, maxLines)
        .map((group) => ({ name: nameOf(split, group), values: group.series }))
    : null;
  const ofShownApps = suitsApps(filters)
    ? { opens: opens.data, claims: claims.data }
    : { opens: undefined, claims: undefined };
  // Those of another period or link stay until the new ones are read.
  const compared = before.isPlaceholderData || previous === null ? undefined : before.data;
  const change = (changes: Partial<ClicksSearch>): void => {
    setReadAt(Date.now());
    onChange(changes);
  };
  const addFilter = (name: FilterName, value: string): void => change({ filters: withFilter(filters, name, value) });

  return (
    <Stack gap="md">
      <ClicksToolbar
        projectId={projectId}
        linkId={linkId}
        state={state}
        filter={filter}
        previous={previous}
        now={readAt}
        onChange={change}
      />
      <FilterChips
        projectId={projectId}
        filters={filters}
        onRemove={(name, value) => change({ filters: withoutFilter(filters, name, value) })}
        onClear={() => change({ filters: {} })}
      />
      <QueryView query={clicks} height={480}>
        {(data) => (
          <Stack gap="md" aria-busy={clicks.isPlaceholderData}>
            {data.totals.clicks === 0 && whenEmpty}
            <Totals
              totals={data.totals}
              before={compared?.totals}
              isComparisonFailed={before.isError}
              includesBots={bots}
              opens={ofShownApps.opens?.totals.clicks}
              claims={ofShownApps.claims?.totals.clicks}
              onFilter={addFilter}
            />
            {Date.parse(data.covered_from) > Date.parse(data.from) && (
              <Text size="sm">{t('clicks.coveredFrom', { day: data.covered_from.slice(0, 10) })}</Text>
            )}
            <Paper className="card" p="md">
              <Suspense fallback={<div style={{ height: 300 }} />}>
                <ClicksChart
                  data={data}
                  before={compared}
                  {...ofShownApps}
                  isUnfinished={Date.parse(current.to) > readAt}
                  lines={lines}
                  controls={
                    <SplitSelect
                      split={split}
                      isProject={linkId === null}
                      onChange={(chosen) => change({ split: chosen })}
                    />
                  }
                  onSelect={(start) =>
                    change({ range: undefined, days: daysOfInterval(start, current.interval, timezone) })
                  }
                />
              </Suspense>
            </Paper>
            <ConversionFunnel projectId={projectId} linkId={linkId} filters={filters} period={current} />
            {linkId !== null && <VariantTable projectId={projectId} linkId={linkId} period={current} />}
            <StoreFunnel projectId={projectId} linkId={linkId} filters={filters} period={current} />
            <Breakdowns
              projectId={projectId}
              linkId={linkId}
              filter={filter}
              appFilter={appFilter}
              onFilter={addFilter}
              countries={data}
            />
            <SingleClicks projectId={projectId} linkId={linkId} filters={filters} period={current} bots={bots} />
            <Text size="sm" c="dimmed">
              {t('clicks.note')}
            </Text>
          </Stack>
        )}
      </QueryView>
    </Stack>
  );
}
