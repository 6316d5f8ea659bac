import { Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Member } from 'signpost-client';
import { answerOf, api } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { accountQuery } from '../../api/queries';
import { ActionButton } from '../../components/action-button';
import { changedFields } from '../../components/changed-fields';
import { dialogMutation } from '../../components/closing';
import { FormError } from '../../components/form-error';
import { PendingFields } from '../../components/pending-fields';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { useI18n } from '../../i18n/i18n';
import { type ProjectRoles, ProjectRolesFields } from './project-roles';

/** Names the mutation for the dialogs around the form. */
export const memberMutation = ['saved-member'];

const roles = ['viewer', 'editor', 'admin', 'owner'] as const;

/** In the place of a role, because fields have texts. */
const noRole = 'none';

type Chosen = (typeof roles)[number] | typeof noRole;

/** Invites a member, or changes the roles of one: in the account, and in single projects. */
export function MemberForm({ member, onSaved }: { member: Member | null; onSaved: () => void }) {
  const i18n = useI18n();
  const { t } = i18n;
  // The service refuses the role owner from others.
  const isOwner = useQuery(accountQuery).data?.access.role === 'owner';
  const form = useForm<{ email: string; subject: string; role: Chosen; project_roles: ProjectRoles }>({
    initialValues: {
      email: '',
      subject: '',
      role: member === null ? 'viewer' : (member.role ?? noRole),
      project_roles: (member?.project_roles ?? {}) as ProjectRoles,
    },
  });
  useUnsavedChanges(changedFields(form.getInitialValues(), form.values).length > 0);
  const save = useMutation({
    mutationKey: memberMutation,
    ...dialogMutation,
    mutationFn: async ({ email, subject, role: chosen, project_roles }: typeof form.values): Promise<void> => {
      const role = chosen === noRole ? null : chosen;
      if (member !== null) {
        const path = { memberId: member.id };
        await answerOf(api.PUT('/account/members/{memberId}', { params: { path }, body: { role, project_roles } }));
        return;
      }
      const body = { project_roles, ...(role && { role }), ...(email && { email }), ...(subject && { subject }) };
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
            data={[
              ...roles.map((role) => ({
                value: role,
                label: t(`role.${role}`),
                disabled: role === 'owner' && !isOwner,
              })),
              { value: noRole, label: t('members.noRole') },
            ]}
            label={t('members.role')}
            allowDeselect={false}
          />
          <ProjectRolesFields
            value={form.values.project_roles}
            onChange={(next) => form.setFieldValue('project_roles', next)}
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
