import { Injectable } from '@nestjs/common';
import { requirePolicy } from '../../api-kit/policy/policies';
import { assertPolicy } from '../../api-kit/policy/rights';
import { AppsService } from '../../links/apps/apps.service';
import type { AppPlatform } from '../../links/apps/app';
import { type Acknowledgement, noAcknowledgement } from '../../link-paths/release-guard/release-acknowledgement';
import { ReleaseGuard } from '../../link-paths/release-guard/release-guard';
import { DynamicLink } from '../../links/dynamic-links/dynamic-link';
import { DynamicLinkRepository } from '../../links/dynamic-links/dynamic-link.repository';
import { requireAllowedDestinations } from '../../links/dynamic-links/link-references';
import { ShortLinksService } from '../../links/short-links/short-links.service';
import type { DestinationUrl } from '../../shared/destination-url';
import { NotFound } from '../../shared/domain-error';
import { InvalidInput } from '../../shared/problem';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import { FeatureNotInPlan } from '../../tenancy/accounts/account.errors';
import { type Plan, planIncludes } from '../../tenancy/accounts/plan';
import type { Caller } from '../../tenancy/accounts/caller';
import { QuotaGate } from '../../tenancy/accounts/quotas';
import { type JournalRow, restorableTables } from '../../tenancy/journal/journal-entry';
import { PgJournalRepository } from '../../tenancy/journal/pg-journal.repository';
import type { Project } from '../../links/projects/project';
import { PgRestoredRowRepository } from './pg-restored-row.repository';

/** The platforms of apps, and the operations whose policies permit to restore them, by the kind of the resource. */
const appKinds: Partial<Record<string, { platform: AppPlatform; operation: string }>> = {
  ios_app: { platform: 'ios', operation: 'updateIosApp' },
  android_app: { platform: 'android', operation: 'updateAndroidApp' },
};

const maxRestoredRows = 1000;

/** Undoes entries of the journal. The change that undoes one is an entry itself. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly journal: PgJournalRepository,
    private readonly restored: PgRestoredRowRepository,
    private readonly quotas: QuotaGate,
    private readonly apps: AppsService,
    private readonly shortLinks: ShortLinksService,
    private readonly unitOfWork: UnitOfWork,
    private readonly links: DynamicLinkRepository,
    private readonly releaseGuard: ReleaseGuard,
  ) {}

  /**
   * Gives the resources of an entry the values that they had before: inserts deleted ones again, with their ids, and sets changed
   * fields back.
   * @param resourceId restores only this one of a batch
   * @returns the number of resources
   * @throws ScopeRequired, RoleRequired, NotFound, InvalidInput, DestinationRefused, FeatureNotInPlan, QuotaReached,
   * LimitReached, AssociationFileFull, BreaksReleasedApp, CannotRestore
   */
  async restore(
    project: Project,
    { plan, rights }: Caller,
    sequence: number,
    resourceId: string | null,
    acknowledgement: Acknowledgement = noAcknowledgement,
  ): Promise<number> {
    const entry = requireFound(await this.journal.find(project.id, project.accountId, sequence), 'Entry');
    const [kind = '', action] = entry.type.split('.');
    if (!Object.hasOwn(restorableTables, kind) || !(action === 'updated' || action === 'deleted'))
      throw refused(
        'sequence',
        `Entry ${sequence} (${entry.type}) cannot be undone; only changes and deletions of links and apps can`,
      );
    const app = appKinds[kind];
    if (app) assertPolicy(requirePolicy(app.operation), rights, project.id);
    const all: JournalRow[] =
      entry.resourceId === null ? entry.rows : [{ id: entry.resourceId, before: entry.before, after: entry.after }];
    const rows = all.filter(({ id }) => resourceId === null || id === resourceId);
    if (rows.length === 0) throw refused('resource_id', `Entry ${sequence} has no such resource`);
    if (rows.length > maxRestoredRows)
      throw refused('resource_id', `Entry ${sequence} has more than ${maxRestoredRows} resources; name one of them`);
    const isDeleted = action === 'deleted';
    const restoreRows = async () => {
      if (kind === 'link' && !isDeleted) await this.#requireUnbroken(project, rows, acknowledgement);
      for (const row of rows) {
        await this.#requireAllowed(kind, project, plan, row, isDeleted);
        if (await this.restored.restore(kind, project.id, row, isDeleted)) continue;
        if (isDeleted) throw refused('sequence', `The resource ${row.id} exists; it was restored before`);
        throw new NotFound('Resource');
      }
      return rows.length;
    };
    if (!app) return this.unitOfWork.run(restoreRows);
    const added = isDeleted ? rows.length : 0;
    return this.apps.changeWithinLimits(app.platform, project, plan, added, restoreRows, acknowledgement);
  }

  /** @throws BreaksReleasedApp if links get former apps again, and released versions lose the links */
  async #requireUnbroken(project: Project, rows: JournalRow[], acknowledgement: Acknowledgement): Promise<void> {
    const guarded = await this.releaseGuard.ofLinks(project.id);
    if (guarded === null) return;
    const ids = rows.map(({ id }) => id);
    const links = await this.links.lockAll(project.id, ids);
    for (const { id, before } of rows) {
      const link = links.get(id);
      const { ios_app_id: iosAppId, android_app_id: androidAppId } = (before ?? {}) as Record<string, string | null>;
      const changes = { iosAppId, androidAppId };
      if (link) this.releaseGuard.requireLinkChange(guarded, link, changes, acknowledgement);
    }
  }

  /**
   * Requires what a creation or change of a link requires: allowed destinations, features of the plan, quotas and limits.
   * @throws InvalidInput, DestinationRefused, FeatureNotInPlan, QuotaReached, LimitReached, NotFound
   */
  async #requireAllowed(
    kind: string,
    project: Project,
    plan: Plan,
    { before }: JournalRow,
    isDeleted: boolean,
  ): Promise<void> {
    if (kind === 'link') {
      const url = (column: string) => before?.[column] as DestinationUrl | null | undefined;
      requireAllowedDestinations(project, {
        desktopUrl: url('desktop_url'),
        iosFallbackUrl: url('ios_fallback_url'),
        androidFallbackUrl: url('android_fallback_url'),
        expiredUrl: url('expired_url'),
        variants: before?.['variants'] as string | null | undefined,
        rules: before?.['rules'] as string | null | undefined,
      });
      const iosDeferredDeepLink = before?.['ios_deferred_deep_link'] === true;
      DynamicLink.requireChange({ iosDeferredDeepLink: false }, plan, { iosDeferredDeepLink });
      if (isDeleted) await this.quotas.reserve(project.accountId, plan, 'dynamicLinks');
    }
    if (kind === 'short_link') {
      if (!planIncludes(plan, 'short_links')) throw new FeatureNotInPlan('short_links', plan);
      await this.shortLinks.reserve(project.id, String(before!['dynamic_link_id']), plan);
    }
  }
}

const refused = (field: string, message: string) => InvalidInput.asAWhole('invalid_format', message, [field]);
