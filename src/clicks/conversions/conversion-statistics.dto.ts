import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  countAnswer,
  momentAnswer,
  nullableIntegerAnswer,
  nullableTextAnswer,
  textAnswer,
} from '../../api-kit/kit/answer';
import { IsQueryBoolean, IsQueryChoice } from '../../api-kit/kit/field.decorators';
import { optionally } from '../../api-kit/kit/rule.decorator';
import { csvFile } from '../../api-kit/kit/csv';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { maxGroups } from '../statistics/statistics';
import { FiltersIds, FiltersTags, FiltersValues } from '../statistics/statistics.decorators';
import { PeriodQuery } from '../statistics/statistics-query.dto';
import {
  type ConversionGroup,
  type ConversionGrouping,
  conversionGroupings,
  type ConversionSums,
} from './conversion-statistics';
import { confidenceInterval } from './confidence-interval';
import type { ConversionFunnel, ConversionStatisticsRequest } from './conversion-statistics.service';

const conversionStatisticsFormats = ['json', 'csv'] as const;

export class ConversionStatisticsQuery extends PeriodQuery {
  @IsQueryChoice(
    conversionGroupings,
    optionally(
      'Property to group by. Default: no groups. `tag`: the tags that links have now; a link counts in each of them. `platform`: of the ' +
        'visitor. `variant`: by name, also without conversions. `trusted`: `false` for conversions that publishable keys sent.',
      'event',
    ),
  )
  group_by?: ConversionGrouping;

  @FiltersIds('Id of a dynamic link, also of a deleted one.', '0198c0de-7e57-7000-8000-000000000002')
  link_id?: string[];

  @FiltersTags('Name of a tag that the links have now.', 'Newsletter')
  tag?: string[];

  @FiltersValues('Name of an event.', 'purchase')
  event?: string[];

  @IsQueryChoice(conversionStatisticsFormats, {
    default: 'json',
    description: '`json`, or `csv` for spreadsheets: a line per group, or without `group_by` a line per interval.',
  })
  format: (typeof conversionStatisticsFormats)[number];

  @IsQueryBoolean({
    default: false,
    description: 'Whether conversions of publishable keys count. If false, only `totals.untrusted` counts them.',
  })
  include_untrusted: boolean;

  static requestOf(query: ConversionStatisticsQuery): ConversionStatisticsRequest {
    const { from, to, interval, timezone: zone, group_by, link_id: ids, tag: tags, event, include_untrusted } = query;
    const links = { ids, tags, utm: {} };
    const groupBy = group_by ?? null;
    return { from, to, interval, zone, groupBy, links, events: event ?? null, includeUntrusted: include_untrusted };
  }
}

@ApiSchema({ name: 'ConversionValue' })
class ConversionValueDto extends answer({
  currency: textAnswer('Currency (ISO 4217).', 'EUR'),
  value: textAnswer('Exact sum as a decimal. Refunds are subtracted.', '14.90'),
}) {}

const sums = {
  conversions: countAnswer('Number of conversions, without refunds.', 2),
  refunds: countAnswer('Number of refunds.', 1),
  values: { type: [ConversionValueDto], description: 'Values by currency.' },
} as const;

const rate = {
  type: 'number',
  nullable: true,
  description:
    'Conversions per click. It can exceed 1. Null without clicks, or if these are not counted by the property.',
  example: 0.02,
} as const;

const intervalEnd = (which: string) =>
  ({
    type: 'number',
    nullable: true,
    description: `${which} end of the 95 % interval of \`rate\` (Wilson). Null without a rate, and above 1.`,
    example: 0.01,
  }) as const;

class ConversionTotals extends answer({
  clicks: countAnswer('Clicks of the same links, without robots.', 100),
  opens: countAnswer('Openings of apps by the same links.', 20),
  claims: countAnswer('First launches of apps that claimed a deferred link.', 5),
  ...sums,
  untrusted: countAnswer('Conversions that publishable keys sent, also if they do not count.', 0),
  rate,
}) {}

class ConversionPoint extends answer({
  start: momentAnswer('Start of the interval, in the requested time zone.', '2026-06-01T00:00:00.000Z'),
  end: momentAnswer('End of the interval.', '2026-06-02T00:00:00.000Z'),
  ...sums,
}) {}

@ApiSchema({ name: 'ConversionGroup' })
class ConversionGroupDto extends answer({
  value: nullableTextAnswer('Value of the property in `group_by`. Null for conversions without one.', 'purchase'),
  name: nullableTextAnswer('Current name of the link or tag. Null for other properties and deleted links.', null),
  path: nullableTextAnswer('Current custom path for `link`, and slug for `short_link`.', null),
  clicks: nullableIntegerAnswer(
    'Clicks of the group; for `event` all clicks. For `variant` clicks of people that led to it. Null for `trusted`, and for short links and tags with few clicks.',
    100,
  ),
  opens: nullableIntegerAnswer('Openings of apps by a variant. Null for other properties.', null),
  ...sums,
  rate,
  rate_low: intervalEnd('Lower'),
  rate_high: intervalEnd('Upper'),
}) {}

@ApiSchema({ name: 'ConversionStatistics' })
export class ConversionStatisticsDto extends answer({
  from: momentAnswer('Start of the counted period, included.', '2026-06-01T00:00:00.000Z'),
  to: momentAnswer('End of the counted period, excluded.', '2026-06-02T00:00:00.000Z'),
  covered_from: momentAnswer('Start of the part of the period whose clicks are kept.', '2026-06-01T00:00:00.000Z'),
  group_by: { enum: [...conversionGroupings, null], nullable: true, example: 'event' },
  totals: { type: ConversionTotals },
  series: {
    type: [ConversionPoint],
    description: 'All intervals of the period, by the time at which conversions happened.',
  },
  groups: {
    type: [ConversionGroupDto],
    nullable: true,
    description: `The ${maxGroups} groups with the most conversions, in descending order. Null without \`group_by\`.`,
  },
  other_groups: countAnswer('Number of groups that are not listed.', 0),
}) {
  static of(query: ConversionStatisticsQuery, funnel: ConversionFunnel): ConversionStatisticsDto {
    const { window, coveredFrom, clicks, opens, claims, conversions } = funnel;
    const { timezone: zone, group_by = null } = query;
    const edges = [...window.starts, window.to].map((moment) => zone.write(moment));
    const { untrusted, ...totals } = conversions.totals;
    return {
      from: edges[0]!,
      to: edges.at(-1)!,
      covered_from: zone.write(coveredFrom),
      group_by,
      totals: { clicks, opens, claims, ...totals, untrusted, rate: rateOf(totals, clicks) },
      series: conversions.series.map((sums, at) => ({ start: edges[at]!, end: edges[at + 1]!, ...sums })),
      groups: conversions.groups?.map(groupOf) ?? null,
      other_groups: conversions.otherGroups,
    };
  }
}

const groupOf = ({ value, name, path, clicks, opens, ...sums }: ConversionGroup) => {
  const interval = clicks === null ? null : confidenceInterval(sums.conversions, clicks);
  const ends = { rate_low: interval?.low ?? null, rate_high: interval?.high ?? null };
  return { value, name, path, clicks, opens, ...sums, rate: rateOf(sums, clicks), ...ends };
};

const rateOf = ({ conversions }: ConversionSums, clicks: number | null): number | null =>
  clicks === null || clicks === 0 ? null : conversions / clicks;

/** Writes a line per group, or per interval. Values are in the export of conversions, because currencies differ. */
export function conversionsToCsv({ series, groups }: ConversionStatisticsDto): string {
  const columns =
    groups === null
      ? ['start', 'end', 'conversions', 'refunds']
      : ['value', 'name', 'path', 'clicks', 'opens', 'conversions', 'refunds', 'rate', 'rate_low', 'rate_high'];
  const rows = (groups ?? series).map((row) => new Map(Object.entries(row)));
  const records = rows.map((row) => columns.map((column) => row.get(column) as string | number | null));
  return csvFile([columns, ...records]);
}

export class ConversionStatisticsResponse extends dataOf(ConversionStatisticsDto) {}
