import { Stack } from '@mantine/core';
import type { Analytics } from 'signpost-client';
import map from 'virtual:world-map';
import { useI18n } from '../i18n/i18n';
import { Bars } from './bars';
import { useGroupName } from './use-group-name';

/** Colours countries by their clicks, and lists those with the most. A click on a country filters by it. */
export default function WorldMap({ data, onSelect }: { data: Analytics; onSelect: (code: string) => void }) {
  const { t, number } = useI18n();
  const nameOfGroup = useGroupName();
  const clicksOf = new Map(data.groups?.map(({ value, clicks }) => [value, clicks]));
  const largest = Math.max(1, ...[...clicksOf].filter(([code]) => code !== null).map(([, clicks]) => clicks));
  const nameOf = (code: string | null): string => nameOfGroup('country', { value: code, name: null, path: null });
  return (
    <Stack gap="sm">
      <svg
        className="map"
        viewBox={`0 0 ${map.width} ${map.height}`}
        role="img"
        aria-label={t('clicks.map')}
        width="100%"
      >
        {Object.entries(map.countries).map(([code, path]) => {
          const clicks = clicksOf.get(code) ?? 0;
          if (clicks === 0) return <path key={code} d={path} />;
          // The square root lets small countries show beside large ones.
          const strength = 25 + 75 * Math.sqrt(clicks / largest);
          return (
            <path
              key={code}
              d={path}
              onClick={() => onSelect(code)}
              style={{
                cursor: 'pointer',
                fill: `color-mix(in oklab, var(--mantine-color-brand-6) ${strength}%, transparent)`,
              }}
            >
              <title>{`${nameOf(code)}: ${number(clicks)}`}</title>
            </path>
          );
        })}
      </svg>
      <Bars
        data={data}
        nameOf={({ value }) => nameOf(value)}
        isApart={({ value }) => !value}
        onSelect={({ value }) =>
          () =>
            onSelect(value ?? '')
          }
      />
    </Stack>
  );
}
