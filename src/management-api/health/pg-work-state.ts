import { Injectable } from '@nestjs/common';
import { listenerName } from '../../platform/change-notifications/change-listener';
import { TransactionContext } from '../../platform/postgres/transaction-context';

export const queueNames = ['imports', 'webhook_deliveries', 'domain_checks'] as const;

export interface WorkState {
  /** By the clock of the database. */
  now: Date;
  replicas: { version: string; connectedAt: Date }[];
  regions: { name: string; heartbeatAt: Date }[];
  /** Null if they were not asked for. */
  queues: { name: (typeof queueNames)[number]; waiting: number; waitingSince: Date | null; failed: number }[] | null;
}

/** Bounds each count, because an account can have many failures. */
const maxCounted = 1000;
const maxReplicas = 100;

/** Counts rows of a queue that wait, with the time since which each waits. */
const waitingOf = (rows: string): string =>
  `(SELECT count(*)::int AS waiting, min(since) AS "waitingSince" FROM (${rows} LIMIT ${maxCounted}) AS due)`;

const failedOf = (rows: string): string => `(SELECT count(*)::int AS failed FROM (${rows} LIMIT ${maxCounted}) AS bad)`;

const ofAccount = 'projects.account_id = $1 AND projects.deleted_at IS NULL';

const queuesSql = `
  SELECT 'imports' AS name, waiting.*, failed.* FROM ${waitingOf(
    `SELECT job.start_after AS since FROM import_jobs AS job JOIN imports ON imports.id = job.import_id
     JOIN projects ON projects.id = imports.project_id
     WHERE ${ofAccount} AND job.start_after <= now() AND (job.taken_until IS NULL OR job.taken_until < now()) ORDER BY since`,
  )} AS waiting, ${failedOf(
    `SELECT 1 FROM imports JOIN projects ON projects.id = imports.project_id
     WHERE ${ofAccount} AND imports.deleted_at IS NULL AND imports.state = 'failed' AND imports.finished_at > now() - interval '1 day'`,
  )} AS failed
  UNION ALL SELECT 'webhook_deliveries', waiting.*, failed.* FROM ${waitingOf(
    `SELECT delivery.created_at AS since FROM webhook_deliveries AS delivery JOIN webhook_endpoints ON webhook_endpoints.id = delivery.endpoint_id
     WHERE webhook_endpoints.account_id = $1 AND webhook_endpoints.enabled AND delivery.state = 'waiting' ORDER BY since`,
  )} AS waiting, ${failedOf(
    `SELECT 1 FROM webhook_deliveries AS delivery JOIN webhook_endpoints ON webhook_endpoints.id = delivery.endpoint_id
     WHERE webhook_endpoints.account_id = $1 AND delivery.state = 'failed' AND delivery.last_attempt_at > now() - interval '1 day'`,
  )} AS failed
  UNION ALL SELECT 'domain_checks', waiting.*, failed.* FROM ${waitingOf(
    `SELECT domain.next_check_at AS since FROM custom_domains AS domain JOIN projects ON projects.id = domain.project_id
     WHERE ${ofAccount} AND domain.next_check_at <= now() ORDER BY since`,
  )} AS waiting, ${failedOf(
    `SELECT 1 FROM custom_domains AS domain JOIN projects ON projects.id = domain.project_id
       LEFT JOIN association_checks ON association_checks.domain_id = domain.id
     WHERE ${ofAccount} AND domain.verified_at IS NOT NULL AND (domain.record_missing_since IS NOT NULL OR association_checks.is_failing)`,
  )} AS failed`;

/** Reads what the database knows of the processes, and of their work for an account. */
@Injectable()
export class PgWorkState {
  constructor(private readonly context: TransactionContext) {}

  /** @param accountId null to leave out the queues */
  async read(accountId: string | null): Promise<WorkState> {
    // One after the other, so that the request needs one connection.
    const now = new Date(await this.context.now());
    const replicas = await this.context.read<WorkState['replicas'][number]>(
      `SELECT substr(application_name, $2) AS version, backend_start AS "connectedAt" FROM pg_stat_activity
       WHERE datname = current_database() AND starts_with(application_name, $1) ORDER BY backend_start LIMIT ${maxReplicas}`,
      [`${listenerName} `, listenerName.length + 2],
    );
    const regions = await this.context.read<WorkState['regions'][number]>(
      'SELECT name, heartbeat_at AS "heartbeatAt" FROM regions ORDER BY code',
    );
    const queues =
      accountId === null
        ? null
        : await this.context.read<NonNullable<WorkState['queues']>[number]>(queuesSql, [accountId]);
    return { now, replicas, regions, queues };
  }
}
