import { Injectable } from '@nestjs/common';
import type { AppPlatform } from '../../links/apps/app';
import { AppRepository } from '../../links/apps/app.repository';
import { PgGuardedProject } from '../../link-paths/release-guard/pg-guarded-project';
import { LinkHosts } from '../../link-paths/paths/link-hosts';
import type { HostedAt } from '../../link-paths/paths/open-host';
import { BrowserEscapes, droppedEscapes } from '../../link-routing/escapes/escape-choice';
import { toProjectReadModel } from '../../link-routing/visited-link/read-models';
import { appleAppSiteAssociation, assetLinks } from '../../link-routing/association-files/association-files';
import type { Subdomain } from '../../links/projects/subdomain';
import type { Project } from '../../links/projects/project';
import { Clock } from '../../shared/clock';
import { PgAssociationFactsRepository } from '../explain/pg-association-facts.repository';
import { androidAppProblems, iosAppProblems } from './app-checks';
import { escapeProblems } from './escape-checks';
import { type AssociationFiles, fileProblems } from './file-checks';
import { type DeviceCheck, deviceChecks } from './device-checks';
import { bySeverity, healthProblem, type HealthProblem } from './health-problem';
import { type CheckedHost, hostProblems, type ProjectHost } from './host-checks';
import { HostProbe, type ProbedHost } from './host-probe';
import { probeProblems } from './probe-checks';
import { PgProjectHostRepository } from './pg-project-host.repository';
import { releaseProblems } from './release-checks';
import { scopeProblems } from './scope-checks';
import { associatedPlatforms } from './published-rules';

export interface AssociationHealth {
  files: AssociationFiles;
  hosts: HealthOfHost[];
  /** Null without a probe. */
  probedAt: Date | null;
  /** Most severe first. */
  problems: HealthProblem[];
  checks: DeviceCheck[];
}

export type HealthOfHost = CheckedHost & {
  /** Null if the host was not probed. */
  probed: Exclude<ProbedHost, string> | null;
};

@Injectable()
export class AssociationHealthService {
  constructor(
    private readonly apps: AppRepository,
    private readonly projectHosts: PgProjectHostRepository,
    private readonly hosts: LinkHosts,
    private readonly facts: PgAssociationFactsRepository,
    private readonly hostProbe: HostProbe,
    private readonly clock: Clock,
    private readonly guarded: PgGuardedProject,
    private readonly escapes: BrowserEscapes,
  ) {}

  /**
   * Checks the current database state, which link traffic serves within a second.
   * @param probe also fetches the files from the hosts
   * @param appVersion checks released versions of this name; null for all that are not retired
   * @param platform checks released versions of this platform; null for both
   * @throws TooManyProbes
   */
  async check(
    project: Project,
    probe: boolean,
    appVersion: string | null = null,
    platform: AppPlatform | null = null,
  ): Promise<AssociationHealth> {
    const [state, recorded, served] = await Promise.all([
      this.#stateOf(project),
      this.guarded.liveReleases(project.id, appVersion),
      this.guarded.served(project.id),
    ]);
    const { iosApps, androidApps, openHost, links, scoped, files, checked } = state;
    const releases = recorded.filter((release) => platform === null || release.platform === platform);
    const origins = checked.filter(isProbeable).map(({ origin }) => origin);
    const probed = probe ? await this.hostProbe.probe(project.accountId, origins, files) : null;
    const scopes = [
      ...(await scopeProblems('ios', iosApps, links, scoped.ios.unscoped)),
      ...(await scopeProblems('android', androidApps, links, scoped.android.unscoped)),
    ];
    return {
      files,
      hosts: checked.map((host) => ({ ...host, probed: answersOf(probed?.get(host.origin)) })),
      probedAt: probed && new Date(this.clock.now()),
      problems: [
        ...iosAppProblems(iosApps),
        ...androidAppProblems(androidApps),
        ...associatedPlatforms.flatMap((platform) => fileProblems(platform, files[platform])),
        ...scopes,
        ...(openHost === null && iosApps.length > 0 ? [noOpenHost(project)] : []),
        ...checked.flatMap(hostProblems),
        ...escapeProblems(droppedEscapes(this.escapes), [
          ...(iosApps.length > 0 ? (['ios'] as const) : []),
          ...(androidApps.length > 0 ? (['android'] as const) : []),
        ]),
        ...releaseProblems(releases, checked, served.apps, appVersion),
        ...(probed ? this.#probeProblems(checked, probed) : []),
      ].sort(bySeverity),
      checks: deviceChecks(checked, iosApps, androidApps),
    };
  }

  /**
   * Fetches the files from a custom domain, without the limits of accounts, and returns what keeps links from opening an app. Null if
   * the domain serves no files over https, or time ran out.
   */
  async errorsOf(project: Project, hostname: string): Promise<HealthProblem[] | null> {
    const { files, checked } = await this.#stateOf(project);
    const host = checked.find(({ kind, name }) => kind === 'custom_domain' && name === hostname);
    if (!host || !isProbeable(host)) return null;
    const probed = await this.hostProbe.probeAll([host.origin], files);
    if (probed.get(host.origin) === 'not_probed') return null;
    return this.#probeProblems([host], probed).filter(({ severity }) => severity === 'error');
  }

  async #stateOf(project: Project) {
    const [iosApps, androidApps, stored, facts] = await Promise.all([
      this.apps.all('ios', project.id),
      this.apps.all('android', project.id),
      this.projectHosts.hostsOf(project.id),
      this.facts.openHostFactsOf(project.id),
    ]);
    const openHost = this.hosts.openHostOf(project, facts);
    const known = [...stored, ...openSubdomainOf(openHost)];
    const visited = toProjectReadModel(project, iosApps, androidApps, openHost, this.hosts);
    const links = await this.facts.ownedPathsOf(project.id);
    const web = await this.facts.webPathsOf(project.id);
    const scoped = { ios: appleAppSiteAssociation(visited, links, web), android: assetLinks(visited, links, web) };
    const files = { ios: scoped.ios.file, android: scoped.android.file };
    const checked = known.map((host): CheckedHost => {
      const named =
        host.kind === 'custom_domain'
          ? { subdomain: project.subdomain, customDomain: host.name }
          : { subdomain: host.name, customDomain: null };
      return { ...host, host: this.hosts.hostOf(named), origin: this.hosts.originOf(named) };
    });
    return { iosApps, androidApps, openHost, links, scoped, files, checked };
  }

  #probeProblems(checked: readonly CheckedHost[], probed: ReadonlyMap<string, ProbedHost>): HealthProblem[] {
    return checked.flatMap(({ host, origin, kind }) => {
      const answered = probed.get(origin);
      const problems = answered ? probeProblems(host, answered, this.clock.now()) : [];
      // Links on other hosts open the apps nevertheless.
      return kind === 'open_subdomain' ? problems.map(atMostWarning) : problems;
    });
  }
}

/** Returns whether to probe the host. Hosts without TLS have no file to fetch; unverified hosts belong to others. */
const isProbeable = ({ answers, origin }: CheckedHost): boolean => answers && origin.startsWith('https:');

/** Returns the open host under the link domain. A custom domain is among the hosts already. */
const openSubdomainOf = (openHost: HostedAt | null): ProjectHost[] =>
  openHost?.customDomain !== null
    ? []
    : [
        {
          kind: 'open_subdomain',
          name: openHost.subdomain as Subdomain,
          current: false,
          answers: true,
          recordMissingSince: null,
        },
      ];

const noOpenHost = ({ subdomain }: Project): HealthProblem =>
  healthProblem('no_open_host', `The project ${subdomain} has no open host; “Open in app” stays in the browser.`, {
    platform: 'ios',
  });

const atMostWarning = (problem: HealthProblem): HealthProblem =>
  problem.severity === 'error' ? { ...problem, severity: 'warning' } : problem;

const answersOf = (probed: ProbedHost | undefined) => (typeof probed === 'object' ? probed : null);
