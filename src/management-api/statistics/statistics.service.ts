import { Injectable } from '@nestjs/common';
import { DynamicLinksService } from '../dynamic-links/dynamic-links.service';
import type { Project } from '../projects/project';
import { Clock } from '../../shared/clock';
import type { Grouping, Statistics } from './statistics';
import { type Interval, type StatisticsWindow, windowOf } from './statistics-window';
import { StatisticsRepository } from './statistics.repository';
import type { TimeZone } from './time-zone';

export interface StatisticsRequest {
  from: number | undefined;
  to: number | undefined;
  interval: Interval;
  zone: TimeZone;
  groupBy: Grouping | null;
  includeBots: boolean;
}

@Injectable()
export class StatisticsService {
  constructor(
    private readonly statistics: StatisticsRepository,
    private readonly dynamicLinks: DynamicLinksService,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidInput */
  async ofProject(project: Project, request: StatisticsRequest): Promise<[StatisticsWindow, Statistics]> {
    const window = windowOf(request, this.clock.now());
    return [window, await this.statistics.count({ projectId: project.id, window, ...request })];
  }

  /** @throws InvalidInput, NotFound */
  async ofLink(project: Project, linkId: string, request: StatisticsRequest): Promise<[StatisticsWindow, Statistics]> {
    const window = windowOf(request, this.clock.now());
    const link = await this.dynamicLinks.get(project, linkId);
    return [window, await this.statistics.count({ projectId: project.id, linkId: link.id, window, ...request })];
  }
}
