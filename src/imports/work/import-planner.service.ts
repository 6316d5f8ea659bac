import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { newId } from '../../shared/id';
import { AppRepository } from '../../links/apps/app.repository';
import { TypeormLinkTemplateRepository } from '../../links/link-templates/typeorm-link-template.repository';
import { DynamicLinkRepository } from '../../links/dynamic-links/dynamic-link.repository';
import type { SourceContext } from '../sources/import-source';
import { importSources } from '../sources/import-sources';
import { foldBundleId } from '../../shared/bundle-id';
import { hostnameOf, LinkHosts } from '../../link-paths/paths/link-hosts';
import type { Project } from '../../links/projects/project';
import { PgSubdomainRepository } from '../../links/projects/pg-subdomain.repository';
import type { Import } from '../model/import';
import type { RowProblem, RowResult } from '../model/import-row';
import { PgImportRows } from '../model/pg-import-rows';
import { KnownLinks } from './known-links';
import { type ReadRow, RowReader, wantedOf, type RowFields } from './row-reader';
import { planRow } from './row-plan';
import type { Plan } from '../../tenancy/accounts/plan';
import type { RowRecord } from '../files/row-record';

export interface BatchScope {
  job: Import;
  project: Project;
  plan: Plan;
}

/** A row as a record, or the reason why it is not one. */
export type ReadableRow = RowRecord & { number: number };

export interface PlannedRow<Fields = RowFields> extends RowResult {
  fields: Fields | null;
}

/** Returns the problem of a row that is valid. */
export const serviceFault = (verb: 'read' | 'write'): RowProblem => ({
  field: null,
  reason: `The service cannot ${verb} this row; its operator finds the cause in the log`,
});

@Injectable()
export class ImportPlannerService {
  constructor(
    private readonly importRows: PgImportRows,
    private readonly subdomains: PgSubdomainRepository,
    private readonly apps: AppRepository,
    private readonly templates: TypeormLinkTemplateRepository,
    private readonly links: DynamicLinkRepository,
    private readonly hosts: LinkHosts,
    private readonly log: Log,
  ) {}

  /** Finds the outcomes of rows, in their order. Stops after a conflict that ends the run. */
  async plan({ job, project, plan }: BatchScope, rows: ReadableRow[]): Promise<PlannedRow[]> {
    const reader = new RowReader(importSources.get(job.source)!, await this.#contextOf(job, project), plan);
    const read: ReadRow[] = [];
    for (const row of rows) read.push(await this.#read(reader, job, row));
    const known = await this.#known(job, read);
    const planned: PlannedRow[] = [];
    for (const [at, row] of rows.entries()) {
      const result = this.#planOne(job, row.number, read[at]!, known);
      planned.push(result);
      if (job.state === 'running' && job.conflictPolicy === 'fail' && result.outcome === 'conflict') break;
    }
    return planned;
  }

  /** Refuses a row that its mapping cannot read, because its error would end this batch each time. */
  async #read(reader: RowReader, job: Import, { number, record, fault }: ReadableRow): Promise<ReadRow> {
    const refused = (problem: RowProblem): ReadRow => ({ fields: null, problems: [problem], unmapped: [] });
    if (fault !== null) return refused({ field: null, reason: fault });
    try {
      return await reader.read(record!);
    } catch (error) {
      this.log.error(`row ${number} of import ${job.id} cannot be read: ${String(error)}`);
      return refused(serviceFault('read'));
    }
  }

  #planOne(job: Import, number: number, { fields, problems, unmapped }: ReadRow, known: KnownLinks): PlannedRow {
    if (!fields) return { number, outcome: 'refused', linkId: null, problems, unmapped, link: null, fields };
    const plan = planRow(wantedOf(fields), known, job.conflictPolicy, newId);
    return { number, ...plan, unmapped, fields: plan.link && fields };
  }

  async #contextOf(job: Import, project: Project): Promise<SourceContext> {
    const [ios, android] = [await this.apps.all('ios', project.id), await this.apps.all('android', project.id)];
    const hosts = (await this.subdomains.findHosts(project.id)).map((one) => hostnameOf(this.hosts.hostOf(one)));
    return {
      iosApps: new Map(ios.map(({ bundleId, id }) => [foldBundleId(bundleId), id])),
      androidApps: new Map(android.map(({ packageName, id }) => [packageName, id])),
      templates: new Set(await this.templates.names(project.id)),
      hosts: new Set(hosts),
      allowed: project,
      options: job.options,
    };
  }

  /** Looks up the links that the rows can meet. A dry run adds those that earlier rows would write. */
  async #known(job: Import, read: ReadRow[]): Promise<KnownLinks> {
    const paths = read.flatMap(({ fields }) => fields?.customPath ?? []);
    const externalIds = read.flatMap(({ fields }) => fields?.externalId ?? []);
    if (paths.length === 0 && externalIds.length === 0) return new KnownLinks([], [], []);
    const { paths: taken } = await this.links.findOwners(job.projectId, paths, []);
    const links = await this.links.findNamed(job.projectId, paths, externalIds);
    const stored = links.map((link) => ({ id: link.id, ...wantedOf(link) }));
    const names = { paths, externalIds, linkIds: stored.map(({ id }) => id) };
    const planned = job.state === 'running' ? [] : await this.importRows.findPlanned(job.id, names);
    return new KnownLinks(stored, [...taken.keys()], planned);
  }
}
