import { Alert, Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RevealedWebhook, Webhook } from 'signpost-client';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { webhooksQuery } from '../../api/webhook-queries';
import { closing } from '../../components/closing';
import { Confirm, type Confirmation } from '../../components/confirm';
import { EmptyState } from '../../components/empty-state';
import { IconPlus, IconWebhook } from '../../components/icons';
import { PageHead } from '../../components/page-head';
import { PagedTable } from '../../components/paged-table';
import { useAskToClose } from '../../components/use-ask-to-close';
import { useI18n } from '../../i18n/i18n';
import { Deliveries } from './deliveries';
import { RevealedSecret } from './revealed-secret';
import { WebhookActions } from './webhook-actions';
import { WebhookForm, webhookMutation } from './webhook-form';

const stateOf = ({ enabled, disabled_at, failing_since }: Webhook) =>
  disabled_at !== null ? 'stopped' : !enabled ? 'off' : failing_since !== null ? 'failing' : 'works';

const colors = { stopped: 'red', failing: 'orange', off: 'gray', works: 'green' };

/** Lists webhooks with what was sent to them. */
export function WebhooksPage() {
  const { t, dateTime } = useI18n();
  const client = useQueryClient();
  const [page, setPage] = useState(1);
  const [edited, setEdited] = useState<Webhook | 'new' | null>(null);
  const [shownId, setShownId] = useState<string | null>(null);
  // Each secret stays until its reader closes it, because its text is nowhere else.
  const [revealed, setRevealed] = useState<RevealedWebhook[]>([]);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const askToClose = useAskToClose(() => setEdited(null));
  const isSaving = useIsMutating({ mutationKey: webhookMutation }) > 0;
  const webhooks = useQuery(webhooksQuery(page));
  const reload = (): Promise<unknown> => client.invalidateQueries({ queryKey: ['webhooks'] });
  const reveal = (webhook: RevealedWebhook): void => {
    setRevealed((before) => [...before.filter(({ id }) => id !== webhook.id), webhook]);
    void reload();
  };
  const items = webhooks.data?.data ?? [];
  const shown = items.find(({ id }) => id === shownId);
  const enable = async ({ id }: Webhook): Promise<void> => {
    await answerOf(
      api.PUT('/account/webhooks/{webhookId}', { params: { path: { webhookId: id } }, body: { enabled: true } }),
    );
    await reload();
  };
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.webhooks')} lead={t('webhooks.lead')} />
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      {items
        .filter((webhook) => ['stopped', 'failing'].includes(stateOf(webhook)))
        .map((webhook) => (
          <Alert
            key={webhook.id}
            color={colors[stateOf(webhook)]}
            title={t(webhook.disabled_at === null ? 'webhooks.isFailing' : 'webhooks.isStopped', { url: webhook.url })}
          >
            <Stack gap="xs" align="flex-start">
              {webhook.disabled_at === null
                ? t('webhooks.failingText', { time: dateTime(webhook.failing_since!) })
                : t('webhooks.stoppedText', { time: dateTime(webhook.disabled_at) })}
              {webhook.disabled_at !== null && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() =>
                    setConfirmation({
                      title: t('webhooks.enableTitle'),
                      text: t('webhooks.enableText'),
                      action: t('webhooks.enable'),
                      isHarmless: true,
                      run: () => enable(webhook),
                    })
                  }
                >
                  {t('webhooks.enable')}
                </Button>
              )}
            </Stack>
          </Alert>
        ))}
      {webhooks.isSuccess && (
        <Group>
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited('new')}>
            {t('webhooks.create')}
          </Button>
        </Group>
      )}
      <Modal
        opened={edited !== null}
        onClose={askToClose}
        title={t(edited === 'new' ? 'webhooks.create' : 'webhooks.edit')}
        centered
        {...closing(isSaving)}
      >
        {edited !== null && (
          <WebhookForm
            webhook={edited === 'new' ? null : edited}
            onSaved={(created) => {
              setEdited(null);
              if (created === null) void reload();
              else reveal(created);
            }}
          />
        )}
      </Modal>
      {revealed.map((webhook) => (
        <RevealedSecret
          key={webhook.id}
          webhook={webhook}
          onClose={() => setRevealed((before) => before.filter(({ id }) => id !== webhook.id))}
        />
      ))}
      <PagedTable
        query={webhooks}
        label={t('nav.webhooks')}
        heads={[t('webhooks.url'), t('webhooks.events'), t('webhooks.state')]}
        empty={<EmptyState icon={IconWebhook} title={t('webhooks.emptyTitle')} text={t('webhooks.emptyText')} />}
        onPage={setPage}
        rowOf={(webhook) => ({
          cells: [
            <>
              <Text fw={600} className="break">
                {webhook.url}
              </Text>
              {webhook.description !== null && <Text size="sm">{webhook.description}</Text>}
            </>,
            webhook.event_types === null ? (
              t('webhooks.allEvents')
            ) : (
              <span className="mono">{webhook.event_types.join(', ')}</span>
            ),
            <Badge color={colors[stateOf(webhook)]} variant="light" tt="none">
              {t(`webhooks.state.${stateOf(webhook)}`)}
            </Badge>,
          ],
          actions: (
            <WebhookActions
              webhook={webhook}
              onEdit={() => setEdited(webhook)}
              onShow={() => setShownId(webhook.id)}
              onRevealed={reveal}
              onDeleted={() => void reload()}
              ask={setConfirmation}
            />
          ),
        })}
      />
      {shown && <Deliveries key={shown.id} webhook={shown} />}
    </Stack>
  );
}
