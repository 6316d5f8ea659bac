import { Alert, Button, Stack } from '@mantine/core';
import { useI18n } from '../i18n/i18n';
import { ErrorText } from './error-text';

/** Shows an error that stops a page, such as a script that did not load after an update of the service. */
export function PageFault({ error }: { error: unknown }) {
  const { t } = useI18n();
  return (
    <Alert color="red" title={t('fault.title')}>
      <Stack align="flex-start">
        <ErrorText error={error instanceof Error ? error : new Error(String(error))} />
        <Button variant="default" onClick={() => location.reload()}>
          {t('fault.reload')}
        </Button>
      </Stack>
    </Alert>
  );
}
