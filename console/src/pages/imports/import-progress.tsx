import { Group, Paper, Progress, Stack, Text } from '@mantine/core';
import type { Import } from 'signpost-client';
import { type I18n, useI18n } from '../../i18n/i18n';

/** Screen readers hear the progress in steps, so that they can read the page meanwhile. */
const saidStep = 0.25;

/** Shows how far the upload, the dry run or the run is. */
export function ImportProgress({ job }: { job: Import }) {
  const i18n = useI18n();
  const { t, counted, number, percent } = i18n;
  const { rows, processed, remaining_seconds: seconds } = job;
  const state = job.state as 'uploading' | 'checking' | 'running';
  const share = job.progress ?? 0;
  const said = Math.floor(share / saidStep) * saidStep;
  return (
    <Paper className="card" p="lg">
      <Stack gap="xs">
        <Text>{t(`imports.progress.${state}`)}</Text>
        <Progress.Root size="lg">
          <Progress.Section
            value={state === 'uploading' ? 100 : share * 100}
            animated={state === 'uploading'}
            aria-label={t('imports.progress')}
          />
        </Progress.Root>
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {state === 'checking' && counted('imports.progress.checked', processed)}
            {state === 'running' && t('imports.progress.of', { done: number(processed), rows: number(rows) })}
          </Text>
          <Text size="sm" c="dimmed">
            {seconds !== null && remainingText(seconds, i18n)}
          </Text>
        </Group>
        <span className="visually-hidden" role="status">
          {t('imports.progress.said', { state: t(`imports.state.${state}`), percent: percent(said) })}
        </span>
      </Stack>
    </Paper>
  );
}

function remainingText(seconds: number, { t, counted }: I18n): string {
  if (seconds < 60) return t('imports.remaining.seconds');
  const minutes = Math.round(seconds / 60);
  return minutes < 90
    ? counted('imports.remaining.minutes', minutes)
    : counted('imports.remaining.hours', Math.round(minutes / 60));
}
