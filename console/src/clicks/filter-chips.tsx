import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { linkQuery } from '../api/queries';
import { IconX } from '../components/icons';
import { useI18n } from '../i18n/i18n';
import { type FilterName, filterNames, type Filters } from './filters';
import { type Property, useGroupName } from './use-group-name';

type OnRemove = (name: FilterName, value: string) => void;

/** Shows the conditions, each with a button that removes it. */
export function FilterChips({
  projectId,
  filters,
  onRemove,
  onClear,
}: {
  projectId: string;
  filters: Filters;
  onRemove: OnRemove;
  onClear: () => void;
}) {
  const { t } = useI18n();
  const chips = filterNames.flatMap((name) => (filters[name] ?? []).map((value) => ({ name, value })));
  if (chips.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label={t('clicks.filters')}>
      {chips.map(({ name, value }) => (
        <Chip key={`${name} ${value}`} projectId={projectId} name={name} value={value} onRemove={onRemove} />
      ))}
      {chips.length > 1 && (
        <Button variant="subtle" size="compact-sm" onClick={onClear}>
          {t('clicks.clearFilters')}
        </Button>
      )}
    </Group>
  );
}

function Chip({
  projectId,
  name,
  value,
  onRemove,
}: {
  projectId: string;
  name: FilterName;
  value: string;
  onRemove: OnRemove;
}) {
  const { t } = useI18n();
  const text = useChipText(projectId, name, value);
  return (
    <Button
      variant="light"
      size="compact-sm"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={t('clicks.removeFilter', { filter: text })}
      onClick={() => onRemove(name, value)}
      maw="100%"
    >
      {text}
    </Button>
  );
}

function useChipText(projectId: string, name: FilterName, value: string): string {
  const { t } = useI18n();
  const nameOf = useGroupName();
  const link = useQuery({ ...linkQuery(projectId, value), enabled: name === 'link_id', retry: false }).data;
  if (name === 'qr') return t(value === 'true' ? 'clicks.filter.qr' : 'clicks.filter.notQr');
  if (name === 'bot') return t(value === 'true' ? 'clicks.filter.bot' : 'clicks.filter.notBot');
  const property = ({ link_id: 'link', short_link_id: 'short_link' }[name as string] ?? name) as Exclude<
    Property,
    'version'
  >;
  const shown =
    property === 'short_link'
      ? `…${value.slice(-8)}`
      : nameOf(property, { value, name: property === 'tag' ? value : (link?.value.name ?? null), path: null });
  return `${t(`clicks.property.${property}`)}: ${shown}`;
}
