import { ApiSchema } from '@nestjs/swagger';
import { answer, choiceAnswer, textAnswer } from '../../api-kit/kit/answer';
import { dataOf } from '../../api-kit/openapi/envelopes';
import { versionOfThis } from '../../shared/package-root';
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

@ApiSchema({ name: 'ServiceHealth' })
export class ServiceHealthDto extends answer({
  version: textAnswer('Version of the process that answers. Replicas can have others during an upgrade.', '1.4.0'),
  status: choiceAnswer(
    ['ready', 'starting', 'unready', 'draining'] as const,
    'Whether the process can serve requests.',
    'ready',
  ),
  dependencies: { type: [ServiceDependencyDto], description: 'Empty while the process stops.' },
}) {
  static of({ status, checks }: Report): ServiceHealthDto {
    const known = dependencyNames.flatMap((name) => {
      const state = checks?.[name];
      return state === undefined ? [] : [{ name, state, healthy: good.has(state), runbook: runbooks[name] }];
    });
    return { version: versionOfThis(), status: status as ServiceHealthDto['status'], dependencies: known };
  }
}

export class ServiceHealthResponse extends dataOf(ServiceHealthDto) {}
