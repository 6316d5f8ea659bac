import { Injectable } from '@nestjs/common';
import type { Project } from '../../links/projects/project';
import { type CountedVariant, PgAppStatisticsRepository } from '../statistics/pg-app-statistics.repository';
import { PgFilteredLinkRepository } from '../statistics/pg-filtered-link.repository';
import { PgGroupNameRepository } from '../statistics/pg-group-name.repository';
import type { Grouping } from '../statistics/statistics';
import type { LinkConditions } from '../statistics/statistics-filter';
import { type CountedPeriod, StatisticsService, type StatisticsRequest } from '../statistics/statistics.service';
import type {
  ConversionGroup,
  ConversionGrouping,
  CountedConversionGroup,
  CountedConversions,
} from './conversion-statistics';
import { PgConversionStatisticsRepository } from './pg-conversion-statistics.repository';

export interface ConversionStatisticsRequest extends Pick<StatisticsRequest, 'from' | 'to' | 'interval' | 'zone'> {
  links: LinkConditions;
  events: readonly string[] | null;
  groupBy: ConversionGrouping | null;
  includeUntrusted: boolean;
}

/** Conversions beside the clicks, opens and claims of the same links in the same period. */
export interface ConversionFunnel extends Pick<CountedPeriod, 'window' | 'coveredFrom'> {
  clicks: number;
  opens: number;
  claims: number;
  conversions: Omit<CountedConversions, 'groups'> & { groups: ConversionGroup[] | null };
}

const unnamed = { name: null, path: null };

@Injectable()
export class ConversionStatisticsService {
  constructor(
    private readonly conversions: PgConversionStatisticsRepository,
    private readonly statistics: StatisticsService,
    private readonly filteredLinks: PgFilteredLinkRepository,
    private readonly names: PgGroupNameRepository,
    private readonly appStatistics: PgAppStatisticsRepository,
  ) {}

  /** @throws InvalidInput, QueryTooExpensive */
  async ofProject(project: Project, request: ConversionStatisticsRequest): Promise<ConversionFunnel> {
    const { groupBy, includeUntrusted, events } = request;
    const clicks = await this.#count(project, request, 'clicks');
    const { window, coveredFrom } = clicks;
    const opens = await this.#count(project, request, 'opens');
    const claims = await this.#count(project, request, 'claims');
    const links = await this.filteredLinks.find(project.id, request.links);
    const question = { projectId: project.id, window, links, events, groupBy, includeUntrusted };
    const counted = await this.conversions.count(question);
    const clicked = clicks.statistics.totals.clicks;
    const groups =
      counted.groups &&
      (groupBy === 'variant'
        ? withVariants(counted.groups, await this.appStatistics.variants(project.id, window, links))
        : await this.#withClicks(project, request, counted.groups, clicked));
    return {
      window,
      coveredFrom,
      clicks: clicked,
      opens: opens.statistics.totals.clicks,
      claims: claims.statistics.totals.clicks,
      conversions: { ...counted, groups },
    };
  }

  #count(
    project: Project,
    { from, to, interval, zone, links }: ConversionStatisticsRequest,
    metric: StatisticsRequest['metric'],
    groupBy: Grouping | null = null,
  ): Promise<CountedPeriod> {
    const filter = { values: {}, links, qr: null, bot: null };
    const period = { from, to, interval, zone, compared: null, includeBots: false };
    return this.statistics.ofProject(project, { ...period, metric, groupBy, filter });
  }

  /** Adds the names and clicks of groups. All links of the period have the clicks of an event. */
  async #withClicks(
    project: Project,
    request: ConversionStatisticsRequest,
    groups: CountedConversionGroup[],
    allClicks: number,
  ): Promise<ConversionGroup[]> {
    const { groupBy, links } = request;
    if (groupBy === null || groupBy === 'event' || groupBy === 'trusted' || groupBy === 'variant') {
      const counts = { clicks: groupBy === 'event' ? allClicks : null, opens: null };
      return groups.map((group) => ({ ...group, ...unnamed, ...counts }));
    }
    const ids = groups.flatMap(({ value }) => value ?? []);
    // The links with the most conversions need not be those with the most clicks.
    const ofGroups = groupBy === 'link' ? { ...links, ids } : links;
    const { statistics } = await this.#count(project, { ...request, links: ofGroups }, 'clicks', groupBy);
    const clicks = new Map(statistics.groups?.map(({ value, clicks }) => [value, clicks]));
    const names = await this.names.find(project.id, groupBy, ids);
    return groups.map((group) => ({
      ...group,
      ...(names.get(group.value ?? '') ?? unnamed),
      clicks: clicks.get(group.value) ?? (groupBy === 'link' ? 0 : null),
      opens: null,
    }));
  }
}

/** Adds clicks and opens to the variants with conversions, and the variants without conversions. */
function withVariants(groups: CountedConversionGroup[], variants: CountedVariant[]): ConversionGroup[] {
  const others = variants.filter(({ name }) => !groups.some(({ value }) => value === name));
  const none = others.map(({ name }) => ({ value: name, conversions: 0, refunds: 0, values: [] }));
  return [...groups, ...none].map((group) => {
    const variant = variants.find(({ name }) => name === group.value);
    const counts = group.value === null ? null : { clicks: 0, opens: 0, ...variant };
    return { ...group, ...unnamed, clicks: counts?.clicks ?? null, opens: counts?.opens ?? null };
  });
}
