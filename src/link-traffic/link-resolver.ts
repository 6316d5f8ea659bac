import { Pool } from 'pg';
import { poolOptions } from '../database/connection';
import type { VisitedLink } from './visited-link';

interface LinkRow {
  id: string;
  name: string;
  desktop_url: string | null;
  ios_fallback_url: string | null;
  android_fallback_url: string | null;
  social_title: string | null;
  social_description: string | null;
  referrer_params: [string, string][] | null;
}

/**
 * Finds links for visitors: one named statement on connections of its own, so that the management API and link traffic do
 * not wait for each other.
 */
export class LinkResolver {
  readonly #pool: Pool;

  constructor(databaseUrl: string, poolSize: number, onError: (error: Error) => void) {
    this.#pool = new Pool(poolOptions(databaseUrl, { max: poolSize, name: 'link traffic' }));
    this.#pool.on('error', onError);
  }

  /** Null where no project has the subdomain, or none of its links the path. */
  async find(subdomain: string, path: string): Promise<VisitedLink | null> {
    const { rows } = await this.#pool.query<LinkRow>({
      name: 'find-visited-link',
      text: `SELECT link.id, link.name, link.desktop_url, link.ios_fallback_url, link.android_fallback_url,
                    link.social_title, link.social_description, link.referrer_params
             FROM projects project
             JOIN link_paths taken ON taken.project_id = project.id AND taken.path = $2
             JOIN dynamic_links link ON link.project_id = project.id AND link.id = taken.dynamic_link_id
             WHERE project.subdomain = $1 AND project.deleted_at IS NULL`,
      values: [subdomain, path],
    });
    const row = rows[0];
    return row
      ? {
          id: row.id,
          name: row.name,
          desktopUrl: row.desktop_url,
          iosFallbackUrl: row.ios_fallback_url,
          androidFallbackUrl: row.android_fallback_url,
          socialTitle: row.social_title,
          socialDescription: row.social_description,
          referrerParams: row.referrer_params,
        }
      : null;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
