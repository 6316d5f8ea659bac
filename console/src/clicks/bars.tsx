import { Button, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Analytics } from 'signpost-client';
import { type ReactNode, useState } from 'react';
import { useI18n } from '../i18n/i18n';

type Group = NonNullable<Analytics['groups']>[number];

const maxBars = 10;

/**
 * Lists groups with the most clicks first. The length of a bar is the share of the largest group.
 * @param onSelect filters by a group; returns null if no condition selects it
 * @param action stands beside the name, such as the way to the page of a link
 */
export function Bars({
  data,
  nameOf,
  onSelect = () => null,
  action,
}: {
  data: Analytics;
  nameOf: (group: Group) => string;
  onSelect?: (group: Group) => (() => void) | null;
  action?: (group: Group) => ReactNode;
}) {
  const { t, number, percent } = useI18n();
  const [showsAll, setShowsAll] = useState(false);
  const groups = (data.groups ?? []).filter(({ clicks }) => clicks > 0);
  if (groups.length === 0) return <Text c="dimmed">{t('clicks.none')}</Text>;
  const total = data.totals.clicks;
  const largest = groups[0]!.clicks;
  const shown = showsAll ? groups : groups.slice(0, maxBars);
  const rest = total - shown.reduce((sum, { clicks }) => sum + clicks, 0);
  return (
    <Stack gap={6}>
      <Stack component="ul" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
        {shown.map((group) => {
          const select = onSelect(group);
          return (
            <li key={group.value ?? ''} className="bar">
              <span className="fill" style={{ width: `${(100 * group.clicks) / largest}%` }} />
              {select ? (
                <UnstyledButton
                  className="name"
                  onClick={select}
                  aria-label={t('clicks.filterBy', { name: nameOf(group) })}
                >
                  {nameOf(group)}
                </UnstyledButton>
              ) : (
                <span className="name">{nameOf(group)}</span>
              )}
              {action?.(group)}
              <span className="value">
                {number(group.clicks)}{' '}
                <Text span size="sm" c="dimmed">
                  {percent(group.clicks / total)}
                </Text>
              </span>
            </li>
          );
        })}
        {rest > 0 && (
          <li className="bar">
            <span className="name">{t('clicks.others')}</span>
            <span className="value">
              {number(rest)}{' '}
              <Text span size="sm" c="dimmed">
                {percent(rest / total)}
              </Text>
            </span>
          </li>
        )}
      </Stack>
      {groups.length > maxBars && (
        <Button variant="subtle" size="xs" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t('clicks.showFewer') : t('clicks.showAll', { count: groups.length })}
        </Button>
      )}
    </Stack>
  );
}
