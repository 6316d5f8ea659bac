import { Injectable } from '@nestjs/common';
import { Log } from '../../platform/observability/log';
import { Clock } from '../../shared/clock';
import { newId } from '../../shared/id';
import { UnitOfWork } from '../../shared/unit-of-work';
import { QuotaReached } from '../accounts/account.errors';
import { AccountRepository } from '../accounts/account.repository';
import type { Plan } from '../accounts/plan';
import { QuotaGate } from '../accounts/quotas';
import { AndroidAppRepository } from '../android-apps/android-app.repository';
import { DynamicLink } from '../dynamic-links/dynamic-link';
import { DynamicLinkRepository } from '../dynamic-links/dynamic-link.repository';
import type { SourceContext, SourceRecord } from '../import-sources/import-source';
import { foldBundleId } from '../ios-apps/ios-app';
import { IosAppRepository } from '../ios-apps/ios-app.repository';
import { generateCustomPath } from '../link-paths/custom-path';
import { hostnameOf, LinkHosts } from '../link-paths/link-hosts';
import type { Project } from '../projects/project';
import { ProjectRepository } from '../projects/project.repository';
import { foldTag } from '../tags/tag';
import { TagRepository } from '../tags/tag.repository';
import type { Import, ImportChanges } from './import';
import type { ImportRow, PlannedLink, RowProblem, RowResult } from './import-row';
import { ImportRepository } from './import.repository';
import { ImportTurns } from './import-turns';
import { importSources } from '../import-sources/import-sources';
import { KnownLinks } from './known-links';
import { digestOf, type ReadRow, type RowFields, RowReader } from './row-reader';
import { planRow } from './row-plan';
import { withUnmapped } from './unmapped-summary';

/** A row with its outcome, and with its fields if it writes a link. */
interface PlannedRow {
  result: RowResult;
  write: { kind: 'created' | 'replaced'; link: PlannedLink; fields: RowFields } | null;
}

interface Progress {
  rows: number;
  hasMore: boolean;
}

/** Processes the next rows of an import in one transaction, which also notes that they are done. So no row is done twice. */
@Injectable()
export class ImportBatch {
  constructor(
    private readonly imports: ImportRepository,
    private readonly projects: ProjectRepository,
    private readonly accounts: AccountRepository,
    private readonly iosApps: IosAppRepository,
    private readonly androidApps: AndroidAppRepository,
    private readonly links: DynamicLinkRepository,
    private readonly tags: TagRepository,
    private readonly quotas: QuotaGate,
    private readonly hosts: LinkHosts,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Returns the number of rows that were done, and whether the import has more; null if nothing is to be done. */
  run(importId: string, maxRows: number): Promise<Progress | null> {
    return this.#inImport(importId, async (job, project, plan) => {
      const rows = await this.imports.rowsAfter(job.id, job.processed, maxRows);
      const planned = await this.#plan(job, project, plan, rows);
      return job.state === 'running' ? this.#write(job, project, plan, planned) : planned;
    });
  }

  /** Refuses the next row, because it cannot be written. */
  refuseNext(importId: string, fault: unknown): Promise<Progress | null> {
    return this.#inImport(importId, async (job) => {
      const [row] = await this.imports.rowsAfter(job.id, job.processed, 1);
      if (!row) return [];
      this.log.error(`row ${row.number} of import ${job.id} cannot be written: ${String(fault)}`);
      const problems = [serviceFault('write')];
      return [
        {
          result: { number: row.number, outcome: 'refused', linkId: null, problems, unmapped: [], planned: null },
          write: null,
        },
      ];
    });
  }

  /** Stores the outcomes of the rows that `work` does, in its transaction. */
  async #inImport(
    importId: string,
    work: (job: Import, project: Project, plan: Plan) => Promise<PlannedRow[]>,
  ): Promise<Progress | null> {
    // Before the transaction, which must not wait for another connection.
    const place = await this.imports.findPlace(importId);
    if (!place) return null;
    const project = await this.projects.find(place.projectId);
    const account = project && (await this.accounts.find(project.accountId));
    return this.unitOfWork.run(async () => {
      // Before the import, which a caller may cancel while this waits.
      if (place.state === 'running') await this.links.beginBulk(place.projectId);
      const job = await this.imports.findForUpdate(place.projectId, importId);
      if (!job?.isActive) return null;
      // Its run has just begun. The next batch is of the run.
      if (job.state !== place.state) return { rows: 0, hasMore: true };
      if (!project || !account) {
        await this.#end(job, { state: 'cancelled' });
        return null;
      }
      const done = await work(job, project, account.plan);
      await this.imports.setResults(
        job.id,
        done.map(({ result }) => result),
      );
      return this.#advance(job, done);
    });
  }

  /** Finds the outcomes of rows, in their order. Stops after a conflict that ends the run. */
  async #plan(job: Import, project: Project, plan: Plan, rows: ImportRow[]): Promise<PlannedRow[]> {
    const reader = new RowReader(importSources.get(job.source)!, await this.#contextOf(job, project), plan);
    const read: (ReadRow | null)[] = [];
    const turns = new ImportTurns();
    for (const row of rows) {
      await turns.next();
      read.push(row.fault === null ? await this.#read(reader, job, row) : null);
    }
    const known = await this.#known(job, read);
    const planned: PlannedRow[] = [];
    for (const [at, row] of rows.entries()) {
      await turns.next();
      const result = this.#planOne(job, row, read[at]!, known);
      planned.push(result);
      if (job.state === 'running' && job.conflictPolicy === 'fail' && result.result.outcome === 'conflict') break;
    }
    return planned;
  }

  /** Refuses a row that its mapping cannot read, because its error would end this batch each time. */
  async #read(reader: RowReader, job: Import, row: ImportRow): Promise<ReadRow> {
    try {
      return await reader.read(JSON.parse(row.record!) as SourceRecord);
    } catch (error) {
      this.log.error(`row ${row.number} of import ${job.id} cannot be read: ${String(error)}`);
      return { wanted: null, fields: null, problems: [serviceFault('read')], unmapped: [] };
    }
  }

  #planOne(job: Import, row: ImportRow, read: ReadRow | null, known: KnownLinks): PlannedRow {
    const unmapped = read?.unmapped ?? [];
    const ended = (outcome: RowResult['outcome'], linkId: string | null, problems: readonly RowProblem[]) => ({
      result: { number: row.number, outcome, linkId, problems, unmapped, planned: null },
      write: null,
    });
    if (!read) return ended('refused', null, [{ field: null, reason: row.fault! }]);
    if (!read.wanted || !read.fields) return ended('refused', null, read.problems);
    const isRun = job.state === 'running';
    const plan = planRow(read.wanted, known, job.conflictPolicy, newId);
    if (plan.outcome === 'conflict') return ended('conflict', plan.link?.id ?? null, [plan.problem]);
    if (plan.outcome === 'unchanged') return ended('unchanged', plan.link.id, []);
    const { outcome, link } = plan;
    return {
      result: { number: row.number, outcome, linkId: link.id, problems: [], unmapped, planned: isRun ? null : link },
      write: { kind: outcome, link, fields: read.fields },
    };
  }

  async #contextOf(job: Import, project: Project): Promise<SourceContext> {
    const [ios, android] = [await this.iosApps.all(project.id), await this.androidApps.all(project.id)];
    const hosts = (await this.projects.findHosts(project.id)).map((one) => hostnameOf(this.hosts.hostOf(one)));
    return {
      iosApps: new Map(ios.map(({ bundleId, id }) => [foldBundleId(bundleId), id])),
      androidApps: new Map(android.map(({ packageName, id }) => [packageName, id])),
      hosts: new Set(hosts),
      options: job.options,
    };
  }

  /** Looks up the links that the rows can meet. A dry run adds those that earlier rows would write. */
  async #known(job: Import, read: (ReadRow | null)[]): Promise<KnownLinks> {
    const paths = read.flatMap((row) => row?.wanted?.path ?? []);
    const externalIds = read.flatMap((row) => row?.wanted?.externalId ?? []);
    if (paths.length === 0 && externalIds.length === 0) return new KnownLinks([], [], []);
    const digests = new Set(read.map((row) => row?.wanted?.digest));
    const { paths: taken } = await this.links.findOwners(job.projectId, paths, []);
    const stored = (await this.links.findNamed(job.projectId, paths, externalIds)).map((link) => ({
      id: link.id,
      path: link.customPath,
      externalId: link.externalId,
      digest: digestAmong(digests, link),
    }));
    const names = { paths, externalIds, linkIds: stored.map(({ id }) => id) };
    const planned = job.state === 'running' ? [] : await this.imports.findPlanned(job.id, names);
    return new KnownLinks(stored, [...taken.keys()], planned);
  }

  /** Writes links in the order of their rows. Neighbouring creations share a statement. */
  async #write(job: Import, project: Project, plan: Plan, rows: PlannedRow[]): Promise<PlannedRow[]> {
    // Tags, the account, links: other requests lock in this order too.
    const named = rows.flatMap(({ write }) => write?.fields.tags ?? []);
    const { tags: ensured, created } = await this.tags.ensureSpellings(project.id, named);
    const kept = await this.#withinQuota(job, project, plan, rows);
    await this.links.lockAll(
      project.id,
      kept.flatMap(({ write }) => (write?.kind === 'replaced' ? write.link.id : [])),
    );
    const idsOf = (names: readonly string[]) => names.map((name) => ensured.get(foldTag(name))!.id);
    let insertions: Parameters<DynamicLinkRepository['insertAll']>[0] = [];
    const insert = async () => {
      if (insertions.length > 0) await this.links.insertAll(insertions);
      insertions = [];
    };
    for (const { write } of kept) {
      if (!write) continue;
      const { kind, link, fields } = write;
      const { tags = [], customPath, externalId, ...others } = fields;
      if (kind === 'created') {
        const path = customPath ?? generateCustomPath();
        const draft = DynamicLink.create(project.id, plan, {
          ...fields,
          tags: [...tags],
          tagIds: idsOf(tags),
          customPath: path,
        });
        insertions.push(Object.assign(draft, { id: link.id }));
      } else {
        await insert();
        const { tags: _, ...changes } = DynamicLink.replacement({ ...others, ...(customPath && { customPath }) });
        const stored = { ...changes, ...(externalId && { externalId }), tagIds: idsOf(tags) };
        const { importedFrom, originalCreatedAt, originalClicks } = fields;
        const updated = await this.links.update(project.id, link.id, {
          ...stored,
          importedFrom,
          originalCreatedAt,
          originalClicks,
        });
        if (!updated) throw new LinkHasGone();
      }
    }
    await insert();
    if (kept !== rows) await this.tags.removeUnused(created);
    return kept;
  }

  /** Refuses creations beyond the quota. Only changes of the project during the run leave some. */
  async #withinQuota(job: Import, project: Project, plan: Plan, rows: PlannedRow[]): Promise<PlannedRow[]> {
    const quota = this.quotas.reservationOf(project.accountId, plan, 'dynamicLinks');
    const creations = rows.filter(({ write }) => write?.kind === 'created').length;
    if (!quota || creations <= job.reservedLinks) return rows;
    let further = creations - job.reservedLinks;
    let refusal = '';
    while (further > 0) {
      try {
        const wanted = further;
        await this.unitOfWork.attempt(() => this.imports.reserveLinks(quota, wanted));
        break;
      } catch (error) {
        if (!(error instanceof QuotaReached)) throw error;
        refusal = error.message;
        further = Math.max(0, Math.min(further - 1, error.details.limit - error.details.used));
      }
    }
    const capacity = job.reservedLinks + further;
    const problems = [{ field: null, reason: refusal }];
    const beyond = new Set<string>();
    let created = 0;
    return rows.map((row) => {
      const id = row.result.linkId ?? '';
      if (row.write?.kind === 'created' && ++created > capacity) beyond.add(id);
      // Later rows may replace a link that is not created now.
      if (!beyond.has(id)) return row;
      return { result: { ...row.result, outcome: 'refused', linkId: null, problems }, write: null };
    });
  }

  async #advance(job: Import, rows: PlannedRow[]): Promise<Progress> {
    const counts = { ...job.counts };
    for (const { result } of rows) counts[result.outcome]++;
    const processed = job.processed + rows.length;
    const created = rows.filter(({ write }) => write?.kind === 'created').length;
    const reservedLinks = Math.max(0, job.reservedLinks - created);
    const unmapped = withUnmapped(
      job.unmapped,
      rows.map(({ result }) => result.unmapped),
    );
    const changes = { counts, processed, reservedLinks, ...(unmapped !== job.unmapped && { unmapped }) };
    const last = rows.at(-1)?.result;
    if (job.state === 'running' && job.conflictPolicy === 'fail' && last?.outcome === 'conflict')
      await this.#end(job, {
        ...changes,
        state: 'failed',
        failureCode: 'conflict',
        failure: `Row ${last.number}: ${last.problems[0]!.reason}`,
      });
    else if (processed < job.fileRows && rows.length > 0) {
      await this.imports.update(job.id, changes);
      return { rows: rows.length, hasMore: true };
    } else if (job.state === 'running') await this.#end(job, { ...changes, state: 'completed' });
    else await this.imports.update(job.id, { ...changes, state: 'ready', phaseStartedAt: null });
    return { rows: rows.length, hasMore: false };
  }

  #end(job: Import, changes: ImportChanges): Promise<void> {
    const finishedAt = new Date(this.clock.now());
    return this.imports.update(job.id, { ...changes, reservedLinks: 0, phaseStartedAt: null, finishedAt });
  }
}

const serviceFault = (verb: 'read' | 'write'): RowProblem => ({
  field: null,
  reason: `The service cannot ${verb} this row; its operator finds the cause in the log`,
});

/** Returns the digest of a stored link, or that of its export if a row has it, because exports name an origin for each link. */
function digestAmong(digests: ReadonlySet<string | undefined>, link: DynamicLink): string {
  const { importedFrom, originalCreatedAt, originalClicks, createdAt } = link;
  const exported = digestOf(link, {
    importedFrom: importedFrom ?? 'signpost',
    originalCreatedAt: originalCreatedAt ?? createdAt,
    originalClicks,
  });
  return digests.has(exported) ? exported : digestOf(link);
}

/** Signals that a link was deleted between look-up and replacement. The batch is run again. */
class LinkHasGone extends Error {}
