import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { serviceHealthQuery } from '../../api/queries';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';
import { HealthRow, HealthRows } from './health-rows';
import { countVersions } from './replica-versions';
import { Runbook } from './runbook';
import { StateBadge } from './state-badge';

/** Shows the service, what it depends on, and the work for the account. */
export function ServiceHealth() {
  const { t, number, dateTime } = useI18n();
  const service = useQuery(serviceHealthQuery);
  return (
    <Stack gap="sm">
      <Title order={2}>{t('health.service')}</Title>
      <QueryView query={service} height={200}>
        {({ version, status, dependencies, replicas, regions, queues }) => (
          <>
            <Paper className="card">
              <Group p="md" gap="sm">
                <Text>{t('health.version', { version })}</Text>
                <StateBadge state={status === 'ready' ? 'good' : 'soon'} text={t(`health.status.${status}`)} />
              </Group>
              <HealthRows>
                {dependencies.map(({ name, state, healthy, runbook }) => (
                  <HealthRow key={name} name={t(`health.dependency.${name}`)} runbook={healthy ? null : runbook}>
                    <StateBadge
                      state={!healthy ? 'bad' : state === 'unused' ? 'unknown' : 'good'}
                      text={t(`health.dependencyState.${state}`)}
                    />
                  </HealthRow>
                ))}
                {countVersions(replicas).map(([replicaVersion, count], _, { length }) => (
                  <HealthRow
                    key={replicaVersion}
                    name={t('health.replicas', { version: replicaVersion })}
                    runbook={length > 1 ? 'docs/operating/alerts-processes.md#signpostmixedversions' : null}
                  >
                    <StateBadge state={length > 1 ? 'soon' : 'good'} text={number(count)} />
                  </HealthRow>
                ))}
                {regions.map(({ name, heartbeat_at: at, healthy, runbook }) => (
                  <HealthRow key={name} name={t('health.region', { name })} runbook={healthy ? null : runbook}>
                    <StateBadge state={healthy ? 'good' : 'bad'} text={t('health.contact', { time: dateTime(at) })} />
                  </HealthRow>
                ))}
              </HealthRows>
            </Paper>
            <Title order={2}>{t('health.work')}</Title>
            {queues ? (
              <Paper className="card" pt="md">
                <HealthRows>
                  {queues.map((queue) => (
                    <HealthRow
                      key={queue.name}
                      name={t(`health.queue.${queue.name}`)}
                      runbook={queue.healthy ? null : queue.runbook}
                    >
                      <Text size="sm" c="dimmed">
                        {queue.waiting_since === null
                          ? t('health.nothingWaits')
                          : t('health.waiting', {
                              count: number(queue.waiting),
                              time: dateTime(queue.waiting_since),
                            })}
                      </Text>
                      <StateBadge
                        state={queue.healthy ? 'good' : queue.failed > 0 ? 'bad' : 'soon'}
                        text={
                          queue.failed > 0
                            ? t('health.failed', { count: number(queue.failed) })
                            : t('health.noneFailed')
                        }
                      />
                    </HealthRow>
                  ))}
                </HealthRows>
              </Paper>
            ) : (
              <Text c="dimmed">{t('health.workHidden')}</Text>
            )}
          </>
        )}
      </QueryView>
      <Text size="sm" c="dimmed">
        {t('health.serviceNote')}
      </Text>
      <Runbook runbook="docs/operating/alerts.md#first-steps-for-any-alert" />
    </Stack>
  );
}
