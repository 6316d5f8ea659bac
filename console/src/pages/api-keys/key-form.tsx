import { Group, MultiSelect, NumberInput, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ApiKey, CreatedApiKey } from 'signpost-client';
import { answerOf, api } from '../../api/client';
import { projectsQuery } from '../../api/queries';
import { errorsAtFields } from '../../api/errors-at-fields';
import { ActionButton } from '../../components/action-button';
import { changedFields } from '../../components/changed-fields';
import { dialogMutation } from '../../components/closing';
import { FormError } from '../../components/form-error';
import { PendingFields } from '../../components/pending-fields';
import { useCreationKey } from '../../components/use-creation-key';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { useI18n } from '../../i18n/i18n';

/** Names the mutation for the dialogs around the form. */
export const keyMutation = ['saved-api-key'];

const scopes = [
  'projects:read',
  'projects:write',
  'links:read',
  'links:write',
  'links:create',
  'apps:read',
  'apps:write',
  'domains:read',
  'domains:write',
  'imports:read',
  'imports:write',
  'analytics:read',
  'webhooks:read',
  'webhooks:write',
  'conversions:write',
] as const;

/** The scopes that a publishable key may have; the first one by default. */
const publishableScopes: (typeof scopes)[number][] = ['links:create', 'conversions:write'];

const orNull = <T,>(items: readonly T[]): T[] | null => (items.length === 0 ? null : [...items]);

/** Returns the chosen scopes that the key may have. The key can become publishable after their choice. */
const scopesOf = (chosen: readonly string[], publishable: boolean) =>
  (publishable ? publishableScopes : scopes).filter((scope) => chosen.includes(scope));

/** Creates a key, or changes its name and limits. The expiry of a key never changes. */
export function KeyForm({
  apiKey,
  onSaved,
}: {
  apiKey: ApiKey | null;
  onSaved: (created: CreatedApiKey | null) => void;
}) {
  const i18n = useI18n();
  const { t } = i18n;
  const projects = useQuery(projectsQuery());
  const form = useForm({
    initialValues: {
      name: apiKey?.name ?? '',
      expires_at: '',
      scopes: [...(apiKey?.scopes ?? [])],
      project_ids: [...(apiKey?.project_ids ?? [])],
      allowed_networks: [...(apiKey?.allowed_networks ?? [])],
      destination_hosts: [...(apiKey?.destination_hosts ?? [])],
      publishable: apiKey?.publishable ?? false,
      allowed_origins: [...(apiKey?.allowed_origins ?? [])],
      links_per_day: apiKey?.links_per_day ?? '',
    },
  });
  useUnsavedChanges(changedFields(form.getInitialValues(), form.values).length > 0);
  const creationKey = useCreationKey();
  const save = useMutation({
    mutationKey: keyMutation,
    ...dialogMutation,
    mutationFn: async ({
      name,
      expires_at,
      key,
      publishable,
      ...lists
    }: typeof form.values & { key: string }): Promise<CreatedApiKey | null> => {
      const limits = {
        scopes: orNull(scopesOf(lists.scopes, publishable)) ?? (publishable ? [publishableScopes[0]!] : null),
        project_ids: orNull(lists.project_ids),
        allowed_networks: orNull(lists.allowed_networks),
        destination_hosts: orNull(lists.destination_hosts),
        ...(publishable && {
          allowed_origins: orNull(lists.allowed_origins),
          links_per_day: lists.links_per_day === '' ? null : Number(lists.links_per_day),
        }),
      };
      if (apiKey !== null) {
        const path = { apiKeyId: apiKey.id };
        // Without If-Match: each use of the key changes its tag, and the last change of its limits counts.
        await answerOf(api.PUT('/account/api-keys/{apiKeyId}', { params: { path }, body: { name, ...limits } }));
        return null;
      }
      const chosen = Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== null));
      const set = publishable ? { ...chosen, publishable } : chosen;
      const expiry = expires_at === '' ? {} : { expires_at: new Date(`${expires_at}T23:59:59`).toISOString() };
      const header = { 'Idempotency-Key': key };
      return (await answerOf(api.POST('/account/api-keys', { params: { header }, body: { name, ...set, ...expiry } })))
        .data;
    },
    onError: (error) => form.setErrors(errorsAtFields(error, i18n)),
    onSuccess: (created) => {
      creationKey.forget();
      onSaved(created);
    },
  });
  const submit = (values: typeof form.values): void => {
    // The value of a date that is incomplete or impossible is empty, like that of a key that never expires.
    const expiry = form.getInputNode<HTMLInputElement, 'expires_at'>('expires_at');
    if (expiry?.validity.valid === false) {
      form.setErrors({ expires_at: t('keys.expiresInvalid') });
      return expiry.focus();
    }
    save.mutate({ ...values, key: creationKey.of(values) });
  };
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack>
        <PendingFields isPending={save.isPending}>
          <TextInput
            {...form.getInputProps('name')}
            label={t('keys.name')}
            description={t('keys.nameHint')}
            required
            data-autofocus
          />
          {apiKey === null && (
            <Switch
              {...form.getInputProps('publishable', { type: 'checkbox' })}
              label={t('keys.publishable')}
              description={t('keys.publishableHint')}
            />
          )}
          {form.values.publishable && (
            <>
              <TagsInput
                {...form.getInputProps('allowed_origins')}
                label={t('keys.origins')}
                description={t('keys.originsHint')}
              />
              <NumberInput
                {...form.getInputProps('links_per_day')}
                label={t('keys.linksPerDay')}
                description={t('keys.linksPerDayHint')}
                min={1}
                allowDecimal={false}
              />
            </>
          )}
          <MultiSelect
            {...form.getInputProps('scopes')}
            value={scopesOf(form.values.scopes, form.values.publishable)}
            data={form.values.publishable ? publishableScopes : scopes}
            label={t('keys.scopes')}
            description={t(form.values.publishable ? 'keys.publishableScopesHint' : 'keys.scopesHint')}
            clearable
          />
          <MultiSelect
            {...form.getInputProps('project_ids')}
            data={(projects.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            label={t('keys.projects')}
            description={t('keys.projectsHint')}
            searchable
            clearable
          />
          <TagsInput
            {...form.getInputProps('allowed_networks')}
            label={t('keys.networks')}
            description={t('keys.networksHint')}
          />
          <TagsInput
            {...form.getInputProps('destination_hosts')}
            label={t('keys.hosts')}
            description={t('keys.hostsHint')}
          />
          {apiKey === null && (
            <TextInput
              {...form.getInputProps('expires_at')}
              type="date"
              max="9999-12-31"
              label={t('keys.expires')}
              description={t('keys.expiresHint')}
            />
          )}
        </PendingFields>
        <FormError
          error={save.error}
          fields={[
            'name',
            'scopes',
            'project_ids',
            'allowed_networks',
            'destination_hosts',
            'allowed_origins',
            'links_per_day',
            'expires_at',
          ]}
        />
        <Group justify="flex-end">
          <ActionButton type="submit" loading={save.isPending}>
            {apiKey === null ? t('keys.create') : t('form.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
