import { Menu, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { operations } from 'signpost-client';
import { answerOf, api } from '../../api/client';
import { projectQuery } from '../../api/queries';
import { retryDownload } from '../../api/retries';
import { ActionButton } from '../../components/action-button';
import { IconDownload } from '../../components/icons';
import { showError } from '../../components/show-error';
import { useI18n } from '../../i18n/i18n';
import { saveFile } from '../link/save-file';

type Query = NonNullable<operations['exportDynamicLinks']['parameters']['query']>;

const files = {
  csv: { query: { format: 'csv' }, extension: 'csv' },
  semicolons: { query: { format: 'csv', delimiter: 'semicolon' }, extension: 'csv' },
  ndjson: { query: { format: 'ndjson' }, extension: 'ndjson' },
  signpost: { query: { format: 'signpost' }, extension: 'signpost.ndjson' },
} satisfies Record<string, { query: Query; extension: string }>;
type FileKind = keyof typeof files;

/** Downloads all links of the project as a file. */
export function ExportMenu({ projectId }: { projectId: string }) {
  const { t } = useI18n();
  const project = useQuery(projectQuery(projectId));
  const download = useMutation({
    retry: retryDownload,
    mutationFn: async (kind: FileKind) => {
      const { query, extension } = files[kind];
      const content = await answerOf(
        api.GET('/projects/{projectId}/links/export', {
          params: { path: { projectId }, query },
          parseAs: 'blob',
        }),
      );
      saveFile(content, `links-${project.data?.value.subdomain ?? projectId}.${extension}`);
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
        {(Object.keys(files) as FileKind[]).map((kind) => (
          <Menu.Item key={kind} onClick={() => download.mutate(kind)}>
            {t(`links.export.${kind}`)}
            <Text size="xs" c="dimmed">
              {t(`links.export.${kind}.hint`)}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
