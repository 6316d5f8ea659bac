import { ApiSchema } from '@nestjs/swagger';
import { answer, countAnswer, momentAnswer, nullableTextAnswer, textAnswer } from '../../api-kit/kit/answer';
import { maxFullDaysPerMonth, maxReferrersPerDay, maxVersionsPerDay } from '../recording/distinct-names';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { type Group, groupings, maxGroups, type Sums } from './statistics';
import type { StatisticsQuery } from './statistics-query.dto';
import type { ComparedStatistics, CountedPeriod } from './statistics.service';
import { intervals } from './statistics-window';

const clicks = { type: 'integer', minimum: 0, example: 120 } as const;
const qrScans = {
  type: 'integer',
  minimum: 0,
  description: 'Number of these clicks that came from a QR code.',
  example: 7,
} as const;

const coveredFrom = momentAnswer(
  'Start of the part of the period whose clicks are kept. It is later than `from` if clicks were removed by age, and then all ' +
    'numbers lack these clicks.',
  '2026-06-01T00:00:00.000Z',
);

class AnalyticsTotals extends answer({
  clicks,
  qr_scans: qrScans,
  bots: countAnswer(
    'Clicks of crawlers and other programs. `clicks` includes them only if `include_bots` is true.',
    14,
  ),
}) {}

class AnalyticsPoint extends answer({
  start: momentAnswer('Start of the interval, in the requested time zone.', '2026-06-01T00:00:00.000Z'),
  end: momentAnswer(
    'End of the interval: the `start` of the next interval, or the end of the series.',
    '2026-06-02T00:00:00.000Z',
  ),
  clicks,
  qr_scans: qrScans,
}) {}

class AnalyticsGroup extends answer({
  value: nullableTextAnswer(
    'Value of the property in `group_by`. `platform`: `ios`, `android` or `desktop`. `browser`: name of the browser, or of ' +
      'the app that contains it. `referrer`: host. `country`: ISO 3166-1 code of two letters. `link` and `short_link`: id, ' +
      'also of a deleted link; long links of Firebase share the id `00000000-0000-0000-0000-000000000000`. `tag`: id. `utm_source` and so on: value of the parameter. `source`: `dashboard` or `api`. `version`: of the app. Null for clicks without a value.',
    '0198c0de-7e57-7000-8000-000000000002',
  ),
  name: nullableTextAnswer(
    'Current name of the dynamic link, for `link` and `short_link`, or of the tag. Null for other properties and deleted links.',
    'Summer sale',
  ),
  path: nullableTextAnswer(
    'Current custom path for `link`, and slug for `short_link`. Null for other properties and deleted links.',
    'summer/sale',
  ),
  clicks,
  qr_scans: qrScans,
  series: {
    type: 'array',
    items: { type: 'integer', minimum: 0 },
    description: 'Clicks in each interval of the series, in the same order.',
    example: [120],
  },
}) {}

class AnalyticsOther extends answer({
  groups: countAnswer(
    'Number of groups that are not listed. Referring hosts that are not counted by name are not among them.',
    0,
  ),
  clicks: { ...clicks, example: 0 },
  qr_scans: { ...qrScans, example: 0 },
}) {}

class ComparedAnalytics extends answer({
  from: momentAnswer('Start of the compared period, included.', '2026-05-01T00:00:00.000Z'),
  to: momentAnswer('End of the compared period, excluded.', '2026-05-02T00:00:00.000Z'),
  covered_from: coveredFrom,
  totals: { type: AnalyticsTotals },
  series: { type: [AnalyticsPoint], description: 'All intervals of the compared period.' },
}) {
  static of(query: StatisticsQuery, { window, coveredFrom, statistics }: CountedPeriod): ComparedAnalytics {
    const zone = query.timezone;
    const edges = [...window.starts, window.to].map((moment) => zone.write(moment));
    return {
      from: edges[0]!,
      to: edges.at(-1)!,
      covered_from: zone.write(coveredFrom),
      totals: { ...sumsOf(statistics.totals), bots: statistics.totals.bots },
      series: statistics.series.map((sums, at) => ({ start: edges[at]!, end: edges[at + 1]!, ...sumsOf(sums) })),
    };
  }
}

@ApiSchema({ name: 'Analytics' })
export class StatisticsDto extends answer({
  from: momentAnswer('Start of the counted period, included.', '2026-06-01T00:00:00.000Z'),
  to: momentAnswer('End of the counted period, excluded.', '2026-06-02T00:00:00.000Z'),
  covered_from: coveredFrom,
  interval: { enum: intervals, example: 'day' },
  timezone: textAnswer('The requested time zone.', 'UTC'),
  include_bots: { type: 'boolean', example: false },
  group_by: { enum: [...groupings, 'version', null], nullable: true, example: 'link' },
  totals: { type: AnalyticsTotals },
  series: {
    type: [AnalyticsPoint],
    description:
      'All intervals of the period, including those without clicks. `from` and `to` can cut off the first and the last interval.',
  },
  groups: {
    type: [AnalyticsGroup],
    nullable: true,
    description: `The ${maxGroups} groups with the most clicks, in descending order. Null without \`group_by\`.`,
  },
  other: {
    type: AnalyticsOther,
    nullable: true,
    description:
      'Sums of all other groups. Null without `group_by`. ' +
      `A project counts at most ${maxReferrersPerDay.project} referring hosts of a day (UTC) by name, and a link ${maxReferrersPerDay.link}. ` +
      `A month has at most as many as ${maxFullDaysPerMonth} such days. Clicks from further hosts count here, and opens of app versions beyond ${maxVersionsPerDay} of a project and day.`,
  },
  compared: {
    type: ComparedAnalytics,
    nullable: true,
    description: 'The compared period. Null without `compare_from`.',
  },
}) {
  static of(query: StatisticsQuery, counted: ComparedStatistics): StatisticsDto {
    const { groups, other } = counted.statistics;
    return {
      ...ComparedAnalytics.of(query, counted),
      interval: query.interval,
      timezone: query.timezone.name,
      include_bots: query.include_bots,
      group_by: query.group_by ?? null,
      groups: groups?.map(groupOf) ?? null,
      other: other && { groups: other.groups, ...sumsOf(other) },
      compared: counted.compared && ComparedAnalytics.of(query, counted.compared),
    };
  }
}

const sumsOf = (sums: Sums) => ({ clicks: sums.clicks, qr_scans: sums.qrScans });

const groupOf = ({ value, name, path, series, ...sums }: Group) => ({ value, name, path, ...sumsOf(sums), series });

export class StatisticsResponse extends dataOf(StatisticsDto) {}
