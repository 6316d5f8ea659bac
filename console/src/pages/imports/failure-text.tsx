import { Stack, Text } from '@mantine/core';
import type { Import } from 'signpost-client';
import { useI18n } from '../../i18n/i18n';
import { useSourceName } from './use-source-name';

/** Says why an import has failed: in the reader's language with a remedy, or in the words of the service. */
export function FailureText({ job }: { job: Import }) {
  const { t } = useI18n();
  const system = useSourceName()(job.source);
  const { failure_code: fault } = job;
  const said = <span lang="en">{job.failure}</span>;
  if (fault === null) return <Text>{said}</Text>;
  return (
    <Stack gap="xs">
      <Text>
        {t(`imports.failure.${fault}`, { system })} {job.predicted === null && t('imports.nothingCreated')}
      </Text>
      <Text>{t(`imports.remedy.${fault}`, { system })}</Text>
      <Text size="sm" c="dimmed">
        {t('imports.serviceSays')} {said}
      </Text>
    </Stack>
  );
}
