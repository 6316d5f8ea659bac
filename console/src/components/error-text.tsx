import { Text } from '@mantine/core';
import { ApiError } from '../api/api-error';
import { useI18n } from '../i18n/i18n';
import { refusalText } from '../i18n/refusal-text';

/** Explains a failed request in the reader's language, with its number for support. */
export function ErrorText({ error }: { error: Error }) {
  const i18n = useI18n();
  if (!(error instanceof ApiError)) return <Text>{error.message}</Text>;
  return (
    <>
      <Text>{refusalText(error, i18n)}</Text>
      {error.requestId !== null && (
        <Text size="sm" c="dimmed">
          {i18n.t('fault.requestId')} <span className="mono">{error.requestId}</span>
        </Text>
      )}
    </>
  );
}
