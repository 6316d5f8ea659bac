import { Text } from '@mantine/core';
import { ErrorText } from '../../components/error-text';
import { useBytes } from '../../components/use-bytes';
import { useI18n } from '../../i18n/i18n';
import { byteQuotaOf } from './byte-quota';

/** Explains why a file was not stored. */
export function UploadError({ error }: { error: Error }) {
  const { t } = useI18n();
  const bytes = useBytes();
  const quota = byteQuotaOf(error);
  if (quota === null) return <ErrorText error={error} />;
  return <Text>{t('imports.quota', { limit: bytes(quota.limit), used: bytes(quota.used) })}</Text>;
}
