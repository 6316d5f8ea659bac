import { Injectable } from '@nestjs/common';
import type { Plan } from '../../tenancy/accounts/plan';
import { DatabaseClock } from '../../shared/database-clock';
import { AppRepository } from '../../links/apps/app.repository';
import type { DynamicLinkChanges, NewDynamicLink, NewLink } from '../../links/dynamic-links/dynamic-link';
import { DynamicLinksService } from '../../links/dynamic-links/dynamic-links.service';
import { unknownTemplate } from '../../links/link-templates/link-template';
import { TypeormLinkTemplateRepository } from '../../links/link-templates/typeorm-link-template.repository';
import { PgGuardedProject } from '../../link-paths/release-guard/pg-guarded-project';
import { LinkHosts } from '../../link-paths/paths/link-hosts';
import { type LinkOwnerships, toLinkOwnerships } from '../../link-paths/association-files/owned-paths';
import { BrowserEscapes } from '../../link-routing/escapes/escape-choice';
import { filesDependOnLinks } from '../../link-routing/association-files/association-files';
import { toLinkReadModel, toProjectReadModel } from '../../link-routing/visited-link/read-models';
import type { VisitedLink } from '../../link-routing/visited-link/visited-link';
import type { Project } from '../../links/projects/project';
import { PgAssociationFactsRepository } from './pg-association-facts.repository';
import { LinkDraftsService } from './link-drafts.service';
import { explain, explainLongLink, explainPath } from './explain';
import type { ExplainedPlace, Explanation } from './explanation';
import type { ExaminedReleases } from './explained-release';
import type { SimulatedVisit } from './simulated-visit';

@Injectable()
export class ExplainService {
  constructor(
    private readonly links: DynamicLinksService,
    private readonly drafts: LinkDraftsService,
    private readonly apps: AppRepository,
    private readonly templates: TypeormLinkTemplateRepository,
    private readonly hosts: LinkHosts,
    private readonly facts: PgAssociationFactsRepository,
    private readonly clock: DatabaseClock,
    private readonly guarded: PgGuardedProject,
    private readonly escapes: BrowserEscapes,
  ) {}

  /**
   * Explains a visit by the current database state, which link traffic serves within a second.
   * @throws NotFound if the project has no such link
   */
  async explain(project: Project, linkId: string, visit: SimulatedVisit): Promise<Explanation> {
    const link = await this.links.get(project, linkId);
    return explain(await this.#place(project, visit), visit, await this.#visitedLink(link, link.customPath));
  }

  /**
   * Explains a visit as if a link with these fields were created now.
   * @throws IosAppNotFound, AndroidAppNotFound, CrossScope, FeatureNotInPlan, CustomPathExists, ExternalIdExists
   */
  async explainNew(project: Project, plan: Plan, fields: NewDynamicLink, visit: SimulatedVisit): Promise<Explanation> {
    return this.#explainDraft(project, await this.drafts.ofNew(project, plan, fields), null, visit);
  }

  /**
   * Explains a visit as if the link were changed now.
   * @throws NotFound, IosAppNotFound, AndroidAppNotFound, CrossScope, FeatureNotInPlan, CustomPathExists, ExternalIdExists
   */
  async explainChanged(
    project: Project,
    plan: Plan,
    linkId: string,
    changes: DynamicLinkChanges,
    visit: SimulatedVisit,
  ): Promise<Explanation> {
    const { stored, draft } = await this.drafts.ofChanged(project, plan, linkId, changes);
    return this.#explainDraft(project, draft, stored.customPath, visit);
  }

  /**
   * Explains several visits as if the link were changed now.
   * @throws as `explainChanged`
   */
  async simulate(
    project: Project,
    plan: Plan,
    linkId: string,
    changes: DynamicLinkChanges,
    visits: readonly SimulatedVisit[],
  ): Promise<{ now: number; explanations: Explanation[] }> {
    const { draft } = await this.drafts.ofChanged(project, plan, linkId, changes);
    const place: ExplainedPlace = { ...(await this.#place(project)), withoutApps: true };
    const link = await this.#visitedLink(draft, draft.customPath);
    return { now: place.now, explanations: visits.map((visit) => explain(place, visit, link)) };
  }

  /** Explains a visit of `/`, where long links of Firebase are served. */
  async explainLongLink(project: Project, visit: SimulatedVisit): Promise<Explanation> {
    return explainLongLink(await this.#place(project, visit), visit);
  }

  /**
   * Explains a visit of a path, which may be mistyped or have characters glued to it.
   * @throws NotFound if the link is deleted meanwhile
   */
  async explainPath(project: Project, path: string, visit: SimulatedVisit): Promise<Explanation> {
    return explainPath(await this.#place(project, visit), visit, path, async (paths) => {
      const meant = await this.facts.meantPathOf(project.id, paths);
      return (
        meant && { ...meant, link: await this.#visitedLink(await this.links.get(project, meant.linkId), meant.path) }
      );
    });
  }

  async #explainDraft(
    project: Project,
    draft: NewLink,
    storedPath: string | null,
    visit: SimulatedVisit,
  ): Promise<Explanation> {
    const place = await this.#place(project, visit);
    const links = ownershipsWithDraft(place.links, draft, storedPath);
    return explain({ ...place, links }, visit, await this.#visitedLink(draft, draft.customPath));
  }

  /** @throws InvalidInput if the project lacks the template of a draft */
  async #visitedLink(link: NewLink, path: string): Promise<VisitedLink> {
    if (link.template === null) return toLinkReadModel(link, path);
    const template = await this.templates.findByName(link.projectId, link.template);
    if (template === null) throw unknownTemplate();
    return toLinkReadModel(link, path, template);
  }

  async #place(project: Project, visit?: SimulatedVisit): Promise<ExplainedPlace> {
    const [iosApps, androidApps, openHost, now, examined] = await Promise.all([
      this.apps.all('ios', project.id),
      this.apps.all('android', project.id),
      this.facts.openHostFactsOf(project.id),
      this.clock.now(),
      this.#examinedReleases(project, visit),
    ]);
    const { hosts } = this;
    const visited = toProjectReadModel(project, iosApps, androidApps, hosts.openHostOf(project, openHost), hosts);
    const links = filesDependOnLinks(visited) ? await this.facts.ownedPathsOf(project.id) : [];
    return { hosts, now, project: visited, links, escapes: this.escapes, examined };
  }

  async #examinedReleases(project: Project, visit?: SimulatedVisit): Promise<ExaminedReleases | null> {
    const version = visit?.facts.appVersion ?? null;
    if (version === null) return null;
    const [releases, served] = await Promise.all([
      this.guarded.liveReleases(project.id, version),
      this.guarded.served(project.id),
    ]);
    return { releases, served, host: visit?.host ?? null };
  }
}

/**
 * Returns the links of a project as they would be with the draft in place of the stored link. The slugs of the stored link keep
 * its apps, because a path of one segment decides about no other path.
 * @param storedPath the custom path of the stored link; null if the draft is of a new link
 */
export function ownershipsWithDraft(stored: LinkOwnerships, draft: NewLink, storedPath: string | null): LinkOwnerships {
  if (stored === null) return null;
  const { iosAppId, androidAppId, customPath } = draft;
  const others = stored.filter(({ path }) => path !== storedPath && path !== customPath);
  return toLinkOwnerships([...others, { path: customPath, iosAppId, androidAppId }]);
}
