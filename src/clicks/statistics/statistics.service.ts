import { Injectable } from '@nestjs/common';
import { DynamicLinksService } from '../../links/dynamic-links/dynamic-links.service';
import type { Project } from '../../links/projects/project';
import { DatabaseClock } from '../../shared/database-clock';
import { PgGroupNameRepository } from './pg-group-name.repository';
import { InvalidInput } from '../../shared/problem';
import { PgAppStatisticsRepository } from './pg-app-statistics.repository';
import {
  type AppGrouping,
  appGroupings,
  type CountedStatistics,
  type GroupName,
  type Grouping,
  groupings,
  type Metric,
  type Statistics,
  type StatisticsCriteria,
} from './statistics';
import { type Interval, type StatisticsWindow, windowOf } from './statistics-window';
import { StatisticsRepository } from './statistics.repository';
import type { TimeZone } from '../../shared/time-zone';

export interface StatisticsRequest {
  from: number | undefined;
  to: number | undefined;
  interval: Interval;
  zone: TimeZone;
  metric: Metric;
  groupBy: Grouping | AppGrouping | null;
  includeBots: boolean;
}

/** The criteria before the properties of the metric are checked. */
type Question = Omit<StatisticsCriteria, 'groupBy'> & Pick<StatisticsRequest, 'metric' | 'groupBy'>;

const unnamed: GroupName = { name: null, path: null };

@Injectable()
export class StatisticsService {
  constructor(
    private readonly statistics: StatisticsRepository,
    private readonly appStatistics: PgAppStatisticsRepository,
    private readonly names: PgGroupNameRepository,
    private readonly dynamicLinks: DynamicLinksService,
    private readonly clock: DatabaseClock,
  ) {}

  /** @throws InvalidInput */
  async ofProject(project: Project, request: StatisticsRequest): Promise<[StatisticsWindow, Statistics]> {
    const window = await this.#windowOf(request);
    return [window, await this.#count({ projectId: project.id, window, ...request })];
  }

  /** @throws InvalidInput, NotFound */
  async ofLink(project: Project, linkId: string, request: StatisticsRequest): Promise<[StatisticsWindow, Statistics]> {
    const window = await this.#windowOf(request);
    const link = await this.dynamicLinks.get(project, linkId);
    return [window, await this.#count({ projectId: project.id, linkId: link.id, window, ...request })];
  }

  async #windowOf(request: StatisticsRequest): Promise<StatisticsWindow> {
    return windowOf({ ...request, to: request.to ?? (await this.clock.now()) });
  }

  /** Reads names apart from the sums. In the same statement, they would be read for groups that are not listed. */
  async #count(question: Question): Promise<Statistics> {
    const { projectId, groupBy } = question;
    const counted = await this.#counted(question);
    if (groupBy === null || counted.groups === null) return { ...counted, groups: null };
    const values = counted.groups.flatMap(({ value }) => value ?? []);
    const names = await this.names.find(projectId, groupBy, values);
    return {
      ...counted,
      groups: counted.groups.map((group) => ({ ...group, ...(names.get(group.value ?? '') ?? unnamed) })),
    };
  }

  /** @throws InvalidInput if the metric has no such groups */
  #counted(question: Question): Promise<CountedStatistics> {
    const { metric, groupBy } = question;
    if (metric === 'clicks')
      return this.statistics.count({ ...question, groupBy: knownGroup(groupBy, groupings, metric) });
    return this.appStatistics.count({ ...question, metric, groupBy: knownGroup(groupBy, appGroupings, metric) });
  }
}

function knownGroup<Known extends string>(
  groupBy: string | null,
  known: readonly Known[],
  metric: Metric,
): Known | null {
  if (groupBy === null || known.includes(groupBy as Known)) return groupBy as Known | null;
  const message = `group_by must be one of ${known.join(', ')} for ${metric}`;
  throw InvalidInput.asAWhole('invalid_enum_value', message, ['group_by']);
}
