import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { type LinkOwnership, ownedPathsSql, toLinkOwnerships } from '../association-files/owned-paths';
import { LinkHosts } from '../paths/link-hosts';
import type { ReleaseGuardMode } from './release-guard-mode';
import type { LiveRelease, Served, ServedApp } from './release-breaks';

const locks = {
  /** Others of the project wait, and so does a new release. */
  change: 'FOR NO KEY UPDATE',
  /** Changes of the project wait, but not those of other links. */
  link: 'FOR SHARE',
};

/** Reads what the guard compares. */
@Injectable()
export class PgGuardedProject {
  constructor(
    private readonly context: TransactionContext,
    private readonly hosts: LinkHosts,
  ) {}

  /** Locks the project until the unit of work ends. Returns `off` if it is gone. */
  async lock(projectId: string, kind: keyof typeof locks): Promise<ReleaseGuardMode> {
    const [row] = await this.context.read<{ guard: ReleaseGuardMode }>(
      `SELECT release_guard AS guard FROM projects WHERE id = $1 AND deleted_at IS NULL ${locks[kind]}`,
      [projectId],
    );
    return row?.guard ?? 'off';
  }

  async hasReleases(projectId: string): Promise<boolean> {
    const rows = await this.context.read('SELECT FROM app_releases WHERE project_id = $1 LIMIT 1', [projectId]);
    return rows.length > 0;
  }

  /**
   * Returns the releases that are not retired, by hand or by their age.
   * @param version returns those with this version, retired or not; null for all
   */
  liveReleases(projectId: string, version: string | null = null): Promise<LiveRelease[]> {
    return this.context.read(
      `SELECT CASE WHEN r.ios_app_id IS NULL THEN 'android' ELSE 'ios' END AS platform, coalesce(r.ios_app_id, r.android_app_id) AS "appId",
         r.version, r.hosts, r.paths, coalesce(r.bundle_id, r.package_name) AS identifier, coalesce(r.sha_fingerprints, '{}') AS fingerprints
       FROM app_releases r JOIN projects p ON p.id = r.project_id
       WHERE r.project_id = $1 AND (r.version = $2 OR $2 IS NULL AND NOT r.retired
         AND (p.retire_releases_after_days IS NULL OR r.created_at > now() - p.retire_releases_after_days * interval '1 day'))
       ORDER BY r.created_at, r.id`,
      [projectId, version],
    );
  }

  /** Returns the links from which the paths of apps are derived; none if they are too many for that. */
  async links(projectId: string): Promise<readonly LinkOwnership[]> {
    return toLinkOwnerships(await this.context.read<LinkOwnership>(ownedPathsSql, [projectId])) ?? [];
  }

  /** Returns what the project serves now; nothing if it is deleted. */
  async served(projectId: string): Promise<Served> {
    const [row] = await this.context.read<{
      subdomain: string;
      customDomain: string | null;
      subdomains: string[];
      domains: string[];
      apps: ServedApp[];
    }>(
      `SELECT subdomain, (SELECT hostname FROM custom_domains WHERE project_id = p.id AND active) AS "customDomain",
         ARRAY (SELECT name FROM subdomains WHERE project_id = p.id ORDER BY name) AS subdomains,
         ARRAY (SELECT hostname FROM custom_domains WHERE project_id = p.id AND verified_at IS NOT NULL ORDER BY hostname) AS domains,
         (SELECT coalesce(json_agg(app), '[]') FROM (
           SELECT 'ios' AS platform, id, bundle_id AS identifier, team_id AS "teamId", '{}'::text[] AS fingerprints, paths
           FROM ios_apps WHERE project_id = p.id
           UNION ALL
           SELECT 'android', id, package_name, NULL, sha_fingerprints, paths FROM android_apps WHERE project_id = p.id
         ) AS app) AS apps
       FROM projects p WHERE id = $1 AND deleted_at IS NULL`,
      [projectId],
    );
    if (!row) return { hosts: [], linkHost: null, apps: [] };
    const underLinkDomain = row.subdomains.map((subdomain) => this.hosts.hostnameOf({ subdomain, customDomain: null }));
    return { hosts: [...row.domains, ...underLinkDomain], linkHost: this.hosts.hostnameOf(row), apps: row.apps };
  }
}
