import { Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { Member } from 'signpost-client';
import { answerOf, api } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { ActionButton } from '../../components/action-button';
import { dialogMutation } from '../../components/closing';
import { FormError } from '../../components/form-error';
import { PendingFields } from '../../components/pending-fields';
import { useI18n } from '../../i18n/i18n';

/** Names the mutation for the dialogs around the form. */
export const memberMutation = ['saved-member'];

const roles = ['viewer', 'editor', 'admin', 'owner'] as const;

/** Invites a member, or changes the role of one. Roles in single projects are set by the API or the command line. */
export function MemberForm({ member, onSaved }: { member: Member | null; onSaved: () => void }) {
  const i18n = useI18n();
  const { t } = i18n;
  const form = useForm({ initialValues: { email: '', subject: '', role: member?.role ?? 'viewer' } });
  const save = useMutation({
    mutationKey: memberMutation,
    ...dialogMutation,
    mutationFn: async ({ email, subject, role }: typeof form.values): Promise<void> => {
      if (member !== null) {
        const path = { memberId: member.id };
        await answerOf(api.PUT('/account/members/{memberId}', { params: { path }, body: { role } }));
        return;
      }
      const body = { role, ...(email && { email }), ...(subject && { subject }) };
      await answerOf(api.POST('/account/members', { body }));
    },
    onError: (error) => form.setErrors(errorsAtFields(error, i18n)),
    onSuccess: onSaved,
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))} noValidate>
      <Stack>
        <PendingFields isPending={save.isPending}>
          {member === null && (
            <>
              <TextInput {...form.getInputProps('email')} type="email" label={t('members.email')} data-autofocus />
              <TextInput
                {...form.getInputProps('subject')}
                label={t('members.subject')}
                description={t('members.subjectHint')}
              />
            </>
          )}
          <Select
            {...form.getInputProps('role')}
            data={roles.map((role) => ({ value: role, label: t(`role.${role}`) }))}
            label={t('members.role')}
            allowDeselect={false}
          />
        </PendingFields>
        <FormError error={save.error} fields={['email', 'subject', 'role']} />
        <Group justify="flex-end">
          <ActionButton type="submit" loading={save.isPending}>
            {member === null ? t('members.invite') : t('form.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
