import { ActionIcon, Button, Group, Table, Text, TextInput } from '@mantine/core';
import type { ClipboardEvent } from 'react';
import { IconPlus, IconTrash } from '../../components/icons';
import { useI18n } from '../../i18n/i18n';
import { type CampaignRow, columns, emptyRow, maxRows, pasted } from './campaign';

/** The links of a campaign, as a table that takes cells of a spreadsheet. */
export function CampaignTable({
  rows,
  errors,
  onChange,
}: {
  rows: CampaignRow[];
  /** Messages by the place of their row. */
  errors: ReadonlyMap<number, string>;
  onChange: (rows: CampaignRow[]) => void;
}) {
  const { t } = useI18n();
  const set = (at: number, column: keyof CampaignRow, value: string): void =>
    onChange(rows.map((row, place) => (place === at ? { ...row, [column]: value } : row)));
  const paste =
    (at: number, column: keyof CampaignRow) =>
    (event: ClipboardEvent): void => {
      const next = pasted(rows, at, column, event.clipboardData.getData('text'));
      if (next === null) return;
      event.preventDefault();
      onChange(next);
    };
  return (
    <>
      <div className="scroll-x" role="region" aria-label={t('campaign.rows')} tabIndex={0}>
        <Table className="campaign-table" verticalSpacing={4} horizontalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column}>{t(`campaign.${column}`)}</Table.Th>
              ))}
              <Table.Th>
                <span className="visually-hidden">{t('table.actions')}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, at) => (
              <Table.Tr key={at}>
                {columns.map((column, place) => (
                  <Table.Td key={column} data-label={t(`campaign.${column}`)}>
                    <TextInput
                      aria-label={t('campaign.cell', { column: t(`campaign.${column}`), number: at + 1 })}
                      value={row[column]}
                      error={place === 0 ? errors.get(at) : undefined}
                      onChange={(event) => set(at, column, event.currentTarget.value)}
                      onPaste={paste(at, column)}
                    />
                  </Table.Td>
                ))}
                <Table.Td>
                  <ActionIcon
                    variant="subtle"
                    size={36}
                    aria-label={t('campaign.removeRow', { number: at + 1 })}
                    onClick={() => onChange(rows.filter((_, other) => other !== at))}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Group justify="space-between">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={rows.length >= maxRows}
          onClick={() => onChange([...rows, { ...emptyRow }])}
        >
          {t('campaign.addRow')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('campaign.pasteHint')}
        </Text>
      </Group>
    </>
  );
}
