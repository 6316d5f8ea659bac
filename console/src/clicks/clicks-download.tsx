import { useMutation } from '@tanstack/react-query';
import { type AnalyticsFilter, clicksFile } from '../api/queries';
import { retryDownload } from '../api/retries';
import { ActionButton } from '../components/action-button';
import { IconDownload } from '../components/icons';
import { showError } from '../components/show-error';
import { useI18n } from '../i18n/i18n';
import { saveFile } from '../pages/link/save-file';

/** Downloads the numbers of the chart as a file for spreadsheets. */
export function ClicksDownload({
  projectId,
  linkId,
  filter,
}: {
  projectId: string;
  linkId: string | null;
  filter: AnalyticsFilter;
}) {
  const { t } = useI18n();
  const download = useMutation({
    retry: retryDownload,
    mutationFn: async () => saveFile(await clicksFile(projectId, linkId, filter), 'clicks.csv'),
    onError: (error) => showError(t('clicks.exportFailed'), error),
  });
  return (
    <ActionButton
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t('clicks.export')}
    </ActionButton>
  );
}
