import { Injectable } from '@nestjs/common';
import { AndroidAppRepository } from '../../management-api/android-apps/android-app.repository';
import { IosAppRepository } from '../../management-api/ios-apps/ios-app.repository';
import { LinkHosts } from '../../management-api/link-paths/link-hosts';
import { toProjectReadModel } from '../../link-routing/read-models';
import { appleAppSiteAssociation, assetLinks } from '../../link-routing/association-files';
import type { Project } from '../../management-api/projects/project';
import { Clock } from '../../shared/clock';
import { androidAppProblems, iosAppProblems } from './app-checks';
import type { AssociationHealth } from './association-health';
import { fileProblems } from './file-checks';
import { bySeverity, type HealthProblem } from './health-problem';
import { type CheckedHost, hostProblems } from './host-checks';
import { HostProbe, type ProbedHost } from './host-probe';
import { probeProblems } from './probe-checks';
import { ProjectHostRepository } from './project-host.repository';
import { associatedPlatforms } from './published-rules';

@Injectable()
export class AssociationHealthService {
  constructor(
    private readonly iosApps: IosAppRepository,
    private readonly androidApps: AndroidAppRepository,
    private readonly projectHosts: ProjectHostRepository,
    private readonly hosts: LinkHosts,
    private readonly hostProbe: HostProbe,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks the current database state, which link traffic serves within a second.
   * @param probe also fetches the files from the hosts
   * @throws TooManyProbes
   */
  async check(project: Project, probe: boolean): Promise<AssociationHealth> {
    const [iosApps, androidApps, known] = await Promise.all([
      this.iosApps.all(project.id),
      this.androidApps.all(project.id),
      this.projectHosts.hostsOf(project.id),
    ]);
    const visited = toProjectReadModel(project, iosApps, androidApps);
    const files = { ios: appleAppSiteAssociation(visited), android: assetLinks(visited) };
    const checked = known.map((host): CheckedHost => {
      const named =
        host.kind === 'custom_domain'
          ? { subdomain: project.subdomain, customDomain: host.name }
          : { subdomain: host.name, customDomain: null };
      return { ...host, host: this.hosts.hostOf(named), origin: this.hosts.originOf(named) };
    });
    const origins = checked.filter(isProbeable).map(({ origin }) => origin);
    const probed = probe ? await this.hostProbe.probe(project.accountId, origins, files) : null;
    return {
      files,
      hosts: checked.map((host) => ({ ...host, probed: answersOf(probed?.get(host.origin)) })),
      probedAt: probed && new Date(this.clock.now()),
      problems: [
        ...iosAppProblems(iosApps),
        ...androidAppProblems(androidApps),
        ...associatedPlatforms.flatMap((platform) => fileProblems(platform, files[platform])),
        ...checked.flatMap(hostProblems),
        ...(probed ? this.probeProblems(checked, probed) : []),
      ].sort(bySeverity),
    };
  }

  private probeProblems(checked: readonly CheckedHost[], probed: ReadonlyMap<string, ProbedHost>): HealthProblem[] {
    return checked.flatMap(({ host, origin }) => {
      const answered = probed.get(origin);
      return answered ? probeProblems(host, answered, this.clock.now()) : [];
    });
  }
}

/** Returns whether to probe the host. Hosts without TLS have no file to fetch; unverified hosts belong to others. */
const isProbeable = ({ answers, origin }: CheckedHost): boolean => answers && origin.startsWith('https:');

const answersOf = (probed: ProbedHost | undefined) => (typeof probed === 'object' ? probed : null);
