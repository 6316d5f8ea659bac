import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../shared/database-clock';
import { NotFound } from '../../shared/domain-error';
import { retried } from '../../api-kit/kit/long-requests';
import type { Project } from '../../links/projects/project';
import { ProjectRepository } from '../../links/projects/project.repository';
import { clickPeriodOf, type ClickPeriod, dayBefore } from './click-period';
import type { ClickPosition } from './click-position';
import { type ClickFilter, lastKey } from './recorded-click';
import { type ClickPage, RecordedClickRepository } from './recorded-click.repository';

export interface ClickListRequest {
  from: number | undefined;
  to: number | undefined;
  filter: ClickFilter;
  /** Null for the first page. */
  cursor: ClickPosition | null;
  limit: number;
}

@Injectable()
export class RecordedClicksService {
  constructor(
    private readonly clicks: RecordedClickRepository,
    private readonly projects: ProjectRepository,
    private readonly clock: DatabaseClock,
  ) {}

  /** @throws InvalidInput */
  async list(project: Project, { from, to, filter, cursor, limit }: ClickListRequest): Promise<ClickPage> {
    const end = to ?? cursorEnd(cursor) ?? (await this.clock.now());
    const period = clickPeriodOf({ from: from ?? cursor?.from, to: end });
    const first = { at: period.to - 1, key: lastKey, repeated: 0, from: period.from };
    const position = cursor && cursor.at <= first.at ? { ...cursor, from: period.from } : first;
    return this.clicks.list({ projectId: project.id, ...period, filter }, position, limit);
  }

  async exportedDay(day: ClickPeriod | undefined): Promise<ClickPeriod> {
    return day ?? dayBefore(await this.clock.now());
  }

  /**
   * Returns the clicks of a period as parts of lines (docs/decisions/0028-imports-and-exports.md).
   * @throws NotFound if the project is deleted meanwhile
   */
  async *export({ id }: Project, period: ClickPeriod, filter: ClickFilter): AsyncGenerator<string> {
    yield* this.clicks.lines({ projectId: id, ...period, filter });
    // A deleted project has no clicks any more, which must not look like the end of its clicks.
    if (!(await retried(() => this.projects.find(id)))) throw new NotFound('Project');
  }
}

/** Returns the end of a page without `to`: where the last one ended, however long ago that was. */
const cursorEnd = (cursor: ClickPosition | null): number | undefined => (cursor ? cursor.at + 1 : undefined);
