import { Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { User } from 'signpost-client';
import { useState } from 'react';
import { ActionButton } from '../../components/action-button';
import { answerOf, api } from '../../api/client';
import { usersQuery } from '../../api/queries';
import { Confirm, type Confirmation } from '../../components/confirm';
import { PagedTable } from '../../components/paged-table';
import { showError } from '../../components/show-error';
import { useI18n } from '../../i18n/i18n';
import { saveFile } from '../link/save-file';

/** Lists people who have signed in. Exports and erases their data. */
export function Users() {
  const { t, date } = useI18n();
  const client = useQueryClient();
  const [page, setPage] = useState(1);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const users = useQuery(usersQuery(page));
  const download = useMutation({
    mutationFn: async (userId: string) => {
      const { data } = await answerOf(api.GET('/account/users/{userId}', { params: { path: { userId } } }));
      saveFile(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), 'person.json');
    },
    onError: (error) => showError(t('users.exportFailed'), error),
  });
  const nameOf = ({ email, subject, id }: User): string => email ?? subject ?? id;
  const erase = (user: User): void =>
    setConfirmation({
      title: t('users.eraseTitle', { name: nameOf(user) }),
      text: t('users.eraseText'),
      action: t('users.erase'),
      run: async () => {
        await answerOf(api.DELETE('/account/users/{userId}', { params: { path: { userId: user.id } } }));
        await Promise.all(['users', 'members'].map((name) => client.invalidateQueries({ queryKey: [name] })));
      },
    });
  if (!users.isSuccess) return null;
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {t('users.title')}
      </Title>
      <Text c="dimmed">{t('users.lead')}</Text>
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      <PagedTable
        query={users}
        label={t('users.title')}
        heads={[t('history.who'), t('users.since')]}
        empty={null}
        onPage={setPage}
        rowOf={(user) => ({
          cells: [<span className="break">{nameOf(user)}</span>, date(user.created_at)],
          actions: (
            <>
              <ActionButton operation="getUser" size="xs" variant="default" onClick={() => download.mutate(user.id)}>
                {t('users.export')}
              </ActionButton>
              <ActionButton operation="deleteUser" size="xs" variant="default" onClick={() => erase(user)}>
                {t('users.erase')}
              </ActionButton>
            </>
          ),
        })}
      />
    </Stack>
  );
}
