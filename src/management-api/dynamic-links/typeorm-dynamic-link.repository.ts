import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import { AndroidAppNotFound } from '../android-apps/android-app.errors';
import { mapConstraintErrors } from '../../platform/postgres/database-error';
import { type ListOf, Rows } from '../../platform/postgres/rows';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { IosAppNotFound } from '../ios-apps/ios-app.errors';
import type { LinkPath } from '../link-paths/custom-path';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
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
const apps = `
  (SELECT json_build_object('id', app.id, 'name', app.name, 'bundle_id', app.bundle_id)
   FROM ios_apps app WHERE app.project_id = t.project_id AND app.id = t.ios_app_id) AS "iosApp",
  (SELECT json_build_object('id', app.id, 'name', app.name, 'package_name', app.package_name)
   FROM android_apps app WHERE app.project_id = t.project_id AND app.id = t.android_app_id) AS "androidApp"`;

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
  // Counting the rows of a large project would take longer than reading a page of them.
  keptTotal: 'SELECT coalesce(sum(dynamic_links), 0) AS count FROM project_counts WHERE project_id = $1',
};

const one = 't.project_id = $1 AND t.id = $2';

@Injectable()
export class TypeormDynamicLinkRepository extends DynamicLinkRepository {
  readonly #rows: Rows<DynamicLinkWithApps>;

  constructor(private readonly context: TransactionContext) {
    super();
    this.#rows = new Rows(context, DynamicLinkSchema);
  }

  private get table(): Repository<DynamicLink> {
    return this.context.manager.getRepository(DynamicLinkSchema);
  }

  async insert(fields: NewDynamicLink & { id: string; projectId: string; customPath: LinkPath }): Promise<DynamicLink> {
    const link = Object.assign(new DynamicLink(), { ...unset, ...fields });
    const refusals = { ...refusalsOf(fields.customPath), dynamic_links_project_fk: () => new NotFound('Project') };
    await mapConstraintErrors(refusals, () => this.table.insert(link as object));
    return link;
  }

  find(projectId: string, id: string): Promise<DynamicLinkWithApps | null> {
    return this.#rows.find(one, [projectId, id], apps);
  }

  findForUpdate(projectId: string, id: string): Promise<DynamicLinkWithApps | null> {
    return this.#rows.findForUpdate(one, [projectId, id], apps);
  }

  async findProjectOf(id: string): Promise<string | null> {
    const [row] = await this.context.read<{ project_id: string }>(
      `SELECT link.project_id FROM dynamic_links link JOIN projects p ON p.id = link.project_id
       WHERE link.id = $1 AND p.deleted_at IS NULL`,
      [id],
    );
    return row?.project_id ?? null;
  }

  list(projectId: string, request: DynamicLinkListRequest): Promise<Page<DynamicLinkWithApps>> {
    return this.#rows.page(links, projectId, request, {
      ios_app_id: request.iosAppId,
      android_app_id: request.androidAppId,
    });
  }

  async update(projectId: string, id: string, changes: DynamicLinkChanges): Promise<DynamicLink | null> {
    if (Object.keys(changes).length > 0)
      await mapConstraintErrors(refusalsOf(String(changes.customPath)), () =>
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
