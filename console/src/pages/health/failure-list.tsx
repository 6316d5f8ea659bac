import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { customDomainsQuery } from '../../api/queries';
import { importsQuery } from '../../api/import-queries';
import { webhooksQuery } from '../../api/webhook-queries';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';
import { useRefusal } from '../../session/use-refusal';
import { type Failure, failuresOf } from './failures';
import { Runbook } from './runbook';

const pages = {
  domain: '/projects/$projectId/domains',
  webhook: '/webhooks',
  import: '/projects/$projectId/imports/$importId',
} as const;

/** Lists what fails in the project, each with its page and its runbook. */
export function FailureList({ projectId }: { projectId: string }) {
  const { t } = useI18n();
  const domains = useQuery(customDomainsQuery(projectId));
  const areWebhooksHidden = useRefusal('listWebhooks') !== null;
  const webhooks = useQuery({ ...webhooksQuery(1), enabled: !areWebhooksHidden });
  const imports = useQuery(importsQuery(projectId));
  const isRead = domains.isSuccess && imports.isSuccess && (areWebhooksHidden || webhooks.isSuccess);
  const failures = failuresOf(
    { projectId, now: imports.dataUpdatedAt },
    domains.data?.data ?? [],
    webhooks.data?.data ?? [],
    imports.data?.data ?? [],
  );
  return (
    <Stack gap="sm">
      <Title order={2}>{t('health.failures')}</Title>
      {areWebhooksHidden && (
        <Text size="sm" c="dimmed">
          {t('health.webhooksHidden')}
        </Text>
      )}
      {/* A list that cannot be read shows its error, so that its failures are not missed. */}
      <QueryView query={domains}>{() => null}</QueryView>
      {!areWebhooksHidden && <QueryView query={webhooks}>{() => null}</QueryView>}
      <QueryView query={imports}>{() => null}</QueryView>
      {failures.length > 0 && <FailureItems projectId={projectId} failures={failures} />}
      {failures.length === 0 && isRead && (
        <Paper className="card" p="md">
          <Text c="dimmed">{t('health.noFailures')}</Text>
        </Paper>
      )}
    </Stack>
  );
}

function FailureItems({ projectId, failures }: { projectId: string; failures: Failure[] }) {
  const { t, dateTime } = useI18n();
  return (
    <Paper className="card" p="md">
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {failures.map(({ kind, id, name, at, runbook }) => (
          <Group key={id} component="li" justify="space-between" gap="xs">
            <div>
              <Text fw={600}>{t(`health.failure.${kind}`)}</Text>
              <Anchor
                className="break"
                renderRoot={(root: object) => <Link {...root} to={pages[kind]} params={{ projectId, importId: id }} />}
              >
                {name}
              </Anchor>
            </div>
            <Group gap="sm">
              <Text size="sm" c="dimmed">
                {t('health.since', { time: dateTime(at) })}
              </Text>
              <Runbook runbook={runbook} />
            </Group>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
