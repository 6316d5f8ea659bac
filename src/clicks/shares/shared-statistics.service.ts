import { Injectable } from '@nestjs/common';
import { ProjectCache } from '../../links/projects/project-cache';
import { DatabaseClock } from '../../shared/database-clock';
import { NotFound } from '../../shared/domain-error';
import { requireFound } from '../../shared/require-found';
import { TimeZone } from '../../shared/time-zone';
import type { Group, Grouping, Sums } from '../statistics/statistics';
import { type CountedPeriod, type StatisticsRequest, StatisticsService } from '../statistics/statistics.service';
import type { OpenShare } from './share';

/** Days that a reader can choose, today included. */
export const sharedPeriods = [7, 30, 90, 365] as const;
export type SharedPeriod = (typeof sharedPeriods)[number];

const shownGroupings = ['country', 'platform', 'referrer', 'link'] as const satisfies readonly Grouping[];
export type ShownGrouping = (typeof shownGroupings)[number];

export interface SharedStatistics {
  zone: TimeZone;
  period: SharedPeriod;
  interval: 'day' | 'week';
  counted: CountedPeriod;
  breakdowns: { by: ShownGrouping; groups: readonly Group[]; other: Sums }[];
}

const none: Sums = { clicks: 0, qrScans: 0 };

/** Counts what a shared page shows. */
@Injectable()
export class SharedStatisticsService {
  constructor(
    private readonly statistics: StatisticsService,
    private readonly projects: ProjectCache,
    private readonly clock: DatabaseClock,
  ) {}

  /** @throws NotFound if the project or the link is deleted */
  async read(share: OpenShare, period: SharedPeriod): Promise<SharedStatistics> {
    const project = requireFound(await this.projects.find(share.projectId), 'Project');
    const zone = TimeZone.named(share.timezone);
    if (zone === null) throw new NotFound('Time zone');
    const now = await this.clock.now();
    const interval = period > 90 ? 'week' : 'day';
    const request: StatisticsRequest = {
      from: zone.startOf(zone.dateAt(now).subtract({ days: period - 1 })),
      to: now,
      interval,
      zone,
      metric: 'clicks',
      groupBy: null,
      filter: {
        values: {},
        links: { ids: undefined, tags: share.tagName === null ? undefined : [share.tagName], utm: {} },
        qr: null,
        bot: null,
      },
      includeBots: false,
      compared: null,
    };
    const { dynamicLinkId } = share;
    const countBy = (groupBy: Grouping): Promise<CountedPeriod> =>
      dynamicLinkId === null
        ? this.statistics.ofProject(project, { ...request, groupBy })
        : this.statistics.ofLink(project, dynamicLinkId, { ...request, groupBy });
    const breakdowns: SharedStatistics['breakdowns'] = [];
    let first: CountedPeriod | undefined;
    // One after the other, so that a page takes one connection.
    for (const by of shownGroupings) {
      if (by === 'link' && dynamicLinkId !== null) continue;
      const counted = await countBy(by);
      first ??= counted;
      breakdowns.push({ by, groups: counted.statistics.groups ?? [], other: counted.statistics.other ?? none });
    }
    return { zone, period, interval, counted: first!, breakdowns };
  }
}
