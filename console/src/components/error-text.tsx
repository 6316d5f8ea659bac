import { Text } from '@mantine/core';
import { ApiError } from '../api/api-error';
import { useI18n } from '../i18n/i18n';
import type { MessageKey, Parameters } from '../i18n/text';

/** Explains a failed request in the reader's language where the reason matters, and otherwise in the words of the service. */
export function ErrorText({ error }: { error: Error }) {
  const { t } = useI18n();
  if (!(error instanceof ApiError)) return <Text>{error.message}</Text>;
  const key = explanations[error.code];
  return (
    <>
      <Text>{key ? t(key, numbersOf(error)) : error.message}</Text>
      {error.requestId !== null && (
        <Text size="sm" c="dimmed">
          {t('fault.requestId')} <span className="mono">{error.requestId}</span>
        </Text>
      )}
    </>
  );
}

/** Returns the numbers that the explanation of a code names. */
const numbersOf = ({ details }: ApiError): Parameters | undefined =>
  details !== undefined && 'expected_count' in details
    ? { expected: details.expected_count, actual: details.actual_count }
    : undefined;

/** Codes whose message of the service speaks to programs. */
const explanations: Partial<Record<ApiError['code'], MessageKey>> = {
  OFFLINE: 'connection.offline',
  NOT_FOUND: 'fault.notFound',
  PRECONDITION_FAILED: 'conflict.title',
  AUTH_REQUIRED: 'fault.personOnly',
  COUNT_MISMATCH: 'fault.countMismatch',
};
