import { Button, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Analytics } from 'signpost-client';
import { type ReactNode, useState } from 'react';
import { useI18n } from '../i18n/i18n';

type Group = NonNullable<Analytics['groups']>[number];

const maxBars = 10;

/**
 * Lists groups with the most clicks first. The length of a bar is the share of the largest group.
 * @param isApart tells clicks without a value, which come last and have no bar, because their number often dwarfs all others
 * @param onSelect filters by a group; returns null if no condition selects it
 * @param action stands beside the name, such as the way to the page of a link
 */
export function Bars({
  data,
  nameOf,
  isApart = () => false,
  onSelect = () => null,
  action,
}: {
  data: Analytics;
  nameOf: (group: Group) => string;
  isApart?: (group: Group) => boolean;
  onSelect?: (group: Group) => (() => void) | null;
  action?: (group: Group) => ReactNode;
}) {
  const { t } = useI18n();
  const [showsAll, setShowsAll] = useState(false);
  const all = (data.groups ?? []).filter(({ clicks }) => clicks > 0);
  if (all.length === 0) return <Text c="dimmed">{t('clicks.none')}</Text>;
  const groups = all.filter((group) => !isApart(group));
  const apart = all.filter(isApart);
  const total = data.totals.clicks;
  const largest = groups[0]?.clicks ?? 1;
  const shown = showsAll ? groups : groups.slice(0, maxBars);
  const rest = total - [...shown, ...apart].reduce((sum, { clicks }) => sum + clicks, 0);
  const bar = (group: Group, width: number): ReactNode => (
    <Bar
      key={group.value ?? ''}
      name={nameOf(group)}
      clicks={group.clicks}
      total={total}
      width={width}
      onSelect={onSelect(group)}
    >
      {action?.(group)}
    </Bar>
  );
  return (
    <Stack gap={6}>
      <Stack component="ul" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
        {shown.map((group) => bar(group, (100 * group.clicks) / largest))}
        {rest > 0 && <Bar name={t('clicks.others')} clicks={rest} total={total} />}
        {apart.map((group) => bar(group, 0))}
      </Stack>
      {groups.length > maxBars && (
        <Button variant="subtle" size="xs" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t('clicks.showFewer') : t('clicks.showAll', { count: groups.length })}
        </Button>
      )}
    </Stack>
  );
}

function Bar({
  name,
  clicks,
  total,
  width = 0,
  onSelect = null,
  children,
}: {
  name: string;
  clicks: number;
  total: number;
  /** Percent of the longest bar; 0 mutes the name. */
  width?: number;
  onSelect?: (() => void) | null;
  children?: ReactNode;
}) {
  const { t, number, percent } = useI18n();
  return (
    <li className="bar" data-muted={width === 0}>
      {width > 0 && <span className="fill" style={{ width: `${width}%` }} />}
      {onSelect ? (
        <UnstyledButton className="name" onClick={onSelect} aria-label={t('clicks.filterBy', { name })}>
          {name}
        </UnstyledButton>
      ) : (
        <span className="name">{name}</span>
      )}
      {children}
      <span className="value">
        {number(clicks)}{' '}
        <Text span size="sm" c="dimmed">
          {percent(clicks / total)}
        </Text>
      </span>
    </li>
  );
}
