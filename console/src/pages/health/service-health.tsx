import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { serviceHealthQuery } from '../../api/queries';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';
import { Runbook } from './runbook';
import { StateBadge } from './state-badge';

/** Shows what the process that answers depends on. */
export function ServiceHealth() {
  const { t } = useI18n();
  const service = useQuery(serviceHealthQuery);
  return (
    <Stack gap="sm">
      <Title order={2}>{t('health.service')}</Title>
      <QueryView query={service} height={200}>
        {({ version, status, dependencies }) => (
          <Paper className="card">
            <Group p="md" gap="sm">
              <Text>{t('health.version', { version })}</Text>
              <StateBadge state={status === 'ready' ? 'good' : 'soon'} text={t(`health.status.${status}`)} />
            </Group>
            <Stack component="ul" gap="xs" p="md" pt={0} m={0} style={{ listStyle: 'none' }}>
              {dependencies.map(({ name, state, healthy, runbook }) => (
                <Group key={name} component="li" justify="space-between" gap="xs">
                  <Text fw={600}>{t(`health.dependency.${name}`)}</Text>
                  <Group gap="sm">
                    <StateBadge
                      state={!healthy ? 'bad' : state === 'unused' ? 'unknown' : 'good'}
                      text={t(`health.dependencyState.${state}`)}
                    />
                    <Runbook runbook={runbook} />
                  </Group>
                </Group>
              ))}
            </Stack>
          </Paper>
        )}
      </QueryView>
      <Text size="sm" c="dimmed">
        {t('health.serviceNote')}
      </Text>
      <Runbook runbook="docs/operating/alerts.md#first-steps-for-any-alert" />
    </Stack>
  );
}
