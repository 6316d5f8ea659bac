import { Group, Paper, SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import type { Analytics } from 'signpost-client';
import { IconTrendingDown, IconTrendingUp } from '../components/icons';
import { useI18n } from '../i18n/i18n';

type Sums = Analytics['totals'];

export function Totals({
  totals,
  before,
  isComparisonFailed,
  includesBots,
  opens = 0,
  claims = 0,
  onFilter,
}: {
  totals: Sums;
  before: Sums | undefined;
  isComparisonFailed: boolean;
  includesBots: boolean;
  /** Undefined while they are read. */
  opens: number | undefined;
  claims: number | undefined;
  onFilter: (name: 'qr' | 'bot', value: 'true') => void;
}) {
  const { t } = useI18n();
  const fault = isComparisonFailed ? t('clicks.notCompared') : undefined;
  return (
    <SimpleGrid cols={{ base: 1, xs: opens + claims > 0 ? 5 : 3 }}>
      <Total label={t('clicks.clicks')} value={totals.clicks} before={before?.clicks} note={fault} />
      <Total
        label={t('clicks.qrScans')}
        value={totals.qr_scans}
        before={before?.qr_scans}
        note={fault}
        onSelect={() => onFilter('qr', 'true')}
      />
      <Total
        label={t('clicks.bots')}
        value={totals.bots}
        before={before?.bots}
        note={includesBots ? t('clicks.botsIncluded') : t('clicks.botsApart')}
        onSelect={() => onFilter('bot', 'true')}
      />
      {opens + claims > 0 && (
        <>
          <Total label={t('clicks.opens')} value={opens} before={undefined} note={t('clicks.opensNote')} />
          <Total label={t('clicks.claims')} value={claims} before={undefined} note={t('clicks.claimsNote')} />
        </>
      )}
    </SimpleGrid>
  );
}

function Total({
  label,
  value,
  before,
  note,
  onSelect,
}: {
  label: string;
  value: number;
  before: number | undefined;
  note?: string;
  /** Filters by what the number counts. */
  onSelect?: () => void;
}) {
  const { t, number, percent } = useI18n();
  const change = before ? (value - before) / before : null;
  const Trend = (change ?? 0) < 0 ? IconTrendingDown : IconTrendingUp;
  return (
    <Paper className="card" p="md">
      {onSelect ? (
        <UnstyledButton
          fz="sm"
          c="dimmed"
          td="underline"
          display="block"
          lh="var(--mantine-line-height-sm)"
          onClick={onSelect}
          aria-label={t('clicks.filterBy', { name: label })}
        >
          {label}
        </UnstyledButton>
      ) : (
        <Text size="sm" c="dimmed">
          {label}
        </Text>
      )}
      <Text fz={30} fw={700} lh={1.2} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {number(value)}
      </Text>
      <Group gap={6} mih={20}>
        {change !== null && (
          <>
            <Trend size={16} aria-hidden />
            <Text size="sm" c="dimmed">
              {t(change < 0 ? 'clicks.less' : 'clicks.more', {
                percent: percent(Math.abs(change)),
                before: number(before!),
              })}
            </Text>
          </>
        )}
        {change === null && (
          <Text size="sm" c="dimmed">
            {note ?? (before === 0 && t('clicks.noneBefore'))}
          </Text>
        )}
      </Group>
    </Paper>
  );
}
