import { Injectable } from '@nestjs/common';
import type { Project } from '../../links/projects/project';
import { PgFilteredLinkRepository } from '../statistics/pg-filtered-link.repository';
import { PgGroupNameRepository } from '../statistics/pg-group-name.repository';
import type { LinkConditions } from '../statistics/statistics-filter';
import { type CoveredWindow, StatisticsService, type StatisticsRequest } from '../statistics/statistics.service';
import { PgStoreFunnelRepository } from './pg-store-funnel.repository';
import type { FunnelCriteria, StoreFunnel } from './store-funnel';

export interface StoreFunnelRequest
  extends
    Pick<StatisticsRequest, 'from' | 'to' | 'interval' | 'zone'>,
    Pick<FunnelCriteria, 'groupBy' | 'platforms' | 'browsers'> {
  links: LinkConditions;
}

export interface CountedStoreFunnel extends CoveredWindow {
  funnel: StoreFunnel;
}

const unnamed = { name: null, path: null };

@Injectable()
export class StoreFunnelService {
  constructor(
    private readonly funnels: PgStoreFunnelRepository,
    private readonly statistics: StatisticsService,
    private readonly filteredLinks: PgFilteredLinkRepository,
    private readonly names: PgGroupNameRepository,
  ) {}

  /** @throws InvalidInput, QueryTooExpensive */
  async ofProject(project: Project, request: StoreFunnelRequest): Promise<CountedStoreFunnel> {
    const period = await this.statistics.periodOf(request);
    const links = await this.filteredLinks.find(project.id, request.links);
    const { groupBy, platforms, browsers } = request;
    const question = { projectId: project.id, window: period.window, groupBy, links, platforms, browsers };
    const funnel = await this.funnels.count(question);
    const ids = groupBy === 'link' ? (funnel.groups ?? []).flatMap(({ value }) => value ?? []) : [];
    const names = ids.length > 0 ? await this.names.find(project.id, 'link', ids) : null;
    const groups = funnel.groups?.map((group) => ({ ...group, ...(names?.get(group.value ?? '') ?? unnamed) })) ?? null;
    return { ...period, funnel: { ...funnel, groups } };
  }
}
