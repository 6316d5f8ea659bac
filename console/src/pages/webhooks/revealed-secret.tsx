import { Alert } from '@mantine/core';
import type { RevealedWebhook } from 'signpost-client';
import { Copyable } from '../../components/copyable';
import { useI18n } from '../../i18n/i18n';

/** Shows the secret of a new webhook. An answer that was sent again has no secret. */
export function RevealedSecret({ webhook, onClose }: { webhook: RevealedWebhook; onClose: () => void }) {
  const { t } = useI18n();
  const { secret, url } = webhook;
  return (
    <Alert
      color={secret === null ? 'yellow' : 'brand'}
      title={t(secret === null ? 'webhooks.lost' : 'webhooks.once', { url })}
      withCloseButton
      onClose={onClose}
      closeButtonLabel={t('dialog.close')}
    >
      {secret === null ? t('webhooks.lostText') : <Copyable value={secret} name={t('webhooks.secret')} />}
    </Alert>
  );
}
