import { Injectable } from '@nestjs/common';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import { meantPathsSql } from '../../link-paths/paths/meant-path';
import { openHostColumns, type OpenHostFacts } from '../../link-paths/paths/open-host';
import {
  type LinkOwnerships,
  type LinkOwnership,
  ownedPathsSql,
  toLinkOwnerships,
} from '../../link-paths/association-files/owned-paths';
import { toWebPaths, type WebPath, type WebPaths, webPathsSql } from '../../link-paths/association-files/web-paths';
import { TransactionContext } from '../../platform/postgres/transaction-context';

/** Reads what decides the open host, the paths of the apps and the meant path of a project (docs/decisions/0020-read-models.md). */
@Injectable()
export class PgAssociationFactsRepository {
  constructor(private readonly context: TransactionContext) {}

  async openHostFactsOf(projectId: string): Promise<OpenHostFacts> {
    const [row] = await this.context.read<{ open_domain: string | null; open_label_taken: boolean }>(
      `SELECT ${openHostColumns} FROM projects p WHERE p.id = $1`,
      [projectId],
    );
    return { openDomain: row?.open_domain ?? null, openLabelTaken: row?.open_label_taken ?? false };
  }

  /** Returns the first of the paths that leads to a link; null if none does. */
  async meantPathOf(projectId: string, paths: readonly LinkPath[]): Promise<{ path: LinkPath; linkId: string } | null> {
    const [row] = await this.context.read<{ path: LinkPath; linkId: string }>(
      `SELECT path, dynamic_link_id AS "linkId" FROM (${meantPathsSql}) meant JOIN link_paths USING (path)
       WHERE project_id = $4`,
      [paths.map(() => 0), paths.map(() => projectId), paths, projectId],
    );
    return row ?? null;
  }

  /** Returns the paths of a project with the apps of their links; null if they are too many to derive anything from. */
  async webPathsOf(projectId: string): Promise<WebPaths> {
    return toWebPaths(await this.context.read<WebPath>(webPathsSql, [projectId]));
  }

  async ownedPathsOf(projectId: string): Promise<LinkOwnerships> {
    return toLinkOwnerships(await this.context.read<LinkOwnership>(ownedPathsSql, [projectId]));
  }
}
