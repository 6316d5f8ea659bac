import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { Group, GroupName, Grouping, Statistics, StatisticsCriteria } from './statistics';
import { StatisticsRepository } from './statistics.repository';
import { statisticsSql } from './statistics-sql';

/** The sums of a part of the window. Parts are numbered from 1. */
type Part = [number: number, clicks: number, qrScans: number, bots: number];

interface ListedGroup {
  value: string;
  clicks: number;
  qrScans: number;
  /** The number of groups, those that are not listed included. */
  groups: number;
  /** Numbers of parts, in any order and with repetitions, and the clicks of each. */
  parts: number[];
  partClicks: number[];
}

type Unnamed = Omit<Group, keyof GroupName>;

interface Answer {
  parts: Part[] | null;
  groups: ListedGroup[] | null;
}

const unnamed: GroupName = { name: null, path: null };

/** Select the names of the links of a project, `$1`, with the ids in `$2`. A link under deletion has none. */
const namesSql: Partial<Record<Grouping, string>> = {
  link: `SELECT id, name, custom_path AS path FROM dynamic_links
         WHERE project_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NULL`,
  short_link: `SELECT short.id, link.name, short.slug AS path
               FROM short_links short JOIN dynamic_links link ON link.id = short.dynamic_link_id AND link.deleted_at IS NULL
               WHERE short.project_id = $1 AND short.id = ANY ($2::uuid[])`,
};

@Injectable()
export class TypeormStatisticsRepository extends StatisticsRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async count(question: StatisticsCriteria): Promise<Statistics> {
    const counted = await this.#count(question);
    return { ...counted, groups: counted.groups && (await this.#named(question, counted.groups)) };
  }

  /** Reads the names apart from the sums. In the same statement, they would be read for groups that are not listed. */
  async #named({ projectId, groupBy }: StatisticsCriteria, groups: Unnamed[]): Promise<Group[]> {
    const sql = groupBy === null ? undefined : namesSql[groupBy];
    const ids = groups.flatMap(({ value }) => value ?? []);
    const rows =
      sql && ids.length > 0 ? await this.context.read<GroupName & { id: string }>(sql, [projectId, ids]) : [];
    const names = new Map(rows.map(({ id, name, path }) => [id, { name, path }]));
    return groups.map((group) => ({ ...group, ...(names.get(group.value ?? '') ?? unnamed) }));
  }

  async #count(question: StatisticsCriteria): Promise<Omit<Statistics, 'groups'> & { groups: Unnamed[] | null }> {
    const { linkId, groupBy, window } = question;
    // Grouped by link, the statistics of one link have that link as their only group.
    const itself = groupBy === 'link' && linkId !== undefined;
    const { sql, values } = statisticsSql(itself ? { ...question, groupBy: null } : question);
    const [answer] = await this.context.read<Answer>(sql, values);
    const numbers = window.starts.map((_, at) => at + 1);
    const parts = new Map((answer!.parts ?? []).map((part) => [part[0], part]));
    const series = numbers.map((number) => {
      const [, clicks, qrScans] = parts.get(number) ?? [number, 0, 0];
      return { clicks, qrScans };
    });
    const totals = { ...summed(series), bots: sum([...parts.values()].map((part) => part[3])) };
    if (groupBy === null) return { totals, series, groups: null, other: null };
    if (itself) {
      const { clicks, qrScans } = totals;
      const group = { value: linkId, clicks, qrScans, series: series.map((part) => part.clicks) };
      return { totals, series, groups: clicks > 0 ? [group] : [], other: { groups: 0, clicks: 0, qrScans: 0 } };
    }
    const listed = answer!.groups ?? [];
    const groups = listed.map(({ value, clicks, qrScans, parts, partClicks }) => {
      const series = numbers.map(() => 0);
      for (const [at, part] of parts.entries()) series[part - 1]! += partClicks[at]!;
      return { value: value === '' ? null : value, clicks, qrScans, series };
    });
    const inGroups = summed(groups);
    const other = {
      groups: (listed[0]?.groups ?? 0) - listed.length,
      clicks: totals.clicks - inGroups.clicks,
      qrScans: totals.qrScans - inGroups.qrScans,
    };
    return { totals, series, groups, other };
  }
}

const sum = (numbers: number[]): number => numbers.reduce((one, other) => one + other, 0);

const summed = (sums: { clicks: number; qrScans: number }[]) => ({
  clicks: sum(sums.map(({ clicks }) => clicks)),
  qrScans: sum(sums.map(({ qrScans }) => qrScans)),
});
