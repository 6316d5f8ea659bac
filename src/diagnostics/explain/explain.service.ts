import { Injectable } from '@nestjs/common';
import { AndroidAppRepository } from '../../management-api/android-apps/android-app.repository';
import { DynamicLinksService } from '../../management-api/dynamic-links/dynamic-links.service';
import { IosAppRepository } from '../../management-api/ios-apps/ios-app.repository';
import { LinkHosts } from '../../management-api/link-paths/link-hosts';
import { filesDependOnLinks } from '../../link-routing/association-files';
import { toLinkReadModel, toProjectReadModel } from '../../link-routing/read-models';
import type { Project } from '../../management-api/projects/project';
import { AssociationFactsRepository } from '../association-facts/association-facts.repository';
import { explain, type Explanation } from './explanation';
import type { SimulatedVisit } from './simulated-visit';

@Injectable()
export class ExplainService {
  constructor(
    private readonly links: DynamicLinksService,
    private readonly iosApps: IosAppRepository,
    private readonly androidApps: AndroidAppRepository,
    private readonly hosts: LinkHosts,
    private readonly facts: AssociationFactsRepository,
  ) {}

  /**
   * Explains a visit by the current database state, which link traffic serves within a second.
   * @throws NotFound if the project has no such link
   */
  async explain(project: Project, linkId: string, visit: SimulatedVisit): Promise<Explanation> {
    const link = await this.links.get(project, linkId);
    const [iosApps, androidApps, openHost] = await Promise.all([
      this.iosApps.all(project.id),
      this.androidApps.all(project.id),
      this.facts.openHostFactsOf(project.id),
    ]);
    const visited = toProjectReadModel(project, iosApps, androidApps, this.hosts.openHostOf(project, openHost));
    const links = filesDependOnLinks(visited) ? await this.facts.ownedPathsOf(project.id) : [];
    return explain(this.hosts, visited, toLinkReadModel(link), link.customPath, visit, links);
  }
}
