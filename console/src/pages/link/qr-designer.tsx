import {
  Alert,
  ColorInput,
  Group,
  NumberInput,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Slider,
  Stack,
  List,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { DynamicLinkWithApps } from 'signpost-client';
import { useMemo, useState } from 'react';
import { ActionButton } from '../../components/action-button';
import { BlobImage } from '../../components/blob-image';
import { IconDownload } from '../../components/icons';
import { showError } from '../../components/show-error';
import { useI18n } from '../../i18n/i18n';
import { minWidthMm, qrFaults } from '../../qr/qr-checks';
import { maxFrameLength } from '../../../../src/links/qr-codes/qr-layout';
import { drawQr, type QrDesign } from '../../qr/qr-design';
import { qrBlob, qrFileName, type QrFormat, qrFormats } from '../../qr/qr-files';
import { storedDesign, storeDesign } from '../../qr/stored-design';
import { LogoField } from './logo-field';
import { saveFile } from './save-file';

const levels = ['L', 'M', 'Q', 'H'] as const;
const isColor = (value: string): boolean => /^#[0-9a-f]{6}$/i.test(value);

/** Designs the QR code of a link for print. The preview is what the files have. */
export default function QrDesigner({ link }: { link: DynamicLinkWithApps }) {
  const { t, number } = useI18n();
  const [design, setDesign] = useState(storedDesign);
  const [typed, setTyped] = useState({ color: design.color, background: design.background });
  const { full_url: url } = link;
  const preview = useMemo(() => new Blob([drawQr(url, design).svg], { type: 'image/svg+xml' }), [url, design]);
  const faults = useMemo(() => qrFaults(url, design), [url, design]);
  const set = (changes: Partial<QrDesign>): void => {
    const next = { ...design, ...changes };
    setDesign(next);
    storeDesign(next);
  };
  const setColor = (name: 'color' | 'background', value: string): void => {
    setTyped((before) => ({ ...before, [name]: value }));
    if (isColor(value)) set({ [name]: value.toLowerCase() });
  };
  const download = useMutation({
    mutationFn: async (format: QrFormat) =>
      saveFile(await qrBlob(url, design, format), `${qrFileName(link.custom_path ?? link.id)}.${format}`),
    onError: (error) => showError(t('qr.failed'), error),
    retry: false,
    networkMode: 'always',
  });

  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Stack>
        <div className="qr-frame">
          <BlobImage content={preview} alt={t('qr.alt', { url })} />
        </div>
        {faults.length > 0 && (
          <Alert color="yellow" role="alert" title={t('qr.refused')}>
            <List size="sm">
              {faults.map((fault) => (
                <List.Item key={fault}>{t(`qr.fault.${fault}`, { width: number(minWidthMm(url, design)) })}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Group gap="xs">
          {qrFormats.map((format) => (
            <ActionButton
              key={format}
              variant={format === 'png' ? 'filled' : 'default'}
              leftSection={<IconDownload size={18} aria-hidden />}
              loading={download.isPending && download.variables === format}
              onClick={() => download.mutate(format)}
            >
              {t(`qr.${format}`)}
            </ActionButton>
          ))}
        </Group>
      </Stack>
      <Paper className="card" p="lg">
        <Stack gap="lg">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {(['color', 'background'] as const).map((name) => (
              <ColorInput
                key={name}
                label={t(`qr.${name}`)}
                value={typed[name]}
                onChange={(value) => setColor(name, value)}
                withEyeDropper={false}
              />
            ))}
            <NumberInput
              label={t('qr.width')}
              description={t('qr.widthHint')}
              value={design.widthMm}
              min={10}
              max={1000}
              clampBehavior="strict"
              allowDecimal={false}
              suffix=" mm"
              onChange={(value) => typeof value === 'number' && value > 0 && set({ widthMm: value })}
            />
            <TextInput
              label={t('qr.frame')}
              description={t('qr.frameHint')}
              value={design.frame}
              maxLength={maxFrameLength}
              onChange={(event) => set({ frame: event.currentTarget.value })}
            />
          </SimpleGrid>
          <LogoField logo={design.logo} onChange={(logo) => set({ logo })} />
          <Choice
            id="qr-shape"
            label={t('qr.shape')}
            data={[
              { value: 'square', label: t('qr.shape.square') },
              { value: 'rounded', label: t('qr.shape.rounded') },
            ]}
            value={design.isRounded ? 'rounded' : 'square'}
            onChange={(value) => set({ isRounded: value === 'rounded' })}
          />
          <Choice
            id="qr-correction"
            label={t('qr.correction')}
            hint={t(design.logo === null ? 'qr.correctionHint' : 'qr.correctionOfLogo')}
            data={levels.map((value) => ({ value, label: t(`qr.level.${value}`) }))}
            value={design.logo === null ? design.errorCorrection : 'H'}
            onChange={(value) => set({ errorCorrection: value })}
          />
          <Stack gap={4}>
            <Text size="sm" fw={500}>
              {t('qr.margin')}
            </Text>
            <Slider
              thumbLabel={t('qr.margin')}
              min={0}
              max={16}
              value={design.margin}
              onChange={(margin) => set({ margin })}
            />
          </Stack>
          <Text size="sm" c="dimmed">
            {t('qr.note')}
          </Text>
        </Stack>
      </Paper>
    </SimpleGrid>
  );
}

function Choice<Value extends string>({
  id,
  label,
  hint,
  ...control
}: {
  id: string;
  label: string;
  hint?: string;
  data: { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500} id={id}>
        {label}
      </Text>
      <SegmentedControl aria-labelledby={id} {...control} fullWidth />
      {hint !== undefined && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
    </Stack>
  );
}
