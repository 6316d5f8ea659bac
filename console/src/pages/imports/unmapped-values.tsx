import { Alert, List, Paper, Stack, Text, Title } from '@mantine/core';
import type { Import } from 'signpost-client';
import { IconAlertTriangle } from '../../components/icons';
import { ButtonLink } from '../../components/router-links';
import { RowTable } from '../../components/row-table';
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
          <RowTable
            label={t('imports.unmapped')}
            heads={[t('imports.unmappedField'), t('imports.rows'), t('imports.unmappedExample')]}
            rows={fields.map(({ field, rows, example }) => ({
              key: field,
              cells: [field, number(rows), <span className="break">{example}</span>],
            }))}
          />
        </Paper>
      )}
    </>
  );
}
