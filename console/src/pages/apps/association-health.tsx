import { Alert, Badge, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import type { components } from 'signpost-client';
import { ActionButton } from '../../components/action-button';
import { ErrorText } from '../../components/error-text';
import { IconCircleCheck } from '../../components/icons';
import { QueryView } from '../../components/query-view';
import { RowTable } from '../../components/row-table';
import { Snippet } from '../../components/snippet';
import { useI18n } from '../../i18n/i18n';
import { ProblemList } from './problem-list';
import { useAssociationHealth } from './use-association-health';

type Health = components['schemas']['AssociationHealth'];

/** Returns what is known of a host. Without a probe, the service knows only whether the host belongs to the project. */
function hostState(isOfProject: boolean, probed: Health['hosts'][number]['probed']) {
  if (!isOfProject) return 'unverified';
  if (probed === null) return 'unchecked';
  return probed.some(({ status }) => status !== null) ? 'answers' : 'silent';
}

/** Shows whether phones will open links in the apps, and the lines that developers paste into them. */
export function AssociationHealth({
  projectId,
  appNames,
}: {
  projectId: string;
  /** Names of the project's apps by id. */
  appNames: ReadonlyMap<string, string>;
}) {
  const { t } = useI18n();
  const { health, probe, probed } = useAssociationHealth(projectId);
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <div>
          <Title order={2}>{t('health.title')}</Title>
          <Text size="sm" c="dimmed">
            {t('health.lead')}
          </Text>
        </div>
        <ActionButton variant="default" loading={probe.isPending} onClick={() => probe.mutate()}>
          {t('health.probe')}
        </ActionButton>
      </Group>
      {probe.error && (
        <Alert color="red">
          <ErrorText error={probe.error} />
        </Alert>
      )}
      <QueryView query={health} height={240}>
        {(data) => <Findings health={probed ?? data} appNames={appNames} />}
      </QueryView>
    </Stack>
  );
}

function Findings({ health, appNames }: { health: Health; appNames: ReadonlyMap<string, string> }) {
  const { t, counted, dateTime } = useI18n();
  const linesOf = (platform: 'ios' | 'android') => health.checks.filter((check) => check.platform === platform);
  return (
    <>
      {health.healthy && (
        <Alert
          color="brand"
          icon={<IconCircleCheck size={20} aria-hidden />}
          title={
            health.problems_total === 0 ? t('health.healthy') : counted('health.onlyWarnings', health.problems_total)
          }
        >
          {health.probed_at !== null && t('health.probedAt', { time: dateTime(health.probed_at) })}
        </Alert>
      )}
      {health.problems.length > 0 && (
        <Paper className="card" p="md">
          <ProblemList problems={health.problems} appNames={appNames} />
        </Paper>
      )}
      <Paper className="card">
        <RowTable
          label={t('health.hosts')}
          heads={[t('health.host'), t('health.kind'), t('health.state')]}
          rows={health.hosts.map(({ host, kind, current, answers, probed }) => ({
            key: host,
            cells: [
              <span className="mono">{host}</span>,
              t(`health.kind.${kind}`),
              <Group gap={4}>
                {current && (
                  <Badge variant="light" tt="none">
                    {t('health.current')}
                  </Badge>
                )}
                <Badge variant="default" tt="none">
                  {t(`health.state.${hostState(answers, probed)}`)}
                </Badge>
                {probed?.map(({ platform, status }) => (
                  <Badge key={platform} variant="default" tt="none">
                    {platform === 'ios' ? 'iOS' : 'Android'} {status ?? t('health.noAnswer')}
                  </Badge>
                ))}
              </Group>,
            ],
          }))}
        />
      </Paper>
      {health.checks.length > 0 && (
        <Paper className="card" p="md">
          <Title order={2} mb="sm">
            {t('health.paste')}
          </Title>
          <Tabs defaultValue={linesOf('ios').length > 0 ? 'ios' : 'android'} keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="ios">Xcode</Tabs.Tab>
              <Tabs.Tab value="android">Android</Tabs.Tab>
            </Tabs.List>
            {(['ios', 'android'] as const).map((platform) => (
              <Tabs.Panel key={platform} value={platform} pt="md">
                <Stack>
                  {linesOf(platform).length === 0 && <Text c="dimmed">{t('health.noLines')}</Text>}
                  {linesOf(platform).some(({ example }) => example) && (
                    <Alert color="yellow">{t('health.exampleLines')}</Alert>
                  )}
                  {linesOf(platform).map(({ code, text, example }, at) => (
                    <Snippet
                      key={at}
                      label={
                        example
                          ? t('health.example', { purpose: t(`health.purpose.${code}`) })
                          : t(`health.purpose.${code}`)
                      }
                      text={text}
                    />
                  ))}
                </Stack>
              </Tabs.Panel>
            ))}
          </Tabs>
        </Paper>
      )}
    </>
  );
}
