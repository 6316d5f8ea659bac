import { Menu, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { operations } from 'signpost-client';
import { answerOf, api } from '../../api/client';
import { projectQuery } from '../../api/queries';
import { retryDownload } from '../../api/retries';
import { ActionButton } from '../../components/action-button';
import { showError } from '../../components/show-error';
import { useI18n } from '../../i18n/i18n';
import { saveFile } from '../link/save-file';

type Format = NonNullable<NonNullable<operations['exportDynamicLinks']['parameters']['query']>['format']>;

const formats: Format[] = ['csv', 'ndjson', 'signpost'];
const extensions: Record<Format, string> = { csv: 'csv', ndjson: 'ndjson', signpost: 'signpost.ndjson' };

/** Downloads all links of the project as a file. */
export function ExportMenu({ projectId }: { projectId: string }) {
  const { t } = useI18n();
  const project = useQuery(projectQuery(projectId));
  const download = useMutation({
    retry: retryDownload,
    mutationFn: async (format: Format) => {
      const content = await answerOf(
        api.GET('/projects/{projectId}/links/export', {
          params: { path: { projectId }, query: { format } },
          parseAs: 'blob',
        }),
      );
      saveFile(content, `links-${project.data?.value.subdomain ?? projectId}.${extensions[format]}`);
    },
    onError: (error) => showError(t('links.exportFailed'), error),
  });

  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <ActionButton
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          loading={download.isPending}
          loaderProps={{ type: 'dots' }}
        >
          {t('links.export')}
        </ActionButton>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item key={format} onClick={() => download.mutate(format)}>
            {t(`links.export.${format}`)}
            <Text size="xs" c="dimmed">
              {t(`links.export.${format}.hint`)}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
