import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { RevealedWebhook, Webhook } from 'signpost-client';
import { answerOf, api } from '../../api/client';
import { ActionButton } from '../../components/action-button';
import type { Confirmation } from '../../components/confirm';
import { showError } from '../../components/show-error';
import { useI18n } from '../../i18n/i18n';

/** Shows the actions on one webhook. */
export function WebhookActions({
  webhook,
  onEdit,
  onShow,
  onRevealed,
  onDeleted,
  ask,
}: {
  webhook: Webhook;
  onEdit: () => void;
  onShow: () => void;
  onRevealed: (webhook: RevealedWebhook) => void;
  onDeleted: () => void;
  ask: (confirmation: Confirmation) => void;
}) {
  const { t } = useI18n();
  const path = { webhookId: webhook.id };
  const test = useMutation({
    // Each attempt is a request to the endpoint.
    retry: false,
    mutationFn: async () => (await answerOf(api.POST('/account/webhooks/{webhookId}/test', { params: { path } }))).data,
    onError: (error) => showError(t('webhooks.testFailed'), error),
    onSuccess: ({ delivered, status, failure, duration_ms }) =>
      notifications.show({
        color: delivered ? 'green' : 'red',
        title: t(delivered ? 'webhooks.testDelivered' : 'webhooks.testRefused'),
        message: t('webhooks.testAnswer', { answer: status ?? failure ?? '', time: duration_ms ?? 0 }),
      }),
  });
  const rotate = (): void =>
    ask({
      title: t('webhooks.rotateTitle'),
      text: t('webhooks.rotateText'),
      action: t('webhooks.rotate'),
      isHarmless: true,
      run: async () => {
        const params = { path, header: { 'Idempotency-Key': crypto.randomUUID() } };
        onRevealed((await answerOf(api.POST('/account/webhooks/{webhookId}/rotate-secret', { params }))).data);
      },
    });
  const remove = (): void =>
    ask({
      title: t('webhooks.deleteTitle', { url: webhook.url }),
      text: t('webhooks.deleteText'),
      action: t('webhooks.delete'),
      run: async () => {
        await answerOf(api.DELETE('/account/webhooks/{webhookId}', { params: { path } }));
        onDeleted();
      },
    });
  return (
    <>
      <Button size="xs" variant="default" onClick={onShow}>
        {t('webhooks.deliveries')}
      </Button>
      <ActionButton size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {t('webhooks.test')}
      </ActionButton>
      <Button size="xs" variant="default" onClick={onEdit}>
        {t('webhooks.edit')}
      </Button>
      <Button size="xs" variant="default" onClick={rotate}>
        {t('webhooks.rotate')}
      </Button>
      <Button size="xs" variant="default" onClick={remove}>
        {t('webhooks.delete')}
      </Button>
    </>
  );
}
