import { Injectable } from '@nestjs/common';
import { reportTooExpensive } from '../../platform/tables/too-expensive';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { linkTags } from '../statistics/pg-tags-sql';
import { maxGroups } from '../statistics/statistics';
import type {
  ConversionCriteria,
  ConversionGrouping,
  ConversionSums,
  CountedConversions,
} from './conversion-statistics';

/** The sums of a part or a group in one currency; the currency is null for conversions without a value. */
type SumsRow<Key> = [key: Key, currency: string | null, conversions: number, refunds: number, value: string | null];

interface Answer {
  /** The part is null in the sums of all parts. */
  parts: SumsRow<number | null>[] | null;
  groups: SumsRow<string>[] | null;
  groupCount: number;
  untrusted: number;
}

const columnOf: Record<ConversionGrouping, string> = {
  event: 'event',
  link: 'dynamic_link_id::text',
  short_link: "coalesce(short_link_id::text, '')",
  tag: 'dynamic_link_id::text',
  platform: 'platform',
  variant: "coalesce(variant, '')",
  trusted: 'trusted::text',
};

/** Builds one statement, so that all sums are from one snapshot. */
export function conversionStatisticsSql(question: ConversionCriteria): { sql: string; values: unknown[] } {
  const { projectId, window, links, events, groupBy, includeUntrusted } = question;
  const starts = window.starts.map((start) => start / 1000);
  const values: unknown[] = [projectId, window.from / 1000, window.to / 1000, starts, includeUntrusted];
  const conditions = [
    ...(links === null ? [] : [`AND dynamic_link_id = ANY ($${values.push(links)}::uuid[])`]),
    ...(events === null ? [] : [`AND event = ANY ($${values.push(events)}::text[])`]),
  ].join(' ');
  const isByTag = groupBy === 'tag';
  const sql = `WITH of_links AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM occurred_at), $4::numeric[]) AS part, ${groupBy === null ? "''" : columnOf[groupBy]} AS value,
         currency, count(*) FILTER (WHERE is_counted AND NOT is_refund) AS conversions,
         count(*) FILTER (WHERE is_counted AND is_refund) AS refunds, sum(amount) FILTER (WHERE is_counted) AS amount,
         count(*) FILTER (WHERE NOT trusted AND NOT is_refund) AS untrusted
  FROM (
    SELECT *, value AS amount, coalesce(value < 0, false) AS is_refund, trusted OR $5 AS is_counted FROM conversions
  ) AS sent
  WHERE project_id = $1 AND occurred_at >= to_timestamp($2) AND occurred_at < to_timestamp($3) ${conditions}
  GROUP BY 1, 2, 3
)${isByTag ? `, ${linkTags}` : ''}, grouped AS MATERIALIZED (
  SELECT ${isByTag ? 'link_tags' : 'of_links'}.value, currency, sum(conversions) AS conversions, sum(refunds) AS refunds, sum(amount) AS amount
  FROM of_links ${isByTag ? 'JOIN link_tags ON link_tags.link = of_links.value' : ''} GROUP BY 1, 2
), top AS MATERIALIZED (
  SELECT value, sum(conversions) AS conversions, count(*) OVER () AS groups FROM grouped
  GROUP BY value HAVING sum(conversions) + sum(refunds) > 0 ORDER BY 2 DESC, value COLLATE "C" LIMIT ${maxGroups}
)
SELECT (SELECT json_agg(json_build_array(part, currency, conversions, refunds, amount::text))
        FROM (SELECT part, currency, sum(conversions) AS conversions, sum(refunds) AS refunds, sum(amount) AS amount
              FROM of_links GROUP BY GROUPING SETS ((part, currency), (currency))) AS summed) AS parts,
       (SELECT json_agg(json_build_array(value, currency, grouped.conversions, refunds, amount::text)
                        ORDER BY top.conversions DESC, value COLLATE "C")
        FROM top JOIN grouped USING (value)) AS groups,
       coalesce((SELECT max(groups) FROM top), 0)::integer AS "groupCount",
       (SELECT coalesce(sum(untrusted), 0) FROM of_links)::integer AS untrusted`;
  return { sql, values };
}

@Injectable()
export class PgConversionStatisticsRepository {
  constructor(private readonly context: TransactionContext) {}

  /** @throws QueryTooExpensive */
  async count(question: ConversionCriteria): Promise<CountedConversions> {
    const { sql, values } = conversionStatisticsSql(question);
    const [answer] = await reportTooExpensive(this.context, () => this.context.read<Answer>(sql, values));
    const { parts, groups, groupCount, untrusted } = answer!;
    const byPart = sumsByKey(parts ?? []);
    const listed = [...sumsByKey(groups ?? [])].map(([value, sums]) => ({
      value: value === '' ? null : value,
      ...sums,
    }));
    return {
      totals: { ...(byPart.get(null) ?? none), untrusted },
      series: question.window.starts.map((_, at) => byPart.get(at + 1) ?? none),
      groups: question.groupBy === null ? null : listed,
      otherGroups: question.groupBy === null ? 0 : groupCount - listed.length,
    };
  }
}

const none: ConversionSums = { conversions: 0, refunds: 0, values: [] };

function sumsByKey<Key>(rows: SumsRow<Key>[]): Map<Key, ConversionSums> {
  const sums = new Map<Key, ConversionSums>();
  for (const [key, currency, conversions, refunds, value] of rows) {
    const before = sums.get(key) ?? none;
    sums.set(key, {
      conversions: before.conversions + conversions,
      refunds: before.refunds + refunds,
      values: currency === null || value === null ? before.values : [...before.values, { currency, value }],
    });
  }
  return sums;
}
