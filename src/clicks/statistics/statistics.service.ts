import { Injectable } from '@nestjs/common';
import { DynamicLinksService } from '../../links/dynamic-links/dynamic-links.service';
import type { Project } from '../../links/projects/project';
import { DatabaseClock } from '../../shared/database-clock';
import { PgGroupNameRepository } from './pg-group-name.repository';
import type { GroupName, Grouping, Statistics, StatisticsCriteria } from './statistics';
import { type Interval, type StatisticsWindow, windowOf } from './statistics-window';
import { StatisticsRepository } from './statistics.repository';
import type { TimeZone } from '../../shared/time-zone';

export interface StatisticsRequest {
  from: number | undefined;
  to: number | undefined;
  interval: Interval;
  zone: TimeZone;
  groupBy: Grouping | null;
  includeBots: boolean;
}

const unnamed: GroupName = { name: null, path: null };

@Injectable()
export class StatisticsService {
  constructor(
    private readonly statistics: StatisticsRepository,
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
  async #count(question: StatisticsCriteria): Promise<Statistics> {
    const { projectId, groupBy } = question;
    const counted = await this.statistics.count(question);
    if (groupBy === null || counted.groups === null) return { ...counted, groups: null };
    const values = counted.groups.flatMap(({ value }) => value ?? []);
    const names = await this.names.find(projectId, groupBy, values);
    return {
      ...counted,
      groups: counted.groups.map((group) => ({ ...group, ...(names.get(group.value ?? '') ?? unnamed) })),
    };
  }
}
