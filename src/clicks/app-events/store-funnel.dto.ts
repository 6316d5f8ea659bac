import { ApiSchema } from '@nestjs/swagger';
import { answer, countAnswer, momentAnswer, nullableTextAnswer } from '../../api-kit/kit/answer';
import { csvFile } from '../../api-kit/kit/csv';
import { IsQueryChoice } from '../../api-kit/kit/field.decorators';
import { optionally } from '../../api-kit/kit/rule.decorator';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { maxGroups } from '../statistics/statistics';
import { FiltersChoices, FiltersIds, FiltersTags, FiltersValues } from '../statistics/statistics.decorators';
import { PeriodQuery } from '../statistics/statistics-query.dto';
import { type FunnelCounts, type FunnelGrouping, funnelGroupings } from './store-funnel';
import type { CountedStoreFunnel, StoreFunnelRequest } from './store-funnel.service';

const formats = ['json', 'csv'] as const;

export class StoreFunnelQuery extends PeriodQuery {
  @IsQueryChoice(
    funnelGroupings,
    optionally(
      'Property to group by. Default: no groups. `browser`: the app in whose browser the link was opened. `version`: of the installed app.',
      'browser',
    ),
  )
  group_by?: FunnelGrouping;

  @IsQueryChoice(formats, {
    default: 'json',
    description: '`json`, or `csv` for spreadsheets: a line per interval, or with `group_by` a line per group.',
  })
  format: (typeof formats)[number];

  @FiltersIds('Id of a dynamic link, also of a deleted one.', '0198c0de-7e57-7000-8000-000000000002')
  link_id?: string[];

  @FiltersTags('Name of a tag that the links have now.', 'Newsletter')
  tag?: string[];

  @FiltersChoices(['ios', 'android'], 'Platform of the phone.', 'ios')
  platform?: string[];

  @FiltersValues('App in whose browser the link was opened. Empty: other browsers.', 'Instagram')
  browser?: string[];

  static requestOf(query: StoreFunnelQuery): StoreFunnelRequest {
    const { from, to, interval, timezone: zone, group_by, link_id: ids, tag: tags, platform, browser } = query;
    const links = { ids, tags, utm: {} };
    return { from, to, interval, zone, groupBy: group_by ?? null, links, platforms: platform, browsers: browser };
  }
}

const counts = {
  shown: countAnswer('Pages with a token that were shown.', 100),
  copied: countAnswer('Tokens that such a page copied. Android needs no copy.', 80),
  store_opened: countAnswer('Visits that went on to the store with a token.', 75),
  first_opens: countAnswer(
    'First launches that apps reported. Launches without an outcome have no link and no `browser` yet.',
    40,
  ),
  claimed: countAnswer('First launches that got their link.', 25),
  none: countAnswer('First launches without a token.', 6),
  declined: countAnswer('First launches at which the person or the system declined to paste.', 4),
  expired: countAnswer('First launches with a token that was too old.', 1),
  used: countAnswer('First launches with a token that was claimed before, or whose link is gone.', 1),
  offline_later: countAnswer(
    'Installations that got their link at a later launch, because the first one had no answer.',
    2,
  ),
} as const;

type Counts = Record<keyof typeof counts, number>;

const countsOf = ({ store, first_open, ...others }: FunnelCounts): Counts => ({
  ...others,
  store_opened: store,
  first_opens: first_open,
});

class StoreFunnelTotals extends answer(counts) {}

class StoreFunnelPoint extends answer({
  start: momentAnswer('Start of the interval, in the requested time zone.', '2026-06-01T00:00:00.000Z'),
  end: momentAnswer('End of the interval.', '2026-06-02T00:00:00.000Z'),
  ...counts,
}) {}

class StoreFunnelGroup extends answer({
  value: nullableTextAnswer('Value of the property in `group_by`. Null for events without one.', 'Instagram'),
  name: nullableTextAnswer('Current name of the link. Null for other properties and deleted links.', null),
  path: nullableTextAnswer('Current custom path of the link.', null),
  ...counts,
}) {}

@ApiSchema({ name: 'StoreFunnel' })
export class StoreFunnelDto extends answer({
  from: momentAnswer('Start of the counted period, included.', '2026-06-01T00:00:00.000Z'),
  to: momentAnswer('End of the counted period, excluded.', '2026-06-02T00:00:00.000Z'),
  covered_from: momentAnswer('Start of the part of the period whose events are kept.', '2026-06-01T00:00:00.000Z'),
  group_by: { enum: [...funnelGroupings, null], nullable: true, example: 'browser' },
  totals: { type: StoreFunnelTotals },
  series: { type: [StoreFunnelPoint], description: 'All intervals of the period.' },
  groups: {
    type: [StoreFunnelGroup],
    nullable: true,
    description: `The ${maxGroups} groups with the most events, in descending order. Null without \`group_by\`.`,
  },
  other_groups: countAnswer('Number of groups that are not listed.', 0),
}) {
  static of(query: StoreFunnelQuery, { window, coveredFrom, funnel }: CountedStoreFunnel): StoreFunnelDto {
    const { timezone: zone, group_by = null } = query;
    const edges = [...window.starts, window.to].map((moment) => zone.write(moment));
    return {
      from: edges[0]!,
      to: edges.at(-1)!,
      covered_from: zone.write(coveredFrom),
      group_by,
      totals: countsOf(funnel.totals),
      series: funnel.series.map((sums, at) => ({ start: edges[at]!, end: edges[at + 1]!, ...countsOf(sums) })),
      groups:
        funnel.groups?.map(({ value, name, path, ...sums }) => ({ value, name, path, ...countsOf(sums) })) ?? null,
      other_groups: funnel.otherGroups,
    };
  }
}

/** Writes a line per interval, or per group. */
export function funnelCsv({ series, groups }: StoreFunnelDto): string {
  const rows: readonly object[] = groups ?? series;
  const head = [...(groups ? ['value', 'name', 'path'] : ['start', 'end']), ...Object.keys(counts)];
  const records = rows.map((row) => head.map((column) => (row as Record<string, string | number | null>)[column]!));
  return csvFile([head, ...records]);
}

export class StoreFunnelResponse extends dataOf(StoreFunnelDto) {}
