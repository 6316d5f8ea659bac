import { Paper, SegmentedControl, SimpleGrid, Stack, Tabs } from '@mantine/core';
import type { Analytics } from 'signpost-client';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useI18n } from '../i18n/i18n';
import { Breakdown, type Scope } from './breakdown';
import { utmSplits } from './filters';

const WorldMap = lazy(() => import('./world-map'));

type Tab =
  | 'link'
  | 'tag'
  | 'campaign'
  | 'referrer'
  | 'short_link'
  | 'source'
  | 'country'
  | 'platform'
  | 'browser'
  | 'version';

/** Shows the clicks by property. Only the open tabs load their numbers. */
export function Breakdowns({ countries, ...scope }: Scope & { countries: Analytics }) {
  const isProject = scope.linkId === null;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Card tabs={[...(isProject ? (['link', 'tag', 'campaign'] as const) : []), 'referrer', 'short_link', 'source']}>
        {(tab) =>
          tab === 'campaign' ? <Campaign {...scope} /> : tab !== 'country' && <Breakdown {...scope} group={tab} />
        }
      </Card>
      <Card tabs={['country', 'platform', 'browser', 'version']}>
        {(tab) => {
          if (tab !== 'country') return tab !== 'campaign' && <Breakdown {...scope} group={tab} />;
          return (
            <Suspense fallback={<div style={{ height: 320 }} />}>
              <WorldMap data={countries} onSelect={(code) => scope.onFilter('country', code)} />
            </Suspense>
          );
        }}
      </Card>
    </SimpleGrid>
  );
}

function Card({ tabs, children }: { tabs: Tab[]; children: (tab: Tab) => ReactNode }) {
  const { t } = useI18n();
  const [open, setOpen] = useState<string>(tabs[0]!);
  return (
    <Paper className="card" p="md">
      <Tabs className="dense-tabs" value={open} onChange={(value) => value && setOpen(value)} keepMounted={false}>
        <Tabs.List>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {t(`clicks.by.${tab}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((tab) => (
          <Tabs.Panel key={tab} value={tab} pt="md">
            {children(tab)}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Paper>
  );
}

/** Shows the clicks by a parameter of the links. */
function Campaign(scope: Scope) {
  const { t } = useI18n();
  const [name, setName] = useState<(typeof utmSplits)[number]>('utm_campaign');
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label={t('clicks.by.campaign')}
        data={utmSplits.map((value) => ({ value, label: t(`clicks.by.${value}`) }))}
        value={name}
        onChange={setName}
      />
      <Breakdown {...scope} group={name} />
    </Stack>
  );
}
