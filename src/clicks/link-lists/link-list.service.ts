import { Injectable } from '@nestjs/common';
import { dayMs, quarterHourMs } from '../recording/click';
import { DatabaseClock } from '../../shared/database-clock';
import type { Page, PageRequest } from '../../shared/page';
import { type RankingPeriod, clickPeriods, maxRankedLinks } from '../../links/dynamic-links/click-periods';
import type { DynamicLinkSortKey, DynamicLinkWithApps } from '../../links/dynamic-links/dynamic-link';
import { DynamicLinksService } from '../../links/dynamic-links/dynamic-links.service';
import type { NamedFilters } from '../../links/dynamic-links/tag-filter';
import type { Project } from '../../links/projects/project';
import { type ClicksByLink, type ClickWindow, LinkClickRepository } from './link-click.repository';

type LinkListRequest = NamedFilters & PageRequest<DynamicLinkSortKey | RankingPeriod>;

/** A page with the clicks of its links by their ids; null if they were not asked for. */
export interface LinkList extends Page<DynamicLinkWithApps> {
  counts: ReadonlyMap<string, Record<RankingPeriod, number>> | null;
}

const recentDays = 30;
/** The longest time that clicks are kept (`CLICK_RETENTION_MONTHS`), and the current month. */
const maxKeptMonths = 121;

/** Lists links with their clicks, and in the order of these. Robots do not count. */
@Injectable()
export class LinkListService {
  constructor(
    private readonly links: DynamicLinksService,
    private readonly clicks: LinkClickRepository,
    private readonly clock: DatabaseClock,
  ) {}

  /** @throws QueryTooExpensive if more than `maxRankedLinks` have clicks and the list is sorted by them */
  async list(project: Project, request: LinkListRequest, withClicks: boolean): Promise<LinkList> {
    const links = await this.#page(project, request);
    if (!withClicks) return { ...links, counts: null };
    const ids = links.items.map(({ id }) => id);
    const windows = windowsBefore(await this.clock.now());
    const [recent, all] = await Promise.all(
      clickPeriods.map((period) => this.clicks.count(project.id, windows[period], ids, ids.length)),
    );
    const countsOf = (id: string) => ({ clicks: recent!.get(id) ?? 0, clicks_total: all!.get(id) ?? 0 });
    return { ...links, counts: new Map(ids.map((id) => [id, countsOf(id)])) };
  }

  async #page(project: Project, { sortBy, ...request }: LinkListRequest): Promise<Page<DynamicLinkWithApps>> {
    if (sortBy !== 'clicks' && sortBy !== 'clicks_total') return this.links.list(project, { ...request, sortBy });
    return this.links.listByCounts(project, request, await this.#clicksOf(project, sortBy));
  }

  async #clicksOf(project: Project, period: RankingPeriod): Promise<ClicksByLink> {
    const window = windowsBefore(await this.clock.now())[period];
    return this.clicks.count(project.id, window, null, maxRankedLinks + 1);
  }
}

/** Returns the periods that end now. Clicks are summed by quarters of an hour. */
function windowsBefore(now: number): Record<RankingPeriod, ClickWindow> {
  const to = Math.ceil(now / quarterHourMs) * quarterHourMs;
  const date = new Date(to);
  return {
    clicks: { from: to - recentDays * dayMs, to },
    clicks_total: { from: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - maxKeptMonths), to },
  };
}
