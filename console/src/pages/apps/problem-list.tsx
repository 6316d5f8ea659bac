import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleX } from '../../components/icons';
import { useI18n } from '../../i18n/i18n';
import { findingOf } from './findings';
import type { AssociationProblem } from './platform';

/** Lists problems with their remedies. */
export function ProblemList({
  problems,
  appNames,
}: {
  problems: readonly AssociationProblem[];
  /** Names of the project's apps by id. */
  appNames: ReadonlyMap<string, string>;
}) {
  if (problems.length === 0) return null;
  return (
    <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
      {problems.map((problem, at) => (
        <ProblemItem key={at} problem={problem} app={appNames.get(problem.app_id ?? '')} />
      ))}
    </Stack>
  );
}

function ProblemItem({ problem, app }: { problem: AssociationProblem; app: string | undefined }) {
  const { t } = useI18n();
  const isError = problem.severity === 'error';
  const { message, remedy, facts } = findingOf(problem, app, t);
  const Icon = isError ? IconCircleX : IconAlertTriangle;
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm">
      <Icon
        size={20}
        aria-label={t(isError ? 'health.error' : 'health.warning')}
        color={isError ? 'var(--mantine-color-error)' : 'var(--mantine-color-yellow-7)'}
        style={{ flexShrink: 0 }}
      />
      <div>
        <Text fw={600}>{message}</Text>
        {facts !== null && (
          <Text size="sm" c="dimmed" lang="en">
            {facts}
          </Text>
        )}
        <Text size="sm">{remedy}</Text>
        <Anchor size="sm" href={problem.rule} target="_blank" rel="noreferrer">
          {t('health.rule')}
        </Anchor>
      </div>
    </Group>
  );
}
