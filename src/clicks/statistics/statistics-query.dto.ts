import { IsMoment, IsQueryBoolean, IsQueryChoice } from '../../api-kit/kit/field.decorators';
import type { TimeZone } from '../../shared/time-zone';
import { type AppGrouping, type Grouping, groupings, linkGroupings, type Metric, metrics } from './statistics';
import { platforms, sources } from '../recording/click';
import {
  FiltersChoices,
  FiltersIds,
  FiltersParameter,
  FiltersTags,
  FiltersValues,
  IsTimeZone,
} from './statistics.decorators';
import {
  type FilteredProperty,
  type LinkConditions,
  maxFilterValues,
  type UtmParameter,
  utmParameters,
} from './statistics-filter';
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

const filterRule = `Conditions combine: a click counts if it fulfils all. A repeated parameter accepts each of its values, at most ${maxFilterValues}.`;

/** A query for the numbers of a period, by intervals. */
export class PeriodQuery {
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
}

export class StatisticsQuery extends PeriodQuery {
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

  @FiltersChoices(platforms, `Platform of the visitor. ${filterRule}`, 'ios')
  platform?: string[];

  @FiltersValues('Name of the browser, or of the app that contains it. Empty: clicks without one.', 'Safari')
  browser?: string[];

  @FiltersValues('ISO 3166-1 code of two letters. Empty: clicks without one.', 'AT')
  country?: string[];

  @FiltersValues('Referring host. Empty: clicks without one.', 'news.example.com')
  referrer?: string[];

  @FiltersIds('Id of a short link, also of a deleted one.', '0198c0de-7e57-7000-8000-000000000003')
  short_link_id?: string[];

  @FiltersChoices(['', ...sources], 'Origin of the short link. Empty: clicks on custom paths.', 'api')
  source?: string[];

  @IsQueryChoice(['true', 'false'], optionally('Whether the clicks came from QR codes.', 'true'))
  qr?: 'true' | 'false';

  @IsQueryChoice(
    ['true', 'false'],
    optionally('Whether the clicks are those of crawlers and other programs. Overrides `include_bots`.', 'true'),
  )
  bot?: 'true' | 'false';

  @IsMoment(
    optionally(
      'Start of a period that is counted too, to compare it. The answer has its numbers in `compared`.',
      '2026-05-01T00:00:00Z',
    ),
  )
  compare_from?: number;

  @IsMoment(optionally('End of the compared period. Default: it is as long as the other one.', '2026-06-01T00:00:00Z'))
  compare_to?: number;

  static requestOf(query: StatisticsQuery, links: LinkConditions = anyLink): StatisticsRequest {
    const { from, to, interval, timezone, metric, group_by, include_bots, compare_from, compare_to } = query;
    const { platform, browser, country, referrer, short_link_id: shortLink, source, qr, bot } = query;
    return {
      from,
      to,
      interval,
      zone: timezone,
      metric,
      groupBy: group_by ?? null,
      includeBots: include_bots,
      filter: {
        values: sent({ platform, browser, country, referrer, short_link: shortLink, source }),
        links,
        qr: qr === undefined ? null : qr === 'true',
        bot: bot === undefined ? null : bot === 'true',
      },
      compared: compare_from === undefined ? null : { from: compare_from, to: compare_to },
    };
  }
}

const anyLink: LinkConditions = { ids: undefined, tags: undefined, utm: {} };

const sent = <Name extends FilteredProperty | UtmParameter>(
  conditions: Record<Name, string[] | undefined>,
): Partial<Record<Name, string[]>> =>
  Object.fromEntries(Object.entries(conditions).filter(([, values]) => values !== undefined)) as Partial<
    Record<Name, string[]>
  >;

const utm = (name: UtmParameter): string =>
  `Value of \`${name}\` among the \`referrer_params\` that the links have now.`;

export class ProjectStatisticsQuery extends StatisticsQuery {
  @IsQueryChoice([...groupings, 'version'], {
    ...groupBy,
    description:
      `${groupBy.description} \`tag\` groups by the tags that links have now. A link counts in each of its tags, and one ` +
      `without tags as null. ${utmParameters.map((name) => `\`${name}\``).join(', ')} group by that value of the \`referrer_params\` that links have now.`,
  })
  override group_by?: Grouping | AppGrouping;

  @FiltersIds('Id of a dynamic link, also of a deleted one.', '0198c0de-7e57-7000-8000-000000000002')
  link_id?: string[];

  @FiltersTags('Name of a tag that the links have now.', 'Newsletter')
  tag?: string[];

  @FiltersParameter(utm('utm_source'), 'newsletter')
  utm_source?: string[];

  @FiltersParameter(utm('utm_medium'), 'email')
  utm_medium?: string[];

  @FiltersParameter(utm('utm_campaign'), 'summer')
  utm_campaign?: string[];

  @FiltersParameter(utm('utm_term'), 'shoes')
  utm_term?: string[];

  @FiltersParameter(utm('utm_content'), 'poster-1')
  utm_content?: string[];

  static override requestOf(query: ProjectStatisticsQuery): StatisticsRequest {
    const { link_id: ids, tag: tags, utm_source, utm_medium, utm_campaign, utm_term, utm_content } = query;
    const utm = sent({ utm_source, utm_medium, utm_campaign, utm_term, utm_content });
    return StatisticsQuery.requestOf(query, { ids, tags, utm });
  }
}
