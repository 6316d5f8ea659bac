import { Group, SegmentedControl, Select, Switch } from '@mantine/core';
import type { ProjectAnalyticsFilter } from '../api/queries';
import { useI18n } from '../i18n/i18n';
import { ClicksDownload } from './clicks-download';
import { type ClicksSearch, lastMonth, ranges } from './clicks-search';
import { CompareWith } from './compare-with';
import { OwnPeriod } from './own-period';
import { calendarDays } from './period';
import { ShareButton } from './share-button';
import { dayAt, ownTimeZone, timeZones } from './time-zones';

/** The choice of calendar days. */
const own = 'own' as const;

/** Selects the period, the compared one, the time zone, and whether bots count. */
export function ClicksToolbar({
  projectId,
  linkId,
  state,
  filter,
  previous,
  now,
  onChange,
}: {
  projectId: string;
  linkId: string | null;
  state: ClicksSearch;
  filter: ProjectAnalyticsFilter;
  previous: { from: string; to: string } | null;
  now: number;
  onChange: (changes: Partial<ClicksSearch>) => void;
}) {
  const { t } = useI18n();
  const { range = '30d', days, timezone = ownTimeZone, bots = false, compare } = state;
  return (
    <>
      <Group gap="sm" justify="space-between">
        <SegmentedControl
          aria-label={t('clicks.range')}
          data={([...ranges, lastMonth, own] as const).map((value) => ({ value, label: t(`clicks.range.${value}`) }))}
          value={days ? own : range}
          onChange={(value) =>
            onChange(
              value === own
                ? { range: undefined, days: calendarDays('this-month', timezone, Date.now()) }
                : { range: value, days: undefined },
            )
          }
        />
        <Group gap="sm">
          <ShareButton
            projectId={projectId}
            linkId={linkId}
            tag={state.filters?.tag?.[0] ?? null}
            timezone={timezone}
          />
          <ClicksDownload projectId={projectId} linkId={linkId} filter={filter} previous={previous} />
        </Group>
      </Group>
      <Group gap="sm" className="filters">
        <CompareWith
          compare={compare}
          proposedDay={dayAt(Date.parse((previous ?? { from: filter.from! }).from), timezone)}
          onChange={(chosen) => onChange({ compare: chosen })}
        />
        <Select
          aria-label={t('clicks.timeZone')}
          data={timeZones(timezone)}
          value={timezone}
          onChange={(value) => onChange({ timezone: value && value !== ownTimeZone ? value : undefined })}
          searchable
          allowDeselect={false}
          limit={50}
          nothingFoundMessage={t('palette.nothing')}
          w={210}
        />
        <Switch
          label={t('clicks.includeBots')}
          checked={bots}
          onChange={(event) => onChange({ bots: event.currentTarget.checked || undefined })}
        />
      </Group>
      {days && (
        <OwnPeriod days={days} timezone={timezone} now={now} onChange={(chosen) => onChange({ days: chosen })} />
      )}
    </>
  );
}
