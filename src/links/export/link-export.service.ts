import { Injectable } from '@nestjs/common';
import { NotFound } from '../../shared/domain-error';
import { DynamicLinkRepository } from '../dynamic-links/dynamic-link.repository';
import type { DynamicLinkWithApps } from '../dynamic-links/dynamic-link';
import type { Delimiter } from '../../api-kit/kit/csv';
import { retried } from '../../api-kit/kit/long-requests';
import { LinkHosts } from '../../link-paths/paths/link-hosts';
import { ProjectRepository } from '../projects/project.repository';
import type { Project } from '../projects/project';
import { type ExportFormat, linkFormats } from './link-formats';

/** Links of a statement, as many as a page of the list has at most. */
const batchSize = 100;

/** Reads all links of a project in batches (docs/decisions/0028-imports-and-exports.md). */
@Injectable()
export class LinkExportService {
  constructor(
    private readonly links: DynamicLinkRepository,
    private readonly projects: ProjectRepository,
    private readonly hosts: LinkHosts,
  ) {}

  /**
   * Returns the parts of the file.
   * @throws NotFound if the project is deleted meanwhile
   */
  async *write(project: Project, format: ExportFormat, delimiter: Delimiter): AsyncGenerator<string> {
    const { head, write } = linkFormats[format];
    let text = head(delimiter);
    for await (const batch of this.#batches(project)) {
      for (const link of batch) text += write(link, this.hosts.urlOf(project, link.customPath), delimiter);
      yield text;
      text = '';
    }
  }

  /** Reads all links, the oldest first. The last batch may be empty. */
  async *#batches({ id }: Project): AsyncGenerator<DynamicLinkWithApps[]> {
    let batch = await this.links.listAfter(id, null, batchSize);
    while (batch.length === batchSize) {
      const last = batch.at(-1)!;
      yield batch;
      batch = await retried(() => this.links.listAfter(id, last, batchSize));
    }
    // A deleted project has no links any more, which must not look like the end of its links.
    if (!(await retried(() => this.projects.find(id)))) throw new NotFound('Project');
    yield batch;
  }
}
