import { Injectable } from '@nestjs/common';
import { AndroidAppRepository } from '../../management-api/android-apps/android-app.repository';
import { DynamicLinksService } from '../../management-api/dynamic-links/dynamic-links.service';
import { IosAppRepository } from '../../management-api/ios-apps/ios-app.repository';
import { LinkHosts } from '../../management-api/link-paths/link-hosts';
import { toLinkReadModel, toProjectReadModel } from '../../link-routing/read-models';
import type { Project } from '../../management-api/projects/project';
import type { AskedVisit } from './asked-visit';
import { explain, type Explanation } from './explanation';

@Injectable()
export class ExplainService {
  constructor(
    private readonly links: DynamicLinksService,
    private readonly iosApps: IosAppRepository,
    private readonly androidApps: AndroidAppRepository,
    private readonly hosts: LinkHosts,
  ) {}

  /**
   * By what the database says now. Link traffic goes by it within a second.
   * @throws NotFound when the project has no such link
   */
  async explain(project: Project, linkId: string, visit: AskedVisit): Promise<Explanation> {
    const link = await this.links.get(project, linkId);
    // Of the project's apps, those of the link are all that an answer depends on.
    const [iosApp, androidApp] = await Promise.all([
      link.iosAppId === null ? null : this.iosApps.find(project.id, link.iosAppId),
      link.androidAppId === null ? null : this.androidApps.find(project.id, link.androidAppId),
    ]);
    const visited = toProjectReadModel(project, iosApp ? [iosApp] : [], androidApp ? [androidApp] : []);
    return explain(this.hosts, visited, toLinkReadModel(link), link.customPath, visit);
  }
}
