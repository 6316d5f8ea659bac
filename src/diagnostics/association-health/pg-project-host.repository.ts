import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { ProjectHost } from './host-checks';

@Injectable()
export class PgProjectHostRepository {
  constructor(private readonly context: TransactionContext) {}

  hostsOf(projectId: string): Promise<ProjectHost[]> {
    return this.context.read<ProjectHost>(
      `WITH domains AS (SELECT * FROM custom_domains WHERE project_id = $1)
       SELECT CASE WHEN left_at IS NULL THEN 'subdomain' ELSE 'former_subdomain' END AS kind, name,
              left_at IS NULL AND NOT EXISTS (SELECT FROM domains WHERE active) AS current,
              true AS answers, NULL AS "recordMissingSince"
       FROM subdomains WHERE project_id = $1
       UNION ALL
       SELECT 'custom_domain', hostname, active, verified_at IS NOT NULL, record_missing_since FROM domains
       ORDER BY current DESC, kind DESC, name`,
      [projectId],
    );
  }
}
