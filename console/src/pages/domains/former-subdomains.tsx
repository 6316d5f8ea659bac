import { Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton } from '../../components/action-button';
import { answerOf, api } from '../../api/client';
import { formerSubdomainsQuery } from '../../api/queries';
import { Confirm, type Confirmation } from '../../components/confirm';
import { QueryView } from '../../components/query-view';
import { RowTable } from '../../components/row-table';
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
            <Paper className="card">
              <RowTable
                label={t('former.title')}
                heads={[t('projects.subdomain'), t('former.leftAt')]}
                rows={data.map(({ subdomain, left_at }) => ({
                  key: subdomain,
                  cells: [<span className="mono">{subdomain}</span>, date(left_at)],
                  actions: (
                    <ActionButton
                      operation="deleteFormerSubdomain"
                      variant="default"
                      size="xs"
                      onClick={() => release(subdomain)}
                    >
                      {t('former.release')}
                    </ActionButton>
                  ),
                }))}
              />
            </Paper>
          )
        }
      </QueryView>
    </Stack>
  );
}
