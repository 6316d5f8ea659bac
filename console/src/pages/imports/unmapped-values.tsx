import { Alert, List, Paper, Stack, Table, Text, Title } from '@mantine/core';
import type { Import } from 'signpost-client';
import { IconAlertTriangle } from '../../components/icons';
import { ButtonLink } from '../../components/router-links';
import { useI18n } from '../../i18n/i18n';

/** Shows which values of the rows have no place in a link, and the apps that the project lacks. */
export function UnmappedValues({ job }: { job: Import }) {
  const { t, counted, number } = useI18n();
  const { missing_apps: missingApps, fields, complete } = job.unmapped;
  return (
    <>
      {missingApps.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle size={20} aria-hidden />} title={t('imports.missingApps')}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">{t('imports.missingAppsText')}</Text>
            <List size="sm">
              {missingApps.map(({ platform, identifier, rows }) => (
                <List.Item key={`${platform} ${identifier}`}>
                  <span className="mono">{identifier}</span>{' '}
                  {`(${platform === 'ios' ? 'iOS' : 'Android'}, ${counted('imports.rowCount', rows)})`}
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
              {t('imports.unmappedText')} {!complete && t('imports.unmappedMore')}
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
                {fields.map(({ field, rows, example }) => (
                  <Table.Tr key={field}>
                    <Table.Td>{field}</Table.Td>
                    <Table.Td>{number(rows)}</Table.Td>
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
