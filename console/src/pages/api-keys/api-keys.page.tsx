import { Button, Group, Modal, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiKey, CreatedApiKey } from 'signpost-client';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { accountQuery, apiKeysQuery } from '../../api/queries';
import { closing } from '../../components/closing';
import { Confirm, type Confirmation } from '../../components/confirm';
import { EmptyState } from '../../components/empty-state';
import { IconKey, IconPlus } from '../../components/icons';
import { PageHead } from '../../components/page-head';
import { PagedTable } from '../../components/paged-table';
import { Snippet } from '../../components/snippet';
import { useAskToClose } from '../../components/use-ask-to-close';
import { useI18n } from '../../i18n/i18n';
import { useSession } from '../../session/use-session';
import { CreatedKey } from './created-key';
import { KeyForm, keyMutation } from './key-form';

/** Lists API keys. Only people who signed in at the identity provider may manage them. */
export function ApiKeysPage() {
  const { t } = useI18n();
  const isPerson = useSession().kind === 'person';
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.apiKeys')} lead={t('keys.lead')} />
      {isPerson ? (
        <Keys />
      ) : (
        <Paper className="card">
          <EmptyState icon={IconKey} title={t('keys.personTitle')} text={t('keys.personText')}>
            <KeyCommands />
          </EmptyState>
        </Paper>
      )}
    </Stack>
  );
}

/** The program of the operator, by installation. */
const programs = {
  npm: 'npm run --silent admin --',
  Docker: 'docker compose exec signpost node dist/admin.js',
  Kubernetes: 'kubectl exec deploy/signpost-all -- node dist/admin.js',
};

/** Shows the command that creates a key of this account, for each installation. */
function KeyCommands() {
  const { data: account } = useQuery(accountQuery);
  return (
    <Stack gap="xs" maw="100%">
      {Object.entries(programs).map(([installation, program]) => (
        <Snippet
          key={installation}
          label={installation}
          text={`${program} key create --account ${account?.id ?? 'ID'} --name NAME`}
        />
      ))}
    </Stack>
  );
}

function Keys() {
  const { t, date, dateTime } = useI18n();
  const client = useQueryClient();
  const [page, setPage] = useState(1);
  const [isAdding, adding] = useDisclosure();
  const [renamed, setRenamed] = useState<ApiKey | null>(null);
  // Each key stays until its reader closes it, because its text is nowhere else.
  const [created, setCreated] = useState<CreatedApiKey[]>([]);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const askToClose = useAskToClose(() => {
    adding.close();
    setRenamed(null);
  });
  const isSaving = useIsMutating({ mutationKey: keyMutation }) > 0;
  const keys = useQuery(apiKeysQuery(page));
  const limitsOf = ({ publishable, scopes, project_ids, allowed_networks, destination_hosts }: ApiKey): string[] => [
    ...(publishable ? [t('keys.publishable')] : (scopes ?? [])),
    ...(project_ids ? [t('keys.projects')] : []),
    ...(allowed_networks ?? []),
    ...(destination_hosts ?? []),
  ];
  const reload = (): Promise<unknown> => {
    void client.invalidateQueries({ queryKey: ['account'] });
    return client.invalidateQueries({ queryKey: ['api-keys'] });
  };
  const revoke = ({ id, name }: ApiKey): void =>
    setConfirmation({
      title: t('keys.revokeTitle', { name }),
      text: t('keys.revokeText'),
      action: t('keys.revoke'),
      run: async () => {
        await answerOf(api.DELETE('/account/api-keys/{apiKeyId}', { params: { path: { apiKeyId: id } } }));
        await reload();
      },
    });
  const rotate = ({ id, name }: ApiKey): void =>
    setConfirmation({
      title: t('keys.rotateTitle', { name }),
      text: t('keys.rotateText'),
      action: t('keys.rotate'),
      isHarmless: true,
      run: async () => {
        const header = { 'Idempotency-Key': crypto.randomUUID() };
        const params = { path: { apiKeyId: id }, header };
        const { data } = await answerOf(api.POST('/account/api-keys/{apiKeyId}/rotate', { params, body: {} }));
        setCreated((before) => [...before, data]);
        await reload();
      },
    });
  return (
    <Stack>
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      <Group>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={adding.open}>
          {t('keys.create')}
        </Button>
      </Group>
      <Modal opened={isAdding} onClose={askToClose} title={t('keys.create')} centered {...closing(isSaving)}>
        <KeyForm
          apiKey={null}
          onSaved={(key) => {
            adding.close();
            if (key !== null) setCreated((before) => [...before, key]);
            void reload();
          }}
        />
      </Modal>
      <Modal opened={renamed !== null} onClose={askToClose} title={t('keys.edit')} centered {...closing(isSaving)}>
        {renamed && (
          <KeyForm
            apiKey={renamed}
            onSaved={() => {
              setRenamed((now) => (now === renamed ? null : now));
              void reload();
            }}
          />
        )}
      </Modal>
      {created.map((key) => (
        <CreatedKey
          key={key.id}
          apiKey={key}
          onClose={() => setCreated((before) => before.filter(({ id }) => id !== key.id))}
        />
      ))}
      <PagedTable
        query={keys}
        label={t('nav.apiKeys')}
        heads={[t('keys.name'), t('keys.prefix'), t('keys.limits'), t('keys.lastUse'), t('keys.expires')]}
        empty={<EmptyState icon={IconKey} title={t('keys.emptyTitle')} text={t('keys.emptyText')} />}
        onPage={setPage}
        rowOf={(key) => ({
          cells: [
            <Text fw={600}>{key.name}</Text>,
            <span className="mono">{key.prefix}…</span>,
            limitsOf(key).join(', ') || t('keys.noLimits'),
            key.last_used_at === null ? t('keys.never') : dateTime(key.last_used_at),
            key.expires_at === null ? t('keys.noExpiry') : date(key.expires_at),
          ],
          actions: (
            <>
              <Button size="xs" variant="default" onClick={() => setRenamed(key)}>
                {t('keys.edit')}
              </Button>
              <Button size="xs" variant="default" onClick={() => rotate(key)}>
                {t('keys.rotate')}
              </Button>
              <Button size="xs" variant="default" onClick={() => revoke(key)}>
                {t('keys.revoke')}
              </Button>
            </>
          ),
        })}
      />
    </Stack>
  );
}
