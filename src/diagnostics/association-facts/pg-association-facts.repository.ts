import { Injectable } from '@nestjs/common';
import { openHostColumns, type OpenHostFacts } from '../../management-api/link-paths/open-host';
import {
  type LinkOwnerships,
  type LinkOwnership,
  ownedPathsSql,
  toLinkOwnerships,
} from '../../management-api/mobile-apps/owned-paths';
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

  async ownedPathsOf(projectId: string): Promise<LinkOwnerships> {
    return toLinkOwnerships(await this.context.read<LinkOwnership>(ownedPathsSql, [projectId]));
  }
}
