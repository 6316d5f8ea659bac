import { Text } from '@mantine/core';
import { ApiError } from '../api/api-error';
import { type I18n, useI18n } from '../i18n/i18n';
import type { MessageKey } from '../i18n/text';

/** Explains a failed request in the reader's language where the reason matters, and otherwise in the words of the service. */
export function ErrorText({ error }: { error: Error }) {
  const i18n = useI18n();
  if (!(error instanceof ApiError)) return <Text>{error.message}</Text>;
  return (
    <>
      <Text>{explained(error, i18n)}</Text>
      {error.requestId !== null && (
        <Text size="sm" c="dimmed">
          {i18n.t('fault.requestId')} <span className="mono">{error.requestId}</span>
        </Text>
      )}
    </>
  );
}

function explained({ code, details, message }: ApiError, { t, counted, number }: I18n): string {
  if (details !== undefined && 'expected_count' in details)
    return counted('fault.countMismatch', details.actual_count, { expected: number(details.expected_count) });
  const key = explanations[code];
  return key ? t(key) : message;
}

/** Codes whose message of the service speaks to programs. */
const explanations: Partial<Record<ApiError['code'], MessageKey>> = {
  OFFLINE: 'connection.offline',
  NO_TOKEN: 'fault.noToken',
  NOT_FOUND: 'fault.notFound',
  PRECONDITION_FAILED: 'conflict.title',
  AUTH_REQUIRED: 'fault.personOnly',
};
