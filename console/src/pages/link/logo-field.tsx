import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useI18n } from '../../i18n/i18n';
import { PictureButton } from './picture-button';

/** Pixels of the logo's longer side. More are not visible in print, and would fill the storage of the browser. */
const maxSide = 512;

/** Takes the logo of a QR code. It is drawn anew, so its file can have any size, and stays in the browser. */
export function LogoField({ logo, onChange }: { logo: string | null; onChange: (logo: string | null) => void }) {
  const { t } = useI18n();
  const [isRefused, setRefused] = useState(false);
  const take = async (file: File): Promise<void> => {
    try {
      onChange(await pictureOf(file));
      setRefused(false);
    } catch {
      setRefused(true);
    }
  };
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {t('qr.logo')}
      </Text>
      <Group gap="xs">
        <PictureButton onChange={(file) => void take(file)}>
          {(props) => (
            <Button {...props} variant="default" size="xs">
              {t(logo === null ? 'qr.addLogo' : 'qr.changeLogo')}
            </Button>
          )}
        </PictureButton>
        {logo !== null && (
          <Button variant="subtle" size="xs" onClick={() => onChange(null)}>
            {t('qr.removeLogo')}
          </Button>
        )}
      </Group>
      <Text size="sm" c={isRefused ? 'error' : 'dimmed'} role={isRefused ? 'alert' : undefined}>
        {t(isRefused ? 'qr.logoRefused' : 'qr.logoHint')}
      </Text>
    </Stack>
  );
}

async function pictureOf(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png');
}
