import { Injectable } from '@nestjs/common';
import type { LinkPath } from '../../links/link-paths/custom-path';
import { meantPathsSql } from '../../links/link-paths/meant-path';
import { openHostColumns, type OpenHostFacts } from '../../links/link-paths/open-host';
import {
  type LinkOwnerships,
  type LinkOwnership,
  ownedPathsSql,
  toLinkOwnerships,
} from '../../links/association-files/owned-paths';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { AssociationFactsRepository } from './association-facts.repository';

@Injectable()
export class PgAssociationFactsRepository extends AssociationFactsRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async openHostFactsOf(projectId: string): Promise<OpenHostFacts> {
    const [row] = await this.context.read<{ open_domain: string | null; open_label_taken: boolean }>(
      `SELECT ${openHostColumns} FROM projects p WHERE p.id = $1`,
      [projectId],
    );
    return { openDomain: row?.open_domain ?? null, openLabelTaken: row?.open_label_taken ?? false };
  }

  async meantPathOf(projectId: string, paths: readonly LinkPath[]): Promise<{ path: LinkPath; linkId: string } | null> {
    const [row] = await this.context.read<{ path: LinkPath; linkId: string }>(
      `SELECT path, dynamic_link_id AS "linkId" FROM (${meantPathsSql}) meant JOIN link_paths USING (path)
       WHERE project_id = $4`,
      [paths.map(() => 0), paths.map(() => projectId), paths, projectId],
    );
    return row ?? null;
  }

  async ownedPathsOf(projectId: string): Promise<LinkOwnerships> {
    return toLinkOwnerships(await this.context.read<LinkOwnership>(ownedPathsSql, [projectId]));
  }
}
