import { Badge, Checkbox, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { DynamicLinkListItem } from 'signpost-client';
import { CopyButton } from '../../components/copy-button';
import { IconArrowDown, IconArrowUp } from '../../components/icons';
import { useI18n } from '../../i18n/i18n';
import type { LinksSearch } from './links-search';

type Order = Required<Pick<LinksSearch, 'sortBy' | 'sortOrder'>>;

export function LinkTable({
  links,
  selected,
  onSelect,
  order,
  onOrder,
}: {
  links: DynamicLinkListItem[];
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  order: Order;
  onOrder: (order: Order) => void;
}) {
  const { t } = useI18n();
  const isAll = links.every(({ id }) => selected.has(id));
  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    <div className="scroll-x" role="region" aria-label={t('nav.links')} tabIndex={0}>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover miw={700}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={44}>
              <Checkbox
                aria-label={t('links.selectAll')}
                checked={isAll}
                indeterminate={selected.size > 0 && !isAll}
                onChange={() => onSelect(new Set(isAll ? [] : links.map(({ id }) => id)))}
              />
            </Table.Th>
            <SortHead by="name" label={t('links.name')} order={order} onOrder={onOrder} />
            <SortHead by="custom_path" label={t('links.url')} order={order} onOrder={onOrder} />
            <Table.Th>{t('links.destinations')}</Table.Th>
            <SortHead by="clicks" label={t('links.clicks')} order={order} onOrder={onOrder} />
            <SortHead by="created_at" label={t('links.created')} order={order} onOrder={onOrder} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {links.map((link) => (
            <LinkRow key={link.id} link={link} isSelected={selected.has(link.id)} onToggle={() => toggle(link.id)} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function SortHead({
  by,
  label,
  order,
  onOrder,
}: {
  by: Order['sortBy'];
  label: string;
  order: Order;
  onOrder: (order: Order) => void;
}) {
  const isSorted = order.sortBy === by;
  const isAscending = order.sortOrder === 'asc';
  const Arrow = isAscending ? IconArrowUp : IconArrowDown;
  // Names are read from A, dates from the newest, and clicks from the most.
  const first = by === 'created_at' || by === 'clicks' ? 'desc' : 'asc';
  const next = isSorted ? (isAscending ? 'desc' : 'asc') : first;
  return (
    <Table.Th aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'}>
      <UnstyledButton onClick={() => onOrder({ sortBy: by, sortOrder: next })} fw={600} fz="sm">
        <Group gap={4} wrap="nowrap">
          {label}
          {isSorted && <Arrow size={14} aria-hidden />}
        </Group>
      </UnstyledButton>
    </Table.Th>
  );
}

function LinkRow({
  link,
  isSelected,
  onToggle,
}: {
  link: DynamicLinkListItem;
  isSelected: boolean;
  onToggle: () => void;
}) {
  const { t, date, number } = useI18n();
  const url = new URL(link.full_url);
  return (
    <Table.Tr bg={isSelected ? 'var(--mantine-primary-color-light)' : undefined}>
      <Table.Td>
        <Checkbox aria-label={t('links.select', { name: link.name })} checked={isSelected} onChange={onToggle} />
      </Table.Td>
      <Table.Td maw={320}>
        <Link
          className="row-link"
          to="/projects/$projectId/links/$linkId"
          params={{ projectId: link.project_id, linkId: link.id }}
        >
          {link.name}
        </Link>
        <Marks link={link} />
      </Table.Td>
      <Table.Td maw={320}>
        <Group gap={2} wrap="nowrap">
          <Text className="mono" size="sm" title={link.full_url} lineClamp={2}>
            {url.pathname}
          </Text>
          <CopyButton value={link.full_url} name={link.full_url} />
        </Group>
      </Table.Td>
      <Table.Td>
        <Destinations link={link} />
      </Table.Td>
      <Table.Td style={{ fontVariantNumeric: 'tabular-nums' }}>{number(link.clicks ?? 0)}</Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {date(link.created_at)}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function Marks({ link }: { link: DynamicLinkListItem }) {
  const { t } = useI18n();
  if (!link.archived && !link.disabled && link.tags.length === 0) return null;
  return (
    <Group gap={4}>
      {link.tags.map((name) => (
        <Badge key={name} variant="light" tt="none" fw={500}>
          {name}
        </Badge>
      ))}
      {link.archived && (
        <Badge color="gray" variant="light" tt="none">
          {t('links.archived')}
        </Badge>
      )}
      {link.disabled && (
        <Badge color="red" variant="light" tt="none">
          {t('links.disabled')}
        </Badge>
      )}
    </Group>
  );
}

function Destinations({ link }: { link: DynamicLinkListItem }) {
  const { t } = useI18n();
  const places = [
    [link.ios_app_id !== null || link.ios_fallback_url !== null, 'iOS'],
    [link.android_app_id !== null || link.android_fallback_url !== null, 'Android'],
    [link.desktop_url !== null, t('links.web')],
  ] as const;
  const set = places.filter(([isSet]) => isSet);
  if (set.length === 0)
    return (
      <Badge color="yellow" variant="light" tt="none">
        {t('links.noDestination')}
      </Badge>
    );
  return (
    <Group gap={4}>
      {set.map(([, name]) => (
        <Badge key={name} variant="default" tt="none" fw={500}>
          {name}
        </Badge>
      ))}
    </Group>
  );
}
