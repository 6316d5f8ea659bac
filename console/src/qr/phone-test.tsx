import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { withReservedParameter } from '../../../src/link-paths/paths/reserved-parameters';
import { layOut } from '../../../src/links/qr-codes/qr-layout';
import { svgOf } from '../../../src/links/qr-codes/qr-svg';
import { analyticsQuery } from '../api/queries';
import { BlobImage } from '../components/blob-image';
import { Copyable } from '../components/copyable';
import { useI18n } from '../i18n/i18n';
import { initialDesign } from './qr-design';

const hourMs = 60 * 60_000;
/** Apps send an open when they have started. */
const lookIntervalMs = 5000;

/** Shows the code that tests a link on a phone, and counts the opens of the app since then. */
export default function PhoneTest({ projectId, linkId, url }: { projectId: string; linkId: string; url: string }) {
  const { t } = useI18n();
  const address = withReservedParameter(url, 'via', 'test');
  const code = useMemo(
    () => new Blob([svgOf(layOut(address, initialDesign), initialDesign, [256, ''])], { type: 'image/svg+xml' }),
    [address],
  );
  return (
    <Stack gap="sm">
      <Text size="sm">{t('phoneTest.lead')}</Text>
      <div className="qr-frame">
        <BlobImage content={code} alt={t('phoneTest.alt', { url })} />
      </div>
      <Copyable value={address} name={t('phoneTest.address')} />
      <Opens projectId={projectId} linkId={linkId} />
      <Text size="sm" c="dimmed">
        {t('phoneTest.note')}
      </Text>
    </Stack>
  );
}

function Opens({ projectId, linkId }: { projectId: string; linkId: string }) {
  const { t, number } = useI18n();
  const [period] = useState(() => ({
    from: new Date(Date.now() - hourMs).toISOString(),
    to: new Date(Date.now() + 23 * hourMs).toISOString(),
    interval: 'hour' as const,
  }));
  const opens = useQuery({
    ...analyticsQuery(projectId, linkId, { ...period, metric: 'opens' }),
    refetchInterval: lookIntervalMs,
  });
  const count = opens.data?.totals.clicks;
  const [before, setBefore] = useState<number>();
  if (before === undefined && count !== undefined) setBefore(count);
  if (before === undefined || count === undefined) return null;
  return (
    <Text size="sm" role="status" fw={count > before ? 600 : undefined}>
      {count > before ? t('phoneTest.opened', { count: number(count - before) }) : t('phoneTest.notOpened')}
    </Text>
  );
}
