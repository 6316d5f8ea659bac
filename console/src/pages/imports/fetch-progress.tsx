import { Paper, Progress, Stack, Text } from '@mantine/core';
import type { Import } from 'signpost-client';
import { useEffect, useState } from 'react';
import { useI18n } from '../../i18n/i18n';
import { saidCount } from './said-count';
import { useSourceName } from './use-source-name';

/** The time without a new link after which the page says that the other system may let the service wait. */
const quietMs = 15_000;

/** Shows how many links the service has read from another system. Their number is unknown before the end. */
export function FetchProgress({ job }: { job: Import }) {
  const { t, counted, number } = useI18n();
  const system = useSourceName()(job.source);
  const isQuiet = useIsQuiet(job.rows);
  return (
    <Paper className="card" p="lg">
      <Stack gap="xs">
        <Text>{t('imports.fetch.reading', { system })}</Text>
        <Progress.Root size="lg">
          {/* A bar without a value is one whose end is unknown. */}
          <Progress.Section
            value={100}
            animated
            withAria={false}
            role="progressbar"
            aria-label={t('imports.progress')}
          />
        </Progress.Root>
        <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {counted('imports.fetch.links', job.rows)}
        </Text>
        <Text size="sm" role="status">
          {isQuiet && t('imports.fetch.quiet', { system })}
        </Text>
        <span className="visually-hidden" role="status">
          {t('imports.fetch.said', { count: number(saidCount(job.rows)) })}
        </span>
      </Stack>
    </Paper>
  );
}

/** Returns whether a value has not changed for some time. */
function useIsQuiet(value: number): boolean {
  const [quietValue, setQuietValue] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setQuietValue(value), quietMs);
    return () => clearTimeout(timer);
  }, [value]);
  return quietValue === value;
}
