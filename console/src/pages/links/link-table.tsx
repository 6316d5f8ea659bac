import { Checkbox, Group, Table, UnstyledButton } from '@mantine/core';
import type { DynamicLinkListItem } from 'signpost-client';
import { IconArrowDown, IconArrowUp } from '../../components/icons';
import { useI18n } from '../../i18n/i18n';
import { LinkRow, type RowActions } from './link-row';
import { type Order, firstOrder } from './links-search';

/** Lists links. A narrow window shows each row as a card. */
export function LinkTable({
  links,
  selected,
  onSelect,
  order,
  onOrder,
  actions,
}: {
  links: DynamicLinkListItem[];
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  order: Order;
  onOrder: (order: Order) => void;
  actions: RowActions;
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
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover className="cards">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Checkbox
                label={t('links.selectAll')}
                classNames={{ labelWrapper: 'narrow-only' }}
                checked={isAll}
                indeterminate={selected.size > 0 && !isAll}
                onChange={() => onSelect(new Set(isAll ? [] : links.map(({ id }) => id)))}
              />
            </Table.Th>
            <SortHead by="name" label={t('links.name')} order={order} onOrder={onOrder} />
            <SortHead by="custom_path" label={t('links.url')} order={order} onOrder={onOrder} />
            <Table.Th>{t('links.destinations')}</Table.Th>
            <Table.Th>{t('bulk.tags')}</Table.Th>
            <SortHead by="clicks" label={t('links.clicks')} order={order} onOrder={onOrder} />
            <SortHead by="created_at" label={t('links.created')} order={order} onOrder={onOrder} />
            <Table.Th>
              <span className="visually-hidden">{t('table.actions')}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {links.map((link) => (
            <LinkRow
              key={link.id}
              link={link}
              isSelected={selected.has(link.id)}
              onToggle={() => toggle(link.id)}
              actions={actions}
            />
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
  const next = isSorted ? (isAscending ? 'desc' : 'asc') : firstOrder(by);
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
