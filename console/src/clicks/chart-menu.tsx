import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconDotsVertical, IconDownload } from '../components/icons';
import { showError } from '../components/show-error';
import { useI18n } from '../i18n/i18n';
import { saveFile } from '../pages/link/save-file';

/** Copies the chart as a picture, or saves it. */
export function ChartMenu({ draw }: { draw: () => Promise<Blob> }) {
  const { t } = useI18n();
  const run = (work: () => Promise<void>) => (): void => {
    work().catch((error: Error) => showError(t('clicks.pictureFailed'), error));
  };
  const save = run(async () => saveFile(await draw(), 'clicks.png'));
  const copy = run(async () => {
    // Safari accepts a promise only, because the picture is not ready at the click.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': draw() })]);
    notifications.show({ message: t('clicks.pictureCopied') });
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('clicks.picture')}>
          <IconDotsVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={copy}>
          {t('clicks.copyPicture')}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
          {t('clicks.savePicture')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
