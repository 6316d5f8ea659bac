import { Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton } from '../../components/action-button';
import { answerOf, api } from '../../api/client';
import { formerSubdomainsQuery } from '../../api/queries';
import { Confirm, type Confirmation } from '../../components/confirm';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';

/** Lists the earlier subdomains on which the project still answers. */
export function FormerSubdomains({ projectId }: { projectId: string }) {
  const { t, date } = useI18n();
  const client = useQueryClient();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const former = useQuery(formerSubdomainsQuery(projectId));
  const release = (subdomain: string): void =>
    setConfirmation({
      title: t('former.releaseTitle', { subdomain }),
      text: t('former.releaseText'),
      action: t('former.release'),
      typed: subdomain,
      run: async () => {
        const path = { projectId, subdomain };
        await answerOf(api.DELETE('/projects/{projectId}/former-subdomains/{subdomain}', { params: { path } }));
        await client.invalidateQueries({ queryKey: ['project', projectId] });
      },
    });
  return (
    <Stack gap="sm">
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      <div>
        <Title order={2}>{t('former.title')}</Title>
        <Text size="sm" c="dimmed">
          {t('former.lead')}
        </Text>
      </div>
      <QueryView query={former} height={80}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">{t('former.none')}</Text>
          ) : (
            <Paper className="card scroll-x" role="region" aria-label={t('former.title')} tabIndex={0}>
              <Table verticalSpacing="sm" horizontalSpacing="md">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('projects.subdomain')}</Table.Th>
                    <Table.Th>{t('former.leftAt')}</Table.Th>
                    <Table.Th>
                      <span className="visually-hidden">{t('table.actions')}</span>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {data.map(({ subdomain, left_at }) => (
                    <Table.Tr key={subdomain}>
                      <Table.Td className="mono">{subdomain}</Table.Td>
                      <Table.Td>{date(left_at)}</Table.Td>
                      <Table.Td ta="right">
                        <ActionButton
                          operation="deleteFormerSubdomain"
                          variant="default"
                          size="xs"
                          onClick={() => release(subdomain)}
                        >
                          {t('former.release')}
                        </ActionButton>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Paper>
          )
        }
      </QueryView>
    </Stack>
  );
}
