import { IsMoment, IsQueryBoolean, IsQueryChoice } from '../../api-kit/kit/field.decorators';
import type { TimeZone } from '../../shared/time-zone';
import { type AppGrouping, type Grouping, groupings, linkGroupings, type Metric, metrics } from './statistics';
import { IsTimeZone } from './statistics.decorators';
import type { StatisticsRequest } from './statistics.service';
import { defaultWindow, type Interval, intervals, maxWindowDays } from './statistics-window';
import { optionally } from '../../api-kit/kit/rule.decorator';

const statisticsFormats = ['json', 'csv'] as const;
type StatisticsFormat = (typeof statisticsFormats)[number];

const groupBy = {
  description:
    'Property to group by. Default: no groups. `short_link` and `source` group clicks on custom paths as null. ' +
    'Opens and claims are grouped by `platform`, `country`, `link` and `version`, the version of the app, which claims do not have.',
  example: 'platform',
  optional: true,
};

/** Declares the parameters of statistics of a link. */
export class StatisticsQuery {
  @IsMoment(
    optionally(
      `Start of the period, included. Default: the start of the interval that contains the moment ${defaultWindow} days before \`to\`.`,
      '2026-06-01T00:00:00Z',
    ),
  )
  from?: number;

  @IsMoment(
    optionally(
      `End of the period, excluded. Default: now. The period has at most ${maxWindowDays.hour} days for intervals of an hour, ` +
        `and ${maxWindowDays.day} days for other intervals. Both ends are moved outwards to a quarter of an hour; the response ` +
        'has the period that was counted.',
      '2026-07-01T00:00:00Z',
    ),
  )
  to?: number;

  @IsQueryChoice(intervals, {
    default: 'day',
    description: 'Length of the intervals of the series. Weeks begin on Monday.',
  })
  interval: Interval;

  @IsTimeZone({
    description: 'Time zone of the intervals: a name of the IANA time zone database.',
    example: 'Europe/Berlin',
  })
  timezone: TimeZone;

  @IsQueryChoice([...linkGroupings, 'version'], groupBy)
  group_by?: Grouping | AppGrouping;

  @IsQueryChoice(metrics, {
    default: 'clicks',
    description:
      'Events to count. `clicks`: visits. `opens`: the link opened the app, which asked the service for it. `claims`: the app ' +
      'claimed a deferred link after its installation. The answer has their number in `clicks`, and `qr_scans` and `bots` are ' +
      '0 for opens and claims.',
  })
  metric: Metric;

  @IsQueryChoice(statisticsFormats, {
    default: 'json',
    description:
      '`json`, or `csv` for spreadsheets: a line per interval, or with `group_by` a line per group with a column per interval.',
  })
  format: StatisticsFormat;

  @IsQueryBoolean({
    default: false,
    description: 'Whether crawlers and other programs count as clicks. If false, only `totals.bots` counts them.',
  })
  include_bots: boolean;

  static requestOf(query: StatisticsQuery): StatisticsRequest {
    const { from, to, interval, timezone, metric, group_by, include_bots } = query;
    return { from, to, interval, zone: timezone, metric, groupBy: group_by ?? null, includeBots: include_bots };
  }
}

/** Declares the parameters of statistics of a project. */
export class ProjectStatisticsQuery extends StatisticsQuery {
  @IsQueryChoice([...groupings, 'version'], {
    ...groupBy,
    description:
      `${groupBy.description} \`tag\` groups by the tags that links have now. A link counts in each of its tags, and one ` +
      'without tags as null.',
  })
  override group_by?: Grouping | AppGrouping;
}
