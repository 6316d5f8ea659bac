import { Alert, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { linksQuery } from '../../api/queries';
import { ActionButton } from '../../components/action-button';
import { ErrorText } from '../../components/error-text';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';
import { useAssociationHealth } from '../apps/use-association-health';
import { FailureList } from './failure-list';
import { HostCard } from './host-card';
import { ServiceHealth } from './service-health';

/** Shows to mobile engineers and people on call whether the hosts of a project, and the service, work. */
export function HealthPage() {
  const { t, dateTime } = useI18n();
  const { projectId } = useParams({ from: '/projects/$projectId/health' });
  const { health, probe, probed } = useAssociationHealth(projectId);
  const link = useQuery(linksQuery(projectId, { limit: 1 })).data?.data[0];
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.health')} lead={t('health.pageLead')}>
        <ActionButton loading={probe.isPending} onClick={() => probe.mutate()}>
          {t('health.probe')}
        </ActionButton>
      </PageHead>
      {probe.error && (
        <Alert color="red" role="alert">
          <ErrorText error={probe.error} />
        </Alert>
      )}
      <Stack gap="sm">
        <Title order={2}>{t('health.hosts')}</Title>
        <Text size="sm" c="dimmed" role="status">
          {probed ? t('health.probedAt', { time: dateTime(probed.probed_at!) }) : t('health.notProbed')}
        </Text>
        <QueryView query={health} height={240}>
          {(data) => {
            const { hosts, problems } = probed ?? data;
            return (
              <Stack gap="sm">
                {hosts.map((checked) => (
                  <HostCard
                    key={checked.host}
                    projectId={projectId}
                    checked={checked}
                    problems={problems}
                    link={link}
                  />
                ))}
              </Stack>
            );
          }}
        </QueryView>
      </Stack>
      <FailureList projectId={projectId} />
      <ServiceHealth />
    </Stack>
  );
}
