import { Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ApiKey, CreatedApiKey } from 'signpost-client';
import { answerOf, api } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { ActionButton } from '../../components/action-button';
import { dialogMutation } from '../../components/closing';
import { FormError } from '../../components/form-error';
import { PendingFields } from '../../components/pending-fields';
import { useCreationKey } from '../../components/use-creation-key';
import { useI18n } from '../../i18n/i18n';

/** Names the mutation for the dialogs around the form. */
export const keyMutation = ['saved-api-key'];

/** Creates a key, or renames one. The expiry of a key never changes. */
export function KeyForm({
  apiKey,
  onSaved,
}: {
  apiKey: ApiKey | null;
  onSaved: (created: CreatedApiKey | null) => void;
}) {
  const i18n = useI18n();
  const { t } = i18n;
  const form = useForm({ initialValues: { name: apiKey?.name ?? '', expires_at: '' } });
  const creationKey = useCreationKey();
  const save = useMutation({
    mutationKey: keyMutation,
    ...dialogMutation,
    mutationFn: async ({
      name,
      expires_at,
      key,
    }: typeof form.values & { key: string }): Promise<CreatedApiKey | null> => {
      if (apiKey !== null) {
        const path = { apiKeyId: apiKey.id };
        // Without If-Match: each use of the key changes its tag, and its name is all that can be edited.
        await answerOf(api.PUT('/account/api-keys/{apiKeyId}', { params: { path }, body: { name } }));
        return null;
      }
      const expiry = expires_at === '' ? {} : { expires_at: new Date(`${expires_at}T23:59:59`).toISOString() };
      const header = { 'Idempotency-Key': key };
      return (await answerOf(api.POST('/account/api-keys', { params: { header }, body: { name, ...expiry } }))).data;
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
            <TextInput
              {...form.getInputProps('expires_at')}
              type="date"
              max="9999-12-31"
              label={t('keys.expires')}
              description={t('keys.expiresHint')}
            />
          )}
        </PendingFields>
        <FormError error={save.error} fields={['name', 'expires_at']} />
        <Group justify="flex-end">
          <ActionButton type="submit" loading={save.isPending}>
            {apiKey === null ? t('keys.create') : t('form.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
