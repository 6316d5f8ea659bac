import {
  Alert,
  ColorInput,
  Group,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Slider,
  Stack,
  Text,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { DynamicLinkWithApps, operations } from 'signpost-client';
import { useState } from 'react';
import { ApiError } from '../../api/api-error';
import { answerOf, api } from '../../api/client';
import { retryDownload } from '../../api/retries';
import { ActionButton } from '../../components/action-button';
import { BlobImage } from '../../components/blob-image';
import { ErrorText } from '../../components/error-text';
import { IconDownload } from '../../components/icons';
import { useI18n } from '../../i18n/i18n';
import { saveFile } from './save-file';

type Design = Required<Omit<NonNullable<operations['getDynamicLinkQrCode']['parameters']['query']>, 'format'>>;
type Format = 'png' | 'svg';

const initial: Design = { size: 512, margin: 4, error_correction: 'M', color: '000000', background: 'ffffff' };
const levels = ['L', 'M', 'Q', 'H'] as const;
const hex = (value: string): string => value.replace('#', '').slice(0, 6).toLowerCase();

/** Designs the QR code of a link. The preview is the code that is downloaded, drawn by the service. */
export default function QrDesigner({ projectId, link }: { projectId: string; link: DynamicLinkWithApps }) {
  const { t, number } = useI18n();
  const [design, setDesign] = useState(initial);
  const [drawn] = useDebouncedValue(design, 250);
  const fetchCode = (format: Format, query: Design): Promise<Blob> =>
    answerOf(
      api.GET('/projects/{projectId}/links/{linkId}/qr-code', {
        params: { path: { projectId, linkId: link.id }, query: { ...query, format } },
        parseAs: 'blob',
      }),
    );
  const code = useQuery({
    queryKey: ['project', projectId, 'qr-code', link.id, link.full_url, drawn],
    queryFn: () => fetchCode('svg', drawn),
    placeholderData: keepPreviousData,
  });
  const download = useMutation({
    retry: retryDownload,
    mutationFn: async (format: Format) => saveFile(await fetchCode(format, design), `${fileName(link)}.${format}`),
  });
  const set = (changes: Partial<Design>): void => {
    // It is about the design before.
    if (download.isError) download.reset();
    setDesign((before) => ({ ...before, ...changes }));
  };
  const error = code.error ?? download.error;
  const isRefused = error instanceof ApiError && error.code === 'INVALID_INPUT';

  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Stack>
        <div className="qr-frame">
          {code.data === undefined ? (
            <div style={{ height: 288 }} />
          ) : (
            <BlobImage content={code.data} alt={t('qr.alt', { url: link.full_url })} width={512} height={512} />
          )}
        </div>
        <Group grow>
          <ActionButton
            leftSection={<IconDownload size={18} aria-hidden />}
            loading={download.isPending && download.variables === 'png'}
            onClick={() => download.mutate('png')}
          >
            {t('qr.png')}
          </ActionButton>
          <ActionButton
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            loading={download.isPending && download.variables === 'svg'}
            onClick={() => download.mutate('svg')}
          >
            {t('qr.svg')}
          </ActionButton>
        </Group>
      </Stack>
      <Paper className="card" p="lg">
        <Stack gap="lg">
          {error && (
            <Alert color="red" role="alert" title={t(isRefused ? 'qr.refused' : 'fault.notLoaded')}>
              <ErrorText error={error} />
            </Alert>
          )}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <ColorInput
              label={t('qr.color')}
              value={`#${design.color}`}
              onChange={(value) => set({ color: hex(value) })}
              withEyeDropper={false}
            />
            <ColorInput
              label={t('qr.background')}
              value={`#${design.background}`}
              onChange={(value) => set({ background: hex(value) })}
              withEyeDropper={false}
            />
          </SimpleGrid>
          <Stack gap={4}>
            <Text size="sm" fw={500} id="qr-correction">
              {t('qr.correction')}
            </Text>
            <SegmentedControl
              aria-labelledby="qr-correction"
              data={levels.map((value) => ({ value, label: t(`qr.level.${value}`) }))}
              value={design.error_correction}
              onChange={(value) => set({ error_correction: value })}
              fullWidth
            />
            <Text size="sm" c="dimmed">
              {t('qr.correctionHint')}
            </Text>
          </Stack>
          <Select
            label={t('qr.size')}
            data={[256, 512, 1024, 2048].map((size) => ({
              value: String(size),
              label: t('qr.pixels', { size: number(size) }),
            }))}
            value={String(design.size)}
            onChange={(value) => set({ size: Number(value) })}
            allowDeselect={false}
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

const fileName = (link: DynamicLinkWithApps): string => `qr-${(link.custom_path ?? link.id).replace(/[^\w-]+/g, '-')}`;
