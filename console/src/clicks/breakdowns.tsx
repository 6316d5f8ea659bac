import { Paper, SimpleGrid, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Analytics } from 'signpost-client';
import { lazy, Suspense, useState } from 'react';
import { type AnalyticsFilter, analyticsQuery } from '../api/queries';
import { QueryView } from '../components/query-view';
import { useI18n } from '../i18n/i18n';
import { Bars } from './bars';
import { TopLinks } from './top-links';
import { TopTags } from './top-tags';

const WorldMap = lazy(() => import('./world-map'));

interface Scope {
  projectId: string;
  linkId: string | null;
  filter: AnalyticsFilter;
}

type Grouping = 'platform' | 'browser' | 'referrer' | 'source' | 'short_link' | 'version';
type Group = NonNullable<Analytics['groups']>[number];

/** Shows the clicks by property. Only the open tabs load their numbers. */
export function Breakdowns({ countries, ...scope }: Scope & { countries: Analytics }) {
  const { t } = useI18n();
  const isProject = scope.linkId === null;
  const [left, setLeft] = useState<string>(isProject ? 'links' : 'referrer');
  const [right, setRight] = useState<string>('country');
  const lefts = [...(isProject ? (['links', 'tags'] as const) : []), 'referrer', 'short_link', 'source'] as const;
  const rights = ['country', 'platform', 'browser', 'version'] as const;
  const tabs = (names: readonly (typeof lefts | typeof rights)[number][]) => (
    <Tabs.List>
      {names.map((name) => (
        <Tabs.Tab key={name} value={name}>
          {t(`clicks.by.${name}`)}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Paper className="card" p="md">
        <Tabs value={left} onChange={(value) => value && setLeft(value)} keepMounted={false}>
          {tabs(lefts)}
          {isProject && (
            <Tabs.Panel value="links" pt="md">
              <TopLinks projectId={scope.projectId} filter={scope.filter} />
            </Tabs.Panel>
          )}
          {isProject && (
            <Tabs.Panel value="tags" pt="md">
              <TopTags projectId={scope.projectId} filter={scope.filter} />
            </Tabs.Panel>
          )}
          {(['referrer', 'short_link', 'source'] as const).map((group) => (
            <Tabs.Panel key={group} value={group} pt="md">
              <Breakdown {...scope} group={group} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Paper>
      <Paper className="card" p="md">
        <Tabs value={right} onChange={(value) => value && setRight(value)} keepMounted={false}>
          {tabs(rights)}
          <Tabs.Panel value="country" pt="md">
            <Suspense fallback={<div style={{ height: 320 }} />}>
              <WorldMap data={countries} />
            </Suspense>
          </Tabs.Panel>
          {(['platform', 'browser', 'version'] as const).map((group) => (
            <Tabs.Panel key={group} value={group} pt="md">
              <Breakdown {...scope} group={group} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Paper>
    </SimpleGrid>
  );
}

function Breakdown({ projectId, linkId, filter, group }: Scope & { group: Grouping }) {
  const { t } = useI18n();
  const clicks = useQuery(
    analyticsQuery(projectId, linkId, { ...filter, group_by: group, ...(group === 'version' && { metric: 'opens' }) }),
  );
  const nameOf = ({ value, name, path }: Group): string => {
    if (value === null) return t(`clicks.unknown.${group}`);
    if (group === 'platform') return { ios: 'iOS', android: 'Android' }[value] ?? t('clicks.desktop');
    if (group === 'short_link')
      return path === null ? t('clicks.deletedShortLink', { id: value.slice(-8) }) : `/${path} (${name})`;
    if (group === 'source') return t(value === 'dashboard' ? 'clicks.source.dashboard' : 'clicks.source.api');
    return value;
  };
  return (
    <QueryView query={clicks} height={260}>
      {(data) => <Bars data={data} nameOf={nameOf} />}
    </QueryView>
  );
}
