import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { nilId } from '../../shared/id';
import { maxGroups } from '../statistics/statistics';
import {
  type CountedFunnel,
  type CountedFunnelGroup,
  type FunnelCounts,
  type FunnelCriteria,
  funnelEvents,
  type FunnelGrouping,
  noEvents,
  withFirstOpens,
} from './store-funnel';

type Sum<Key> = [key: Key, event: keyof FunnelCounts, times: number];

interface Answer {
  parts: Sum<number>[] | null;
  groups: Sum<string>[] | null;
  groupCount: number;
}

const columnOf: Record<FunnelGrouping, string> = {
  platform: 'platform',
  browser: 'browser',
  version: 'version',
  link: `coalesce(nullif(dynamic_link_id, '${nilId}')::text, '')`,
};

/** Builds one statement, so that all sums are from one snapshot. */
export function storeFunnelSql(question: FunnelCriteria): { sql: string; values: unknown[] } {
  const { projectId, window, groupBy, links, platforms, browsers } = question;
  const starts = window.starts.map((start) => start / 1000);
  const values: unknown[] = [projectId, funnelEvents, window.from / 1000, window.to / 1000, starts];
  const conditions = [
    ...(links === null ? [] : [`AND dynamic_link_id = ANY ($${values.push(links)}::uuid[])`]),
    ...(platforms === undefined ? [] : [`AND platform = ANY ($${values.push(platforms)}::text[])`]),
    ...(browsers === undefined ? [] : [`AND browser = ANY ($${values.push(browsers)}::text[])`]),
  ].join(' ');
  const sql = `WITH counted AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM quarter)::bigint, $5::bigint[]) AS part,
         ${groupBy === null ? "''" : columnOf[groupBy]} AS value, event, sum(times) AS times
  FROM app_event_sums
  WHERE project_id = $1 AND event = ANY ($2::text[]) AND quarter >= to_timestamp($3) AND quarter < to_timestamp($4) ${conditions}
  GROUP BY 1, 2, 3
), top AS MATERIALIZED (
  SELECT value, sum(times) AS times, count(*) OVER () AS groups FROM counted GROUP BY value ORDER BY 2 DESC, value COLLATE "C" LIMIT ${maxGroups}
)
SELECT (SELECT json_agg(json_build_array(part, event, times))
        FROM (SELECT part, event, sum(times) AS times FROM counted GROUP BY 1, 2) AS summed) AS parts,
       (SELECT json_agg(json_build_array(value, event, summed.times) ORDER BY top.times DESC, value COLLATE "C")
        FROM top JOIN (SELECT value, event, sum(times) AS times FROM counted GROUP BY 1, 2) AS summed USING (value)) AS groups,
       coalesce((SELECT max(groups) FROM top), 0)::integer AS "groupCount"`;
  return { sql, values };
}

@Injectable()
export class PgStoreFunnelRepository {
  constructor(private readonly context: TransactionContext) {}

  async count(question: FunnelCriteria): Promise<CountedFunnel> {
    const { sql, values } = storeFunnelSql(question);
    const [answer] = await this.context.read<Answer>(sql, values);
    const { parts, groups, groupCount } = answer!;
    const totals = noEvents();
    for (const [, event, times] of parts ?? []) totals[event] += times;
    const byPart = countsByKey(parts ?? []);
    const listed = [...countsByKey(groups ?? [])].map(([value, counts]): CountedFunnelGroup => {
      return { value: value === '' ? null : value, ...counts };
    });
    const funnel = {
      totals,
      series: question.window.starts.map((_, at) => byPart.get(at + 1) ?? noEvents()),
      groups: question.groupBy === null ? null : listed,
      otherGroups: question.groupBy === null ? 0 : groupCount - listed.length,
    };
    return withFirstOpens(funnel, question);
  }
}

function countsByKey<Key>(sums: Sum<Key>[]): Map<Key, FunnelCounts> {
  const counts = new Map<Key, FunnelCounts>();
  for (const [key, event, times] of sums) {
    const ofKey = counts.get(key) ?? noEvents();
    ofKey[event] = times;
    counts.set(key, ofKey);
  }
  return counts;
}
