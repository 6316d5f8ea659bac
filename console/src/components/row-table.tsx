import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useI18n } from '../i18n/i18n';

export interface Row {
  cells: ReactNode[];
  /** Buttons at the end. */
  actions?: ReactNode;
}

/** Shows rows as a table, and as cards with the names of their cells where the table has no space. */
export function RowTable({
  label,
  heads,
  rows,
  isLow = false,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly (Row & { key: string | number })[];
  /** Whether it scrolls in less than half of the window, such as above the buttons of a dialog. */
  isLow?: boolean;
}) {
  const { t } = useI18n();
  const hasActions = rows.some(({ actions }) => actions !== undefined);
  return (
    <div className="rows scroll-x" data-low={isLow} role="region" aria-label={label} tabIndex={0}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
            {hasActions && (
              <Table.Th>
                <span className="visually-hidden">{t('table.actions')}</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells, actions }) => (
            <Table.Tr key={key}>
              {cells.map((cell, at) => (
                <Table.Td key={heads[at]} data-label={at === 0 ? undefined : heads[at]}>
                  {cell && <div>{cell}</div>}
                </Table.Td>
              ))}
              {hasActions && <Table.Td>{actions && <div className="row-actions">{actions}</div>}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
