import { Injectable } from '@nestjs/common';
import type { Plan } from '../../tenancy/accounts/plan';
import { QuotaGate } from '../../tenancy/accounts/quotas';
import { AppRepository } from '../apps/app.repository';
import type { Project } from '../projects/project';
import { foldTag } from '../tags/tag';
import { PgTagsOfLinksRepository } from '../tags/pg-tags-of-links.repository';
import { ensureSpellings, settleSpellings } from '../tags/tag-spellings';
import { type Acknowledgement, noAcknowledgement } from '../../link-paths/release-guard/release-acknowledgement';
import { ReleaseGuard, replacesApps } from '../../link-paths/release-guard/release-guard';
import { UnitOfWork } from '../../shared/unit-of-work';
import { BulkRefused } from './bulk.errors';
import type { DynamicLink, DynamicLinkChanges } from '../dynamic-links/dynamic-link';
import { DynamicLinkPurge } from '../dynamic-links/dynamic-link-purge';
import { DynamicLinkRepository, type LockedLink } from '../dynamic-links/dynamic-link.repository';
import { type BulkOperation, type BulkResult, fieldsOf } from './bulk-operation';
import { BulkReferences } from './bulk-references';
import { BulkRun } from './bulk-run';

/** Runs many operations on links in one transaction. */
@Injectable()
export class BulkLinksService {
  constructor(
    private readonly links: DynamicLinkRepository,
    private readonly apps: AppRepository,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
    private readonly purge: DynamicLinkPurge,
    private readonly tags: PgTagsOfLinksRepository,
    private readonly releaseGuard: ReleaseGuard,
  ) {}

  /**
   * Runs the operations in their order, and returns a result for each. One that fails changes nothing.
   * @param atomic no operation changes anything if one of them fails
   * @throws BulkRefused if it is atomic and an operation fails
   * @throws ConcurrencyLimited if other bulk requests of the project take too long
   */
  async run(
    project: Project,
    plan: Plan,
    operations: BulkOperation[],
    atomic: boolean,
    acknowledgement: Acknowledgement = noAcknowledgement,
  ): Promise<BulkResult[]> {
    const done = await this.unitOfWork.run(async () => {
      await this.links.beginBulk(project.id);
      const fields = operations.flatMap(fieldsOf);
      // The project, tags, the account, links.
      const guarded = fields.some(replacesApps) ? await this.releaseGuard.ofLinks(project.id) : null;
      // Tags, the account, links: single requests lock in this order too.
      const named = fields.flatMap(({ tags }) => tags ?? []);
      const ensured = await ensureSpellings(this.tags, project.id, named);
      const creates = operations.some(({ op }) => op === 'create');
      const quota = creates ? await this.quotas.hold(project.accountId, plan, 'dynamicLinks') : null;
      const references = new BulkReferences(
        project,
        await this.apps.findProjectsOf('ios', distinct(fields.map(({ iosAppId }) => iosAppId))),
        await this.apps.findProjectsOf('android', distinct(fields.map(({ androidAppId }) => androidAppId))),
        ensured.tags,
      );
      const requireUnbroken = (link: LockedLink, changes: DynamicLinkChanges) =>
        this.releaseGuard.requireLinkChange(guarded, link, changes, acknowledgement);
      const context = { projectId: project.id, plan, quota, references, requireUnbroken };
      const run = new BulkRun(this.links, this.unitOfWork, context, operations);
      await run.run();
      if (atomic && run.results.some((result) => 'error' in result)) throw new BulkRefused(run.results);
      // An operation that failed has changed nothing, so it has no part in the names of tags.
      const succeeded = operations.filter((_, at) => !('error' in run.results[at]!));
      const used = succeeded.flatMap(fieldsOf).flatMap(({ tags }) => tags ?? []);
      const renamed = await settleSpellings(this.tags, ensured, used);
      if (renamed.size > 0) for (const result of run.results) if ('link' in result) showTags(result.link, renamed);
      return run;
    });
    if (done.rowsRemain) this.unitOfWork.afterCommit(() => void this.purge.sweep());
    return done.results;
  }
}

/** Gives the link the new spellings of its tags. */
function showTags(link: DynamicLink, renamed: ReadonlyMap<string, string>): void {
  Object.assign(link, { tags: link.tags.map((name) => renamed.get(foldTag(name)) ?? name) });
}

const distinct = (ids: (string | null | undefined)[]): string[] => [...new Set(ids.flatMap((id) => id ?? []))];
