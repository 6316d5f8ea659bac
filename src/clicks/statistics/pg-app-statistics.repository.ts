import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { otherName } from '../recording/distinct-names';
import { countedStatistics, type StatisticsAnswer } from './counted-statistics';
import {
  type AppGrouping,
  type AppMetric,
  type CountedStatistics,
  maxGroups,
  type StatisticsCriteria,
} from './statistics';

export interface AppStatisticsCriteria extends Pick<StatisticsCriteria, 'projectId' | 'linkId' | 'window' | 'filter'> {
  metric: AppMetric;
  groupBy: AppGrouping | null;
}

const columnOf: Record<AppGrouping, string> = {
  platform: 'platform',
  version: 'version',
  country: 'country',
  link: 'dynamic_link_id::text',
};

/** Builds one statement, so that all sums are from one snapshot. */
export function appStatisticsSql(question: AppStatisticsCriteria): { sql: string; values: unknown[] } {
  const { projectId, linkId, window, metric, groupBy, filter } = question;
  const starts = window.starts.map((start) => start / 1000);
  const values: unknown[] = [projectId, metric.slice(0, -1), window.from / 1000, window.to / 1000, starts];
  const { platform, country } = filter.values;
  const conditions = [
    ...(linkId === undefined ? [] : [`AND dynamic_link_id = $${values.push(linkId)}`]),
    ...(filter.links === null ? [] : [`AND dynamic_link_id = ANY ($${values.push(filter.links)}::uuid[])`]),
    ...Object.entries({ platform, country })
      .filter(([, accepted]) => accepted !== undefined)
      .map(([column, accepted]) => `AND ${column} = ANY ($${values.push(accepted)}::text[])`),
  ].join(' ');
  const sql = `WITH counted AS MATERIALIZED (
  SELECT width_bucket(extract(epoch FROM quarter)::bigint, $5::bigint[]) AS part,
         ${groupBy === null ? "''" : columnOf[groupBy]} AS value, sum(times) AS events
  FROM app_event_sums
  WHERE project_id = $1 AND event = $2 AND quarter >= to_timestamp($3) AND quarter < to_timestamp($4) ${conditions}
  GROUP BY 1, 2
), top AS MATERIALIZED (
  SELECT value, sum(events) AS events, array_agg(part) AS parts, array_agg(events) AS part_events, count(*) OVER () AS groups
  FROM counted WHERE value <> '${otherName}' GROUP BY value ORDER BY 2 DESC, value COLLATE "C" LIMIT ${maxGroups}
)
SELECT (SELECT json_agg(json_build_array(part, events, 0, 0)) FROM (SELECT part, sum(events) AS events FROM counted GROUP BY part) AS summed) AS parts,
       ${groupBy === null ? 'NULL' : listedGroups} AS groups`;
  return { sql, values };
}

const listedGroups = `(SELECT json_agg(json_build_object(
    'value', value, 'clicks', events, 'qrScans', 0, 'groups', groups, 'parts', parts, 'partClicks', part_events
  ) ORDER BY events DESC, value COLLATE "C") FROM top)`;

/** Selects the clicks and opens of each variant. The links, `$4`, are null for all of the project. */
export const variantsSql = `SELECT variant AS name, coalesce(sum(times) FILTER (WHERE event = 'click'), 0)::integer AS clicks,
       coalesce(sum(times) FILTER (WHERE event = 'open'), 0)::integer AS opens
FROM app_event_sums
WHERE project_id = $1 AND quarter >= to_timestamp($2) AND quarter < to_timestamp($3) AND variant <> ''
      AND ($4::uuid[] IS NULL OR dynamic_link_id = ANY ($4))
GROUP BY variant ORDER BY clicks DESC, opens DESC, variant LIMIT ${maxGroups}`;

export interface CountedVariant {
  name: string;
  clicks: number;
  opens: number;
}

/** Counts opens and claims, which are in PostgreSQL even if ClickHouse stores the clicks. */
@Injectable()
export class PgAppStatisticsRepository {
  constructor(private readonly context: TransactionContext) {}

  async count(question: AppStatisticsCriteria): Promise<CountedStatistics> {
    const { sql, values } = appStatisticsSql(question);
    const [answer] = await this.context.read<StatisticsAnswer>(sql, values);
    return countedStatistics(question, answer!);
  }

  /** @param links ids of the accepted links; null for all */
  variants(
    projectId: string,
    { from, to }: StatisticsCriteria['window'],
    links: readonly string[] | null,
  ): Promise<CountedVariant[]> {
    return this.context.read<CountedVariant>(variantsSql, [projectId, from / 1000, to / 1000, links]);
  }
}
