import { Alert, List, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Import } from 'signpost-client';
import { importRowsQuery } from '../../api/import-queries';
import { maxPageSize } from '../../api/queries';
import { ButtonLink } from '../../components/router-links';
import { useI18n } from '../../i18n/i18n';
import { unmappedSummary } from './unmapped-summary';

/** Shows which values of the first rows have no place in a link, and the apps that the project lacks. */
export function UnmappedValues({ job }: { job: Import }) {
  const { t, number } = useI18n();
  const { data } = useQuery(importRowsQuery(job, undefined, { page: 1, limit: maxPageSize }));
  const { missingApps, fields } = unmappedSummary(job, data?.data ?? []);
  return (
    <>
      {missingApps.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle size={20} aria-hidden />} title={t('imports.missingApps')}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{t('imports.missingAppsText')}</Text>
            <List size="sm">
              {missingApps.map((app) => (
                <List.Item key={app} className="mono">
                  {app}
                </List.Item>
              ))}
            </List>
            <ButtonLink
              to="/projects/$projectId/apps"
              params={{ projectId: job.project_id }}
              size="xs"
              variant="default"
            >
              {t('imports.toApps')}
            </ButtonLink>
          </Stack>
        </Alert>
      )}
      {fields.length > 0 && (
        <Paper className="card">
          <Stack gap={4} p="md">
            <Title order={2}>{t('imports.unmapped')}</Title>
            <Text size="sm" c="dimmed">
              {t('imports.unmappedText')}
            </Text>
          </Stack>
          <div className="scroll-x" role="region" aria-label={t('imports.unmapped')} tabIndex={0}>
            <Table horizontalSpacing="md">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('imports.unmappedField')}</Table.Th>
                  <Table.Th>{t('imports.rows')}</Table.Th>
                  <Table.Th>{t('imports.unmappedExample')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {fields.map(({ field, count, example }) => (
                  <Table.Tr key={field}>
                    <Table.Td>{field}</Table.Td>
                    <Table.Td>{number(count)}</Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{example}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        </Paper>
      )}
    </>
  );
}
