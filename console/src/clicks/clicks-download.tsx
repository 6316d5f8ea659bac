import { Button, Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { clicksFile, type ProjectAnalyticsFilter } from '../api/queries';
import { retryDownload } from '../api/retries';
import { IconDownload } from '../components/icons';
import { showError } from '../components/show-error';
import { useI18n } from '../i18n/i18n';
import { saveFile } from '../pages/link/save-file';
import { type Split, splits, utmSplits } from './filters';

/** Downloads the numbers as a file for spreadsheets: those of the chart with the compared period, or those of a breakdown. */
export function ClicksDownload({
  projectId,
  linkId,
  filter,
  previous,
}: {
  projectId: string;
  linkId: string | null;
  filter: ProjectAnalyticsFilter;
  previous: { from: string; to: string } | null;
}) {
  const { t } = useI18n();
  const download = useMutation({
    retry: retryDownload,
    mutationFn: async (split: Split | 'source' | null) => {
      const compared = previous && { compare_from: previous.from, compare_to: previous.to };
      const query = split ? { ...filter, group_by: split } : { ...filter, ...compared };
      saveFile(await clicksFile(projectId, linkId, query), split ? `clicks-${split}.csv` : 'clicks.csv');
    },
    onError: (error) => showError(t('clicks.exportFailed'), error),
  });
  const ofLinks: readonly string[] = ['link', 'tag', ...utmSplits];
  const offered = ([...splits, 'source'] as const).filter((one) => linkId === null || !ofLinks.includes(one));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />} loading={download.isPending}>
          {t('clicks.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
        <Menu.Item onClick={() => download.mutate(null)}>
          {t(previous ? 'clicks.exportCompared' : 'clicks.overTime')}
        </Menu.Item>
        <Menu.Divider />
        {offered.map((split) => (
          <Menu.Item key={split} onClick={() => download.mutate(split)}>
            {t('clicks.exportBy', { property: t(`clicks.property.${split}`) })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
