import { Alert } from '@mantine/core';
import type { CreatedApiKey } from 'signpost-client';
import { Copyable } from '../../components/copyable';
import { useI18n } from '../../i18n/i18n';

/** Shows the text of a new key. An answer that was sent again has no text, because the service does not store it. */
export function CreatedKey({ apiKey: { key, name }, onClose }: { apiKey: CreatedApiKey; onClose: () => void }) {
  const { t } = useI18n();
  if (key === null)
    return (
      <Alert
        color="yellow"
        title={t('keys.lost', { name })}
        withCloseButton
        onClose={onClose}
        closeButtonLabel={t('dialog.close')}
      >
        {t('keys.lostText', { name })}
      </Alert>
    );
  return (
    <Alert
      color="brand"
      title={t('keys.once', { name })}
      withCloseButton
      onClose={onClose}
      closeButtonLabel={t('keys.close')}
    >
      <Copyable value={key} name={`${t('signIn.key')} ${name}`} />
    </Alert>
  );
}
