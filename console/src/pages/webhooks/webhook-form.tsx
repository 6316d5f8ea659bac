import { Group, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { RevealedWebhook, Webhook } from 'signpost-client';
import { answerOf, api } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { projectsQuery } from '../../api/queries';
import { ActionButton } from '../../components/action-button';
import { changedFields } from '../../components/changed-fields';
import { dialogMutation } from '../../components/closing';
import { FormError } from '../../components/form-error';
import { PendingFields } from '../../components/pending-fields';
import { useCreationKey } from '../../components/use-creation-key';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { useI18n } from '../../i18n/i18n';

/** Names the mutation for the dialogs around the form. */
export const webhookMutation = ['saved-webhook'];

const suggestedTypes = [
  ...['link.*', 'short_link.*', 'domain.*', 'import.*', 'link.clicks_reached', 'link.opens_reached'],
  ...['link.claims_reached', 'domain.proof_lost', 'domain.association_failed', 'quota.reached', 'webhook.disabled'],
];

/** Creates a webhook, or changes one. Tags are set by the API or the command line. */
export function WebhookForm({
  webhook,
  onSaved,
}: {
  webhook: Webhook | null;
  onSaved: (created: RevealedWebhook | null) => void;
}) {
  const i18n = useI18n();
  const { t } = i18n;
  const projects = useQuery(projectsQuery());
  const creationKey = useCreationKey();
  const form = useForm({
    initialValues: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      project_id: webhook?.project_id ?? '',
      event_types: [...(webhook?.event_types ?? [])],
      per_link: webhook?.per_link ?? false,
      enabled: webhook?.enabled ?? true,
    },
  });
  useUnsavedChanges(changedFields(form.getInitialValues(), form.values).length > 0);
  const save = useMutation({
    mutationKey: webhookMutation,
    ...dialogMutation,
    mutationFn: async ({
      key,
      description,
      project_id,
      event_types,
      ...values
    }: typeof form.values & { key: string }): Promise<RevealedWebhook | null> => {
      if (webhook !== null) {
        const body = {
          ...values,
          description: description || null,
          project_id: project_id || null,
          event_types: event_types.length > 0 ? event_types : null,
        };
        await answerOf(api.PUT('/account/webhooks/{webhookId}', { params: { path: { webhookId: webhook.id } }, body }));
        return null;
      }
      const body = {
        ...values,
        ...(description && { description }),
        ...(project_id && { project_id }),
        ...(event_types.length > 0 && { event_types }),
      };
      return (await answerOf(api.POST('/account/webhooks', { params: { header: { 'Idempotency-Key': key } }, body })))
        .data;
    },
    onError: (error) => form.setErrors(errorsAtFields(error, i18n)),
    onSuccess: (created) => {
      creationKey.forget();
      onSaved(created);
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate({ ...values, key: creationKey.of(values) }))} noValidate>
      <Stack>
        <PendingFields isPending={save.isPending}>
          <TextInput
            {...form.getInputProps('url')}
            label={t('webhooks.url')}
            description={t('webhooks.urlHint')}
            required
            data-autofocus
          />
          <TextInput {...form.getInputProps('description')} label={t('webhooks.note')} />
          <Select
            {...form.getInputProps('project_id')}
            data={(projects.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            label={t('webhooks.project')}
            description={t('webhooks.projectHint')}
            searchable
            clearable
          />
          <TagsInput
            {...form.getInputProps('event_types')}
            data={suggestedTypes}
            label={t('webhooks.events')}
            description={t('webhooks.eventsHint')}
          />
          <Switch
            {...form.getInputProps('per_link', { type: 'checkbox' })}
            label={t('webhooks.perLink')}
            description={t('webhooks.perLinkHint')}
          />
          <Switch {...form.getInputProps('enabled', { type: 'checkbox' })} label={t('webhooks.enabled')} />
        </PendingFields>
        <FormError error={save.error} fields={['url', 'description', 'project_id', 'event_types']} />
        <Group justify="flex-end">
          <ActionButton type="submit" loading={save.isPending}>
            {webhook === null ? t('webhooks.create') : t('form.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
