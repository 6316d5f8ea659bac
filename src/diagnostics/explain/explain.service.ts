import { Injectable } from '@nestjs/common';
import { AndroidAppRepository } from '../../management-api/android-apps/android-app.repository';
import { DynamicLinksService } from '../../management-api/dynamic-links/dynamic-links.service';
import { IosAppRepository } from '../../management-api/ios-apps/ios-app.repository';
import { LinkHosts } from '../../management-api/link-paths/link-hosts';
import { toLinkReadModel, toProjectReadModel } from '../../link-routing/read-models';
import type { Project } from '../../management-api/projects/project';
import { explain, type Explanation } from './explanation';
import type { SimulatedVisit } from './simulated-visit';

@Injectable()
export class ExplainService {
  constructor(
    private readonly links: DynamicLinksService,
    private readonly iosApps: IosAppRepository,
    private readonly androidApps: AndroidAppRepository,
    private readonly hosts: LinkHosts,
  ) {}

  /**
   * Explains a visit by the current database state, which link traffic serves within a second.
   * @throws NotFound if the project has no such link
   */
  async explain(project: Project, linkId: string, visit: SimulatedVisit): Promise<Explanation> {
    const link = await this.links.get(project, linkId);
    // The answer depends only on the apps of the link.
    const [iosApp, androidApp] = await Promise.all([
      link.iosAppId === null ? null : this.iosApps.find(project.id, link.iosAppId),
      link.androidAppId === null ? null : this.androidApps.find(project.id, link.androidAppId),
    ]);
    const visited = toProjectReadModel(project, iosApp ? [iosApp] : [], androidApp ? [androidApp] : []);
    return explain(this.hosts, visited, toLinkReadModel(link), link.customPath, visit);
  }
}
