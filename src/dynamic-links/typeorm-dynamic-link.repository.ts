import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { AndroidAppNotFound } from '../android-apps/android-app.errors';
import { translating } from '../database/database-error';
import { type ListOf, Rows } from '../database/rows';
import { Session } from '../database/session';
import { IosAppNotFound } from '../ios-apps/ios-app.errors';
import type { LinkPath } from '../link-paths/custom-path';
import { NotFound } from '../shared/domain-error';
import type { Page } from '../shared/page';
import {
  DynamicLink,
  type DynamicLinkChanges,
  type DynamicLinkSortKey,
  type DynamicLinkWithApps,
  type NewDynamicLink,
} from './dynamic-link';
import { CustomPathExists } from './dynamic-link.errors';
import { type DynamicLinkListRequest, DynamicLinkRepository } from './dynamic-link.repository';
import { DynamicLinkSchema } from './dynamic-link.schema';

/** The embedded summaries, in the same query. */
const apps = {
  columns: `CASE WHEN ios.id IS NOT NULL THEN
              json_build_object('id', ios.id, 'name', ios.name, 'bundle_id', ios.bundle_id) END AS "iosApp",
            CASE WHEN android.id IS NOT NULL THEN
              json_build_object('id', android.id, 'name', android.name, 'package_name', android.package_name) END AS "androidApp"`,
  joins: `LEFT JOIN ios_apps ios ON ios.project_id = t.project_id AND ios.id = t.ios_app_id
          LEFT JOIN android_apps android ON android.project_id = t.project_id AND android.id = t.android_app_id`,
};

const links: ListOf<DynamicLinkSortKey> = {
  owner: 'project_id',
  searched: ['name', 'custom_path'],
  sortColumns: {
    name: 'name COLLATE "C"',
    custom_path: 'custom_path',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
  extra: apps,
};

@Injectable()
export class TypeormDynamicLinkRepository extends DynamicLinkRepository {
  readonly #rows: Rows<DynamicLinkWithApps>;

  constructor(private readonly session: Session) {
    super();
    this.#rows = new Rows(session, DynamicLinkSchema);
  }

  private get table(): Repository<DynamicLink> {
    return this.session.manager.getRepository(DynamicLinkSchema);
  }

  async insert(fields: NewDynamicLink & { id: string; projectId: string; customPath: LinkPath }): Promise<DynamicLink> {
    const link = Object.assign(new DynamicLink(), { ...unset, ...fields });
    const refusals = { ...refusalsOf(fields.customPath), dynamic_links_project_fk: () => new NotFound('Project') };
    await translating(refusals, () => this.table.insert(link as object));
    return link;
  }

  find(projectId: string, id: string): Promise<DynamicLinkWithApps | null> {
    return this.#rows.find('t.project_id = $1 AND t.id = $2', [projectId, id], apps);
  }

  async findProjectOf(id: string): Promise<string | null> {
    const [row] = await this.session.manager.query<{ project_id: string }[]>(
      `SELECT link.project_id FROM dynamic_links link JOIN projects p ON p.id = link.project_id
       WHERE link.id = $1 AND p.deleted_at IS NULL`,
      [id],
    );
    return row?.project_id ?? null;
  }

  list(projectId: string, request: DynamicLinkListRequest): Promise<Page<DynamicLinkWithApps>> {
    return this.#rows.page(links, projectId, request, {
      filters: { ios_app_id: request.iosAppId, android_app_id: request.androidAppId },
      keptTotal: () => this.countAll(projectId),
    });
  }

  /** The kept count: counting the rows of a large project would take longer than reading a page of them. */
  private async countAll(projectId: string): Promise<number> {
    const [row] = await this.session.manager.query<{ count: string }[]>(
      'SELECT coalesce(sum(dynamic_links), 0) AS count FROM project_counts WHERE project_id = $1',
      [projectId],
    );
    return Number(row!.count);
  }

  async update(projectId: string, id: string, changes: DynamicLinkChanges): Promise<DynamicLink | null> {
    if (Object.keys(changes).length > 0)
      await translating(refusalsOf(String(changes.customPath)), () =>
        this.table.update({ projectId, id }, changes as object),
      );
    return this.find(projectId, id);
  }

  async delete(projectId: string, id: string): Promise<boolean> {
    const { affected } = await this.table.delete({ projectId, id });
    return affected === 1;
  }
}

const refusalsOf = (customPath: string) => ({
  link_paths_one_namespace: () => new CustomPathExists(customPath),
  dynamic_links_ios_app_fk: () => new IosAppNotFound(),
  dynamic_links_android_app_fk: () => new AndroidAppNotFound(),
});

const unset = {
  desktopUrl: null,
  iosAppId: null,
  androidAppId: null,
  iosFallbackUrl: null,
  androidFallbackUrl: null,
  iosDeferredDeepLink: false,
  socialTitle: null,
  socialDescription: null,
  socialImageUrl: null,
  referrerParams: null,
} satisfies Partial<DynamicLink>;
