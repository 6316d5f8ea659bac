import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  choiceAnswer,
  countAnswer,
  flagAnswer,
  momentAnswer,
  nullableMomentAnswer,
  textAnswer,
} from '../../api-kit/kit/answer';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { versionOfThis } from '../../shared/package-root';
import { queueNames, type WorkState } from './pg-work-state';
import type { Checks, Report } from './health.service';

const dependencyNames = [
  'database',
  'migrations',
  'change_listener',
  'redis',
  'clickhouse',
  'replication',
] as const satisfies readonly (keyof Checks)[];

const states = ['up', 'down', 'unused', 'done', 'missing', 'unknown', 'current', 'behind'] as const;
const good: ReadonlySet<string> = new Set(['up', 'unused', 'done', 'current']);

/** The pages for operators by dependency, like those of the alerts. */
const runbooks: Record<keyof Checks, string> = {
  database: 'docs/operating/alerts-database.md#signpoststaleanswers',
  migrations: 'docs/operating/upgrade.md#without-helm',
  change_listener: 'docs/operating/alerts-database.md#signpostchangelistenerdown',
  redis: 'docs/operating/alerts-dependencies.md#signpostratelimitstoredown',
  clickhouse: 'docs/operating/alerts-dependencies.md#signpostclickhousedown',
  replication: 'docs/operating/alerts-database.md#signpostregionbehind',
};

@ApiSchema({ name: 'ServiceDependency' })
class ServiceDependencyDto extends answer({
  name: choiceAnswer(dependencyNames, 'What the process depends on.', 'database'),
  state: choiceAnswer(states, 'Its state, as `GET /health/ready` reports it.', 'up'),
  healthy: { type: 'boolean', description: 'Whether nobody needs to act.', example: true },
  runbook: textAnswer('The page of the documentation that says what to do.', runbooks.database),
}) {}

@ApiSchema({ name: 'ServiceReplica' })
class ServiceReplicaDto extends answer({
  version: textAnswer('Version of the process.', '1.4.0'),
  connected_at: momentAnswer('The time since which it gets notifications of the database.', '2026-06-01T09:30:00.000Z'),
}) {}

@ApiSchema({ name: 'ServiceRegion' })
class ServiceRegionDto extends answer({
  name: textAnswer('Name of the region.', 'sydney'),
  heartbeat_at: momentAnswer('The time at which its service last had contact.', '2026-06-01T09:30:00.000Z'),
  healthy: flagAnswer('Whether it had contact in the last minute.', true),
  runbook: textAnswer('The page of the documentation that says what to do.', runbooks.replication),
}) {}

const queueRunbooks = {
  imports: 'docs/operating/alerts-database.md#signpostimportsfailing',
  webhook_deliveries: 'docs/operating/alerts-dependencies.md#signpostwebhooksfailing',
  domain_checks: 'docs/operating/alerts-dependencies.md#signpostcustomdomainsunverified',
} as const;

@ApiSchema({ name: 'ServiceQueue' })
class ServiceQueueDto extends answer({
  name: choiceAnswer(
    queueNames,
    'Parts of imports, events for webhooks, or checks of the DNS records of custom domains.',
    'imports',
  ),
  waiting: countAnswer('Number of jobs that are due, and that no process has taken. At most 1,000 are counted.', 0),
  waiting_since: nullableMomentAnswer('The time since which the oldest of them waits. Null without one.', null),
  failed: countAnswer(
    'Imports and deliveries that failed in the last 24 hours, and domains that fail now. At most 1,000 are counted.',
    0,
  ),
  healthy: flagAnswer('Whether nothing failed, and nothing waits for more than an hour.', true),
  runbook: textAnswer('The page of the documentation that says what to do.', queueRunbooks.imports),
}) {}

/** The alerts of webhooks have the same limit. */
const maxWaitMs = 60 * 60_000;
const maxSilenceMs = 60_000;

@ApiSchema({ name: 'ServiceHealth' })
export class ServiceHealthDto extends answer({
  version: textAnswer('Version of the process that answers. Replicas can have others during an upgrade.', '1.4.0'),
  status: choiceAnswer(
    ['ready', 'starting', 'unready', 'draining'] as const,
    'Whether the process can serve requests.',
    'ready',
  ),
  dependencies: { type: [ServiceDependencyDto], description: 'Empty while the process stops.' },
  replicas: {
    type: [ServiceReplicaDto],
    description: 'Processes that get notifications of the database: those of the API and of link traffic, at most 100.',
  },
  regions: { type: [ServiceRegionDto], description: 'Regions that follow the database. Empty without regions.' },
  queues: {
    type: [ServiceQueueDto],
    nullable: true,
    description:
      'The work for the account. Null for callers who may not read the audit log, because it is of all projects.',
  },
}) {
  static of({ status, checks }: Report, { now, replicas, regions, queues }: WorkState): ServiceHealthDto {
    const known = dependencyNames.flatMap((name) => {
      const state = checks?.[name];
      return state === undefined ? [] : [{ name, state, healthy: good.has(state), runbook: runbooks[name] }];
    });
    return {
      version: versionOfThis(),
      status: status as ServiceHealthDto['status'],
      dependencies: known,
      replicas: replicas.map((replica) => ServiceReplicaDto.render(replica)),
      regions: regions.map((region) => {
        const healthy = now.getTime() - region.heartbeatAt.getTime() < maxSilenceMs;
        return ServiceRegionDto.render(region, { healthy, runbook: runbooks.replication });
      }),
      queues:
        queues?.map((queue) => {
          const waited = queue.waitingSince === null ? 0 : now.getTime() - queue.waitingSince.getTime();
          const healthy = queue.failed === 0 && waited < maxWaitMs;
          return ServiceQueueDto.render(queue, { healthy, runbook: queueRunbooks[queue.name] });
        }) ?? null,
    };
  }
}

export class ServiceHealthResponse extends dataOf(ServiceHealthDto) {}
