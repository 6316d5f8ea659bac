import { useMutation } from '@tanstack/react-query';
import { ActionButton } from '../components/action-button';
import { IconQrcode } from '../components/icons';
import { showError } from '../components/show-error';
import { useI18n } from '../i18n/i18n';
import type { ZippedLink } from './qr-zip';
import { saveFile } from '../pages/link/save-file';

/** Downloads the QR codes of several links as a ZIP, in the design that was used last. */
export function QrCodesButton({
  links,
  fileName,
  variant = 'default',
  size = 'sm',
}: {
  links: readonly ZippedLink[];
  fileName: string;
  variant?: 'default' | 'filled';
  size?: 'xs' | 'sm';
}) {
  const { t } = useI18n();
  const download = useMutation({
    // The encoder is loaded when somebody needs it.
    mutationFn: async () => saveFile(await (await import('./qr-zip')).qrZip(links), `${fileName}.zip`),
    onError: (error) => showError(t('qr.failed'), error),
    retry: false,
    networkMode: 'always',
  });
  return (
    <ActionButton
      variant={variant}
      size={size}
      leftSection={<IconQrcode size={16} aria-hidden />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t('qr.zip')}
    </ActionButton>
  );
}
