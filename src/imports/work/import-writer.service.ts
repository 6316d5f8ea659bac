import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../shared/unit-of-work';
import { QuotaReached } from '../../tenancy/accounts/account.errors';
import { QuotaGate } from '../../tenancy/accounts/quotas';
import { DynamicLink } from '../../links/dynamic-links/dynamic-link';
import { DynamicLinkRepository, type LockedLink } from '../../links/dynamic-links/dynamic-link.repository';
import { type GuardedLinks, linkBreaks, ReleaseGuard } from '../../link-paths/release-guard/release-guard';
import { BreaksReleasedApp } from '../../link-paths/release-guard/release.errors';
import { generateCustomPath } from '../../link-paths/paths/custom-path';
import { foldTag } from '../../links/tags/tag';
import { PgTagsOfLinksRepository } from '../../links/tags/pg-tags-of-links.repository';
import { ensureSpellings, settleSpellings } from '../../links/tags/tag-spellings';
import { TypeormImportRepository } from '../model/typeorm-import.repository';
import type { BatchScope } from './import-planner.service';
import type { HashedRow } from './row-passwords';

@Injectable()
export class ImportWriterService {
  constructor(
    private readonly imports: TypeormImportRepository,
    private readonly links: DynamicLinkRepository,
    private readonly tags: PgTagsOfLinksRepository,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
    private readonly releaseGuard: ReleaseGuard,
  ) {}

  /**
   * Writes links in the order of their rows, and returns the rows with their outcomes. Neighbouring creations share a statement.
   * @throws LinkHasGone; the batch can be run again
   */
  async write(scope: BatchScope, rows: HashedRow[]): Promise<HashedRow[]> {
    const { project, plan } = scope;
    // The project, tags, the account, links: other requests lock in this order too.
    const guarded = await this.releaseGuard.ofLinks(project.id);
    const ensured = await ensureSpellings(this.tags, project.id, tagsOf(rows));
    const withinQuota = await this.#withinQuota(scope, rows);
    const locked = await this.links.lockAll(
      project.id,
      withinQuota.flatMap(({ outcome, link }) => (link && outcome === 'replaced' ? link.id : [])),
    );
    const idsOf = (names: readonly string[]) => names.map((name) => ensured.tags.get(foldTag(name))!.id);
    let insertions: Parameters<DynamicLinkRepository['insertAll']>[0] = [];
    const insert = async () => {
      if (insertions.length > 0) await this.links.insertAll(insertions);
      insertions = [];
    };
    const done: HashedRow[] = [];
    for (const planned of withinQuota) {
      const before = planned.outcome === 'replaced' ? locked.get(planned.link?.id ?? '') : undefined;
      const row = before ? this.#guardedRow(guarded, planned, before, scope.job.acknowledged) : planned;
      done.push(row);
      const { outcome, link, fields } = row;
      if (!link || !fields) continue;
      const { tags = [], customPath, externalId, ...others } = fields;
      if (outcome === 'created') {
        const named = { ...fields, tags, customPath: customPath ?? generateCustomPath(), tagIds: idsOf(tags) };
        insertions.push(Object.assign(DynamicLink.create(project.id, plan, named), { id: link.id }));
      } else {
        await insert();
        const { importedFrom: _, originalCreatedAt: __, ...replacement } = others;
        const { tags: ___, ...changes } = DynamicLink.replacement({
          ...replacement,
          ...(customPath && { customPath }),
        });
        const { originalClicks } = link.origin;
        const stored = { ...changes, ...(externalId && { externalId }), tagIds: idsOf(tags), originalClicks };
        const updated = await this.links.update(project.id, link.id, stored);
        if (!updated) throw new LinkHasGone();
        if (before) locked.set(link.id, { ...before, iosAppId: updated.iosAppId, androidAppId: updated.androidAppId });
      }
    }
    await insert();
    if (done.some((row, at) => row !== rows[at])) await settleSpellings(this.tags, ensured, tagsOf(done));
    return done;
  }

  /** Refuses a row that would move a link away from a released version. If it is only reported, the row says so. */
  #guardedRow(
    guarded: GuardedLinks | null,
    row: HashedRow,
    before: LockedLink,
    acknowledged: readonly string[],
  ): HashedRow {
    if (guarded === null) return row;
    const { iosAppId = null, androidAppId = null } = row.fields ?? {};
    const breaks = linkBreaks(guarded, before, { iosAppId, androidAppId });
    if (breaks.length === 0) return row;
    const problems = [{ field: null, reason: new BreaksReleasedApp(breaks).message }];
    const isRefused = guarded.refuses && breaks.some(({ version }) => !acknowledged.includes(version));
    return isRefused ? { ...row, outcome: 'refused', problems, link: null, fields: null } : { ...row, problems };
  }

  /** Refuses creations beyond the quota. Only changes of the project during the run leave some. */
  async #withinQuota({ job, project, plan }: BatchScope, rows: HashedRow[]): Promise<HashedRow[]> {
    const quota = this.quotas.reservationOf(project.accountId, plan, 'dynamicLinks');
    const creations = rows.filter(({ outcome }) => outcome === 'created').length;
    if (!quota || creations <= job.reservedLinks) return rows;
    let further = creations - job.reservedLinks;
    let refusal = '';
    while (further > 0) {
      try {
        const requestedCount = further;
        await this.unitOfWork.attempt(() => this.imports.reserveLinks(quota, requestedCount));
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
      const id = row.linkId ?? '';
      if (row.outcome === 'created' && ++created > capacity) beyond.add(id);
      // Later rows may replace a link that is not created now.
      if (!beyond.has(id)) return row;
      return { ...row, outcome: 'refused', linkId: null, problems, link: null, fields: null };
    });
  }
}

const tagsOf = (rows: HashedRow[]): string[] => rows.flatMap(({ fields }) => fields?.tags ?? []);

class LinkHasGone extends Error {}
