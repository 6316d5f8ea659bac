import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { ActionButton } from '../../components/action-button';
import { closing, dialogMutation } from '../../components/closing';
import { FormError } from '../../components/form-error';
import { PendingFields } from '../../components/pending-fields';
import { useAskToClose } from '../../components/use-ask-to-close';
import { useCreationKey } from '../../components/use-creation-key';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { useAbortOnUnmount } from '../../components/use-abort-on-unmount';
import { useI18n } from '../../i18n/i18n';
import { proposedSubdomain } from './proposed-subdomain';

const fields = ['name', 'subdomain'];
const mutationKey = ['new-project'];

export function NewProject({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useI18n();
  const isPending = useIsMutating({ mutationKey }) > 0;
  const askToClose = useAskToClose(onClose);
  return (
    <Modal opened={opened} onClose={askToClose} title={t('projects.new')} centered {...closing(isPending)}>
      <Form onCancel={askToClose} onCreated={onClose} />
    </Modal>
  );
}

function Form({ onCancel, onCreated }: { onCancel: () => void; onCreated: () => void }) {
  const i18n = useI18n();
  const { t } = i18n;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isSubdomainTyped, setSubdomainTyped] = useState(false);
  const form = useForm({ initialValues: { name: '', subdomain: '' } });
  useUnsavedChanges(form.values.name !== '' || form.values.subdomain !== '');
  const creationKey = useCreationKey();
  const abortOnUnmount = useAbortOnUnmount();
  const create = useMutation({
    mutationKey,
    ...dialogMutation,
    mutationFn: ({ body, key }: { body: typeof form.values; key: string }) =>
      answerOf(api.POST('/projects', { body, params: { header: { 'Idempotency-Key': key } } })),
    onMutate: abortOnUnmount,
    onError: (error) => form.setErrors(errorsAtFields(error, i18n)),
    onSuccess: async ({ data }, _, left) => {
      creationKey.forget();
      await client.invalidateQueries({ queryKey: ['projects'] });
      void client.invalidateQueries({ queryKey: ['account'] });
      if (left.aborted) return;
      onCreated();
      await navigate({ to: '/projects/$projectId/links', params: { projectId: data.id }, ignoreBlocker: true });
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate({ body: values, key: creationKey.of(values) }))}>
      <Stack>
        <PendingFields isPending={create.isPending}>
          <TextInput
            {...form.getInputProps('name')}
            label={t('projects.name')}
            data-autofocus
            required
            onChange={(event) => {
              const name = event.currentTarget.value;
              form.setFieldValue('name', name);
              if (!isSubdomainTyped) form.setFieldValue('subdomain', proposedSubdomain(name));
            }}
          />
          <TextInput
            {...form.getInputProps('subdomain')}
            label={t('projects.subdomain')}
            description={t('projects.subdomainHint')}
            required
            onChange={(event) => {
              setSubdomainTyped(true);
              form.setFieldValue('subdomain', event.currentTarget.value);
            }}
          />
        </PendingFields>
        <FormError error={create.error} fields={fields} />
        <Group justify="flex-end">
          <Button variant="default" disabled={create.isPending} onClick={onCancel}>
            {t('confirm.cancel')}
          </Button>
          <ActionButton type="submit" loading={create.isPending}>
            {t('projects.create')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
