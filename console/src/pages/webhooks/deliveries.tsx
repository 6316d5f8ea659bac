import { Button, Code, Group, Modal, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Webhook, WebhookDelivery } from 'signpost-client';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { deliveriesQuery, deliveryQuery } from '../../api/webhook-queries';
import { EmptyState } from '../../components/empty-state';
import { IconWebhook } from '../../components/icons';
import { PagedTable } from '../../components/paged-table';
import { QueryView } from '../../components/query-view';
import { showError } from '../../components/show-error';
import { useI18n } from '../../i18n/i18n';

const states = ['waiting', 'delivered', 'failed'] as const;

/** Lists what was sent to a webhook, with the answers, and sends events again. */
export function Deliveries({ webhook: { id: webhookId, url } }: { webhook: Webhook }) {
  const { t, counted, dateTime } = useI18n();
  const client = useQueryClient();
  const [state, setState] = useState<WebhookDelivery['state'] | null>(null);
  const [page, setPage] = useState(1);
  const [shown, setShown] = useState<WebhookDelivery | null>(null);
  const deliveries = useQuery(deliveriesQuery(webhookId, state, page));
  const redeliver = useMutation({
    mutationFn: (deliveryId: string) =>
      answerOf(
        api.POST('/account/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', {
          params: { path: { webhookId, deliveryId } },
        }),
      ),
    onError: (error) => showError(t('webhooks.redeliverFailed'), error),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhook-deliveries', webhookId] }),
  });
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <Title order={2} size="h4" className="break">
          {t('webhooks.sentTo', { url })}
        </Title>
        <NativeSelect
          label={t('webhooks.state')}
          value={state ?? ''}
          onChange={({ currentTarget }) => {
            setPage(1);
            setState(states.find((one) => one === currentTarget.value) ?? null);
          }}
          data={[
            { value: '', label: t('webhooks.allStates') },
            ...states.map((value) => ({ value, label: t(`webhooks.delivery.${value}`) })),
          ]}
        />
      </Group>
      <Modal opened={shown !== null} onClose={() => setShown(null)} title={shown?.type} size="lg" centered>
        {shown && <Delivery webhookId={webhookId} delivery={shown} />}
      </Modal>
      <PagedTable
        query={deliveries}
        label={t('webhooks.deliveries')}
        heads={[t('webhooks.event'), t('webhooks.state'), t('webhooks.answer'), t('webhooks.lastAttempt')]}
        empty={
          <EmptyState icon={IconWebhook} title={t('webhooks.noDeliveries')} text={t('webhooks.noDeliveriesText')} />
        }
        onPage={setPage}
        rowOf={(delivery) => ({
          cells: [
            <>
              <Text fw={600} className="mono">
                {delivery.type}
              </Text>
              <Text size="sm">{delivery.event_id}</Text>
            </>,
            <>
              {t(`webhooks.delivery.${delivery.state}`)}
              {delivery.attempts > 1 && ` (${counted('webhooks.attempts', delivery.attempts)})`}
            </>,
            <>
              {delivery.status ?? delivery.failure ?? '–'}
              {delivery.duration_ms !== null && ` · ${delivery.duration_ms} ms`}
            </>,
            delivery.last_attempt_at === null ? '–' : dateTime(delivery.last_attempt_at),
          ],
          actions: (
            <>
              <Button size="xs" variant="default" onClick={() => setShown(delivery)}>
                {t('webhooks.details')}
              </Button>
              <Button
                size="xs"
                variant="default"
                loading={redeliver.isPending && redeliver.variables === delivery.id}
                onClick={() => redeliver.mutate(delivery.id)}
              >
                {t('webhooks.redeliver')}
              </Button>
            </>
          ),
        })}
      />
    </Stack>
  );
}

function Delivery({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const { t } = useI18n();
  const query = useQuery(deliveryQuery(webhookId, delivery.id));
  return (
    <QueryView query={query}>
      {({ event, answer, webhook_message_id }) => (
        <Stack>
          <Text size="sm" className="break">
            webhook-id: {webhook_message_id}
          </Text>
          <Text fw={600}>{t('webhooks.request')}</Text>
          <Code block>{event === null ? t('webhooks.noRequest') : JSON.stringify(event, null, 2)}</Code>
          <Text fw={600}>{t('webhooks.answer')}</Text>
          <Code block>{answer || '–'}</Code>
        </Stack>
      )}
    </QueryView>
  );
}
