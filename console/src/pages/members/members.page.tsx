import { Group, Modal, Stack, Text } from '@mantine/core';
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Member } from 'signpost-client';
import { useState } from 'react';
import { ActionButton } from '../../components/action-button';
import { answerOf, api } from '../../api/client';
import { accountQuery, membersQuery } from '../../api/queries';
import { closing } from '../../components/closing';
import { Confirm, type Confirmation } from '../../components/confirm';
import { EmptyState } from '../../components/empty-state';
import { IconPlus, IconUserCircle } from '../../components/icons';
import { PageHead } from '../../components/page-head';
import { PagedTable } from '../../components/paged-table';
import { useAskToClose } from '../../components/use-ask-to-close';
import { useI18n } from '../../i18n/i18n';
import { MemberForm, memberMutation } from './member-form';
import { Users } from './users';

/** Lists members with their roles. A person whose role does not permit it sees the reason. */
export function MembersPage() {
  const { t, counted } = useI18n();
  const client = useQueryClient();
  const [page, setPage] = useState(1);
  const [edited, setEdited] = useState<Member | 'new' | null>(null);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const askToClose = useAskToClose(() => setEdited(null));
  const isSaving = useIsMutating({ mutationKey: memberMutation }) > 0;
  const members = useQuery(membersQuery(page));
  const isOwner = useQuery(accountQuery).data?.access.role === 'owner';
  const refusedForOwners = isOwner ? null : t('refused.role', { role: t('role.owner') });
  const reload = (): Promise<unknown> => client.invalidateQueries({ queryKey: ['members'] });
  const nameOf = ({ email, subject }: Member): string => email ?? subject ?? '';
  const remove = (member: Member): void =>
    setConfirmation({
      title: t('members.removeTitle', { name: nameOf(member) }),
      text: t('members.removeText'),
      action: t('members.remove'),
      run: async () => {
        const path = { memberId: member.id };
        await answerOf(api.DELETE('/account/members/{memberId}', { params: { path } }));
        await reload();
      },
    });
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.members')} lead={t('members.lead')} />
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      {members.isSuccess && (
        <Group>
          <ActionButton
            operation="createMember"
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => setEdited('new')}
          >
            {t('members.invite')}
          </ActionButton>
        </Group>
      )}
      <Modal
        opened={edited !== null}
        onClose={askToClose}
        title={t(edited === 'new' ? 'members.invite' : 'members.change')}
        centered
        {...closing(isSaving)}
      >
        {edited !== null && (
          <MemberForm
            member={edited === 'new' ? null : edited}
            onSaved={() => {
              setEdited(null);
              void reload();
            }}
          />
        )}
      </Modal>
      <PagedTable
        query={members}
        label={t('nav.members')}
        heads={[t('members.email'), t('members.role'), t('members.state')]}
        empty={<EmptyState icon={IconUserCircle} title={t('members.emptyTitle')} text={t('members.emptyText')} />}
        onPage={setPage}
        rowOf={(member) => ({
          cells: [
            <Text fw={600} className="break">
              {nameOf(member)}
            </Text>,
            <>
              {member.role === null ? t('members.noRole') : t(`role.${member.role}`)}
              {Object.keys(member.project_roles).length > 0 && (
                <Text size="sm" c="dimmed">
                  {counted('members.projects', Object.keys(member.project_roles).length)}
                </Text>
              )}
            </>,
            t(member.user_id === null ? 'members.invited' : 'members.joined'),
          ],
          actions: (
            <>
              <ActionButton operation="updateMember" size="xs" variant="default" onClick={() => setEdited(member)}>
                {t('members.change')}
              </ActionButton>
              <ActionButton
                operation="deleteMember"
                refused={member.role === 'owner' ? refusedForOwners : null}
                size="xs"
                variant="default"
                onClick={() => remove(member)}
              >
                {t('members.remove')}
              </ActionButton>
            </>
          ),
        })}
      />
      <Users />
    </Stack>
  );
}
