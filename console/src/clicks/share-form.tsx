import { Group, PasswordInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { CreatedShare } from 'signpost-client';
import { useState } from 'react';
import { answerOf, api } from '../api/client';
import { errorsAtFields } from '../api/errors-at-fields';
import { projectQuery, tagsQuery } from '../api/queries';
import { ActionButton } from '../components/action-button';
import { dialogMutation } from '../components/closing';
import { FormError } from '../components/form-error';
import { PendingFields } from '../components/pending-fields';
import { useCreationKey } from '../components/use-creation-key';
import { useI18n } from '../i18n/i18n';
import { endOfDay, lastDayOf, type ShareEnd, shareEnds } from './share-end';
import { shareMutation } from './share-mutation';

/** The choice of the whole project. Ids of tags are longer. */
const all = '';

/** Creates a share. Without a change, it ends on the next Friday and shows what the page shows. */
export function ShareForm({
  projectId,
  linkId,
  tag,
  timezone,
  onCreated,
}: {
  projectId: string;
  linkId: string | null;
  tag: string | null;
  timezone: string;
  onCreated: (share: CreatedShare) => void;
}) {
  const i18n = useI18n();
  const { t, locale } = i18n;
  const project = useQuery(projectQuery(projectId)).data?.value;
  const tags = useQuery({ ...tagsQuery(projectId), enabled: linkId === null }).data?.data ?? [];
  const creationKey = useCreationKey();
  const [openedAt] = useState(Date.now);
  const form = useForm({
    initialValues: { name: '', content: null as string | null, end: 'friday' as ShareEnd, day: '', password: '' },
  });
  const { name, content, end, day, password } = form.values;
  const proposed = tags.find((one) => one.name === tag)?.id ?? all;
  const chosen = content ?? proposed;
  const lastDay = end === 'own' ? day : lastDayOf(end, timezone, openedAt);
  const expiresAt = endOfDay(lastDay, timezone);
  const labels = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
  const labelOf = (one: ShareEnd): string =>
    one === 'own'
      ? t('shares.end.own')
      : t(`shares.end.${one}`, { day: labels.format(new Date(lastDayOf(one, timezone, openedAt))) });
  const create = useMutation({
    mutationKey: shareMutation,
    ...dialogMutation,
    mutationFn: async (): Promise<CreatedShare> => {
      const body = {
        name: name.trim() || (project?.name ?? t('shares.title')),
        ...(linkId !== null && { dynamic_link_id: linkId }),
        ...(linkId === null && chosen !== all && { tag_id: chosen }),
        timezone,
        expires_at: expiresAt ?? '',
        ...(password !== '' && { password }),
      };
      const header = { 'Idempotency-Key': creationKey.of(body) };
      const { data } = await answerOf(
        api.POST('/projects/{projectId}/shares', { params: { path: { projectId }, header }, body }),
      );
      return data;
    },
    onSuccess: (share) => {
      creationKey.forget();
      form.reset();
      onCreated(share);
    },
  });
  const errors = errorsAtFields(create.error, i18n);
  return (
    <form onSubmit={form.onSubmit(() => create.mutate())}>
      <PendingFields isPending={create.isPending}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="sm">
            <Select
              label={t('shares.end')}
              data={shareEnds.map((value) => ({ value, label: labelOf(value) }))}
              value={end}
              onChange={(value) => form.setFieldValue('end', value!)}
              allowDeselect={false}
              error={end === 'own' ? undefined : errors['expires_at']}
            />
            {end === 'own' && (
              <TextInput
                type="date"
                label={t('shares.lastDay')}
                error={errors['expires_at'] ?? (create.isError && expiresAt === null ? t('shares.noDay') : undefined)}
                {...form.getInputProps('day')}
              />
            )}
            {linkId === null && (
              <Select
                label={t('shares.content')}
                data={[
                  { value: all, label: t('shares.ofProject') },
                  ...tags.map(({ id, name: label }) => ({ value: id, label: t('shares.tagged', { name: label }) })),
                ]}
                value={chosen}
                onChange={(value) => form.setFieldValue('content', value)}
                searchable
                allowDeselect={false}
                limit={50}
                error={errors['tag_id']}
              />
            )}
            <TextInput
              label={t('shares.name')}
              description={t('shares.nameHint')}
              placeholder={project?.name ?? ''}
              maxLength={100}
              {...form.getInputProps('name')}
              error={errors['name']}
            />
            <PasswordInput
              label={t('shares.password')}
              description={t('shares.passwordHint')}
              autoComplete="new-password"
              maxLength={200}
              {...form.getInputProps('password')}
              error={errors['password']}
            />
          </SimpleGrid>
          <FormError error={create.error} fields={['name', 'tag_id', 'expires_at', 'password']} />
          <Group>
            <ActionButton
              operation="createShare"
              type="submit"
              loading={create.isPending}
              disabled={expiresAt === null}
            >
              {t('shares.create')}
            </ActionButton>
          </Group>
        </Stack>
      </PendingFields>
    </form>
  );
}
