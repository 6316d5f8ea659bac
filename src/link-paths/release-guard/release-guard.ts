import { type UnitOfWork } from '../../shared/unit-of-work';
import type { Acknowledgement } from './release-acknowledgement';
import { type PgGuardedProject } from './pg-guarded-project';
import {
  breaksOf,
  derivesPaths,
  type LinkApps,
  type LiveRelease,
  type ReleaseBreak,
  type Served,
} from './release-breaks';
import { BreaksReleasedApp } from './release.errors';

export type LinkAppChanges = Readonly<Partial<Record<'iosAppId' | 'androidAppId', string | null | undefined>>>;

export interface GuardedLinks {
  refuses: boolean;
  releases: readonly LiveRelease[];
  served: Served;
}

/** Returns whether a change of a link may replace its apps. */
export const replacesApps = (changes: LinkAppChanges): boolean =>
  changes.iosAppId !== undefined || changes.androidAppId !== undefined;

/** Returns the versions that lose the link by a change of its apps. */
export function linkBreaks(
  { served, releases }: GuardedLinks,
  before: LinkApps,
  { iosAppId = before.iosAppId, androidAppId = before.androidAppId }: LinkAppChanges,
): ReleaseBreak[] {
  const link = { before, after: { customPath: before.customPath, iosAppId, androidAppId } };
  return breaksOf({ before: served, after: served, link }, releases);
}

/** Refuses or reports changes that break released versions, in the transaction of the change. */
export class ReleaseGuard {
  constructor(
    private readonly project: PgGuardedProject,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Runs a change of hosts or apps of a project. Others of the project, and new releases, wait for its end.
   * @throws BreaksReleasedApp, which undoes the change
   */
  run<R>(projectId: string, acknowledgement: Acknowledgement, change: () => Promise<R>): Promise<R> {
    return this.unitOfWork.run(async () => {
      const guard = await this.project.lock(projectId, 'change');
      const releases = guard === 'off' ? [] : await this.project.liveReleases(projectId);
      if (releases.length === 0) return change();
      const before = await this.project.served(projectId);
      const result = await change();
      const after = await this.project.served(projectId);
      if (derivesPaths(before, after)) after.links = await this.project.links(projectId);
      const breaks = breaksOf({ before, after }, releases);
      this.#settle(breaks, guard === 'refuse', acknowledgement);
      return result;
    });
  }

  /** Returns whether the project has releases, retired ones included. */
  hasReleases(projectId: string): Promise<boolean> {
    return this.project.hasReleases(projectId);
  }

  /**
   * Reads what changes of links are compared with. Call it in the transaction of the change, before links are locked.
   * @returns null if no change of a link can break a version
   */
  async ofLinks(projectId: string): Promise<GuardedLinks | null> {
    if (!(await this.hasReleases(projectId))) return null;
    const guard = await this.project.lock(projectId, 'link');
    if (guard === 'off') return null;
    const releases = await this.project.liveReleases(projectId);
    if (releases.length === 0) return null;
    return { refuses: guard === 'refuse', releases, served: await this.project.served(projectId) };
  }

  /** @throws BreaksReleasedApp */
  requireLinkChange(
    guarded: GuardedLinks | null,
    before: LinkApps,
    changes: LinkAppChanges,
    acknowledgement: Acknowledgement,
  ): void {
    if (guarded) this.#settle(linkBreaks(guarded, before, changes), guarded.refuses, acknowledgement);
  }

  #settle(breaks: ReleaseBreak[], refuses: boolean, acknowledgement: Acknowledgement): void {
    const { versions } = acknowledgement;
    if (breaks.length === 0) return;
    if (refuses && breaks.some(({ version }) => !versions.includes(version))) throw new BreaksReleasedApp(breaks);
    this.unitOfWork.afterCommit(() => acknowledgement.report(breaks));
  }
}
