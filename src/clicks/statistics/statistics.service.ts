import { Injectable } from '@nestjs/common';
import { DynamicLinksService } from '../../links/dynamic-links/dynamic-links.service';
import type { Project } from '../../links/projects/project';
import { DatabaseClock } from '../../shared/database-clock';
import { PgGroupNameRepository } from './pg-group-name.repository';
import { InvalidInput } from '../../shared/problem';
import { ClickSettings } from '../recording/clicks.composition';
import { PgFilteredLinkRepository } from './pg-filtered-link.repository';
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
import { isUtm, type RequestedFilter, type StatisticsFilter } from './statistics-filter';
import { keptSince, type Interval, type StatisticsWindow, windowOf } from './statistics-window';
import { StatisticsRepository } from './statistics.repository';
import type { TimeZone } from '../../shared/time-zone';

export interface StatisticsRequest {
  from: number | undefined;
  to: number | undefined;
  interval: Interval;
  zone: TimeZone;
  metric: Metric;
  groupBy: Grouping | AppGrouping | null;
  filter: RequestedFilter;
  includeBots: boolean;
  /** An earlier period that is counted too, with the same conditions. Null without one. */
  compared: { from: number; to: number | undefined } | null;
}

export interface CoveredWindow {
  window: StatisticsWindow;
  /** The moment from which clicks of the period are kept; its end if none are. */
  coveredFrom: number;
}

type Windows = [CoveredWindow, CoveredWindow | null];

export interface CountedPeriod extends CoveredWindow {
  statistics: Statistics;
}

export interface ComparedStatistics extends CountedPeriod {
  compared: CountedPeriod | null;
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
    private readonly filteredLinks: PgFilteredLinkRepository,
    private readonly settings: ClickSettings,
    private readonly clock: DatabaseClock,
  ) {}

  /** @throws InvalidInput, QueryTooExpensive */
  async ofProject(project: Project, request: StatisticsRequest): Promise<ComparedStatistics> {
    const windows = await this.#windowsOf(request);
    const links = await this.filteredLinks.find(project.id, request.filter.links);
    return this.#compare({ ...request, projectId: project.id, filter: { ...request.filter, links } }, windows);
  }

  /** @throws InvalidInput, NotFound, QueryTooExpensive */
  async ofLink(project: Project, id: string, request: StatisticsRequest): Promise<ComparedStatistics> {
    const windows = await this.#windowsOf(request);
    const { id: linkId } = await this.dynamicLinks.get(project, id);
    return this.#compare(
      { ...request, projectId: project.id, linkId, filter: { ...request.filter, links: null } },
      windows,
    );
  }

  /** @throws InvalidInput if the period is too long */
  async periodOf(request: Pick<StatisticsRequest, 'from' | 'to' | 'interval' | 'zone'>): Promise<CoveredWindow> {
    const [period] = await this.#windowsOf({ ...request, compared: null });
    return period;
  }

  async #compare(question: Omit<Question, 'window'>, [window, compared]: Windows): Promise<ComparedStatistics> {
    const countIn = async (covered: CoveredWindow): Promise<CountedPeriod> => ({
      ...covered,
      statistics: await this.#count({ ...question, window: covered.window }),
    });
    return { ...(await countIn(window)), compared: compared && (await countIn(compared)) };
  }

  async #windowsOf({
    compared,
    ...request
  }: Pick<StatisticsRequest, 'from' | 'to' | 'interval' | 'zone' | 'compared'>): Promise<Windows> {
    const now = await this.clock.now();
    const keptFrom = keptSince(now, this.settings.retentionMonths);
    const covered = (window: StatisticsWindow): CoveredWindow => ({
      window,
      coveredFrom: Math.min(window.to, Math.max(window.from, keptFrom)),
    });
    const window = windowOf({ ...request, to: request.to ?? now });
    if (compared === null) return [covered(window), null];
    const to = compared.to ?? compared.from + window.to - window.from;
    return [covered(window), covered(windowOf({ ...request, from: compared.from, to }, 'compare_'))];
  }

  /** Reads names apart from the sums. In the same statement, they would be read for groups that are not listed. */
  async #count(question: Question): Promise<Statistics> {
    const { projectId, groupBy } = question;
    const counted = await this.#counted(question);
    if (groupBy === null || counted.groups === null) return { ...counted, groups: null };
    const values = counted.groups.flatMap(({ value }) => value ?? []);
    if (isUtm(groupBy)) return { ...counted, groups: counted.groups.map((group) => ({ ...group, ...unnamed })) };
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
    refuseFilters(question.filter, metric);
    return this.appStatistics.count({ ...question, metric, groupBy: knownGroup(groupBy, appGroupings, metric) });
  }
}

/** @throws InvalidInput if opens and claims do not have a property of the filter */
function refuseFilters({ values, qr, bot }: StatisticsFilter, metric: Metric): void {
  const names = Object.keys({ ...values, ...(qr !== null && { qr }), ...(bot !== null && { bot }) });
  const refused = names.find((name) => name !== 'platform' && name !== 'country');
  if (refused !== undefined)
    throw InvalidInput.asAWhole('invalid_enum_value', `${metric} are not filtered by ${refused}. Leave it out.`, [
      refused,
    ]);
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
