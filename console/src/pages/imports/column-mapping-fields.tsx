import { Alert, Paper, Select, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useI18n } from '../../i18n/i18n';
import {
  type Choice,
  columnFaults,
  leftOut,
  type MappingFault,
  reported,
  repeatedTargets,
  targetOfColumn,
} from './column-mapping';
import { labelOfTarget, paramPrefix, targetGroups } from './column-targets';
import type { CsvHead } from './csv-head';
import { MappingPreview } from './mapping-preview';

/** Asks what each column of a CSV file becomes. */
export function ColumnMapping({
  head: { columns, rows },
  choices,
  isRemembered,
  fault,
  isTried,
  onChange,
}: {
  head: CsvHead;
  choices: Choice[];
  /** Whether the choices are those of an earlier import. */
  isRemembered: boolean;
  fault: MappingFault | null;
  /** Whether faults of columns that are still being typed are shown. */
  isTried: boolean;
  onChange: (choices: Choice[]) => void;
}) {
  const { t, counted } = useI18n();
  const faults = columnFaults(columns, choices);
  const repeated = repeatedTargets(choices);
  const change = (at: number, choice: Choice): void =>
    onChange(choices.map((before, place) => (place === at ? choice : before)));
  return (
    <Paper className="card">
      <Stack gap="sm" p="lg" pb="sm">
        <Title order={2}>{t('imports.mapping')}</Title>
        <Text c="dimmed">{t(isRemembered ? 'imports.mapping.remembered' : 'imports.mapping.lead')}</Text>
        {fault !== null && (
          <Alert color="red" role="alert">
            {t(`imports.mapping.fault.${fault}`)}
          </Alert>
        )}
        {repeated > 0 && <Alert color="yellow">{counted('imports.mapping.twice', repeated)}</Alert>}
      </Stack>
      <div className="scroll-x" role="region" aria-label={t('imports.mapping')} tabIndex={0}>
        <Table verticalSpacing="sm" horizontalSpacing="lg" className="mapping">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('imports.mapping.column')}</Table.Th>
              <Table.Th>{t('imports.mapping.values')}</Table.Th>
              <Table.Th>{t('imports.mapping.becomes')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {columns.map((column, at) => (
              <Table.Tr key={column}>
                <Table.Td fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {column}
                </Table.Td>
                <Table.Td>
                  <Text size="sm" c="dimmed" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
                    {rows
                      .slice(0, 3)
                      .map((cells) => cells[at]?.slice(0, 100))
                      .filter(Boolean)
                      .join(' · ') || t('imports.mapping.empty')}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <ColumnChoice
                    column={column}
                    choice={choices[at] ?? reported}
                    error={
                      isTried || faults.get(at) !== 'paramName'
                        ? faults.has(at) && t(`imports.mapping.fault.${faults.get(at)!}`)
                        : false
                    }
                    onChange={(choice) => change(at, choice)}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <MappingPreview rows={rows} choices={choices} />
    </Paper>
  );
}

function ColumnChoice({
  column,
  choice,
  error,
  onChange,
}: {
  column: string;
  choice: Choice;
  error: string | false;
  onChange: (choice: Choice) => void;
}) {
  const { t } = useI18n();
  const isParam = choice.startsWith(paramPrefix);
  const groups = targetGroups.map(([group, members]) => ({
    group: t(`imports.mapping.group.${group}`),
    items: members.map((target) => ({ value: target, label: t(labelOfTarget(target)) })),
  }));
  const others = {
    group: t('imports.mapping.group.other'),
    items: [
      { value: paramPrefix, label: t('imports.mapping.param') },
      // The service takes a column that has the name of a target, unless it is left out.
      ...(targetOfColumn(column) ? [] : [{ value: 'report', label: t('imports.mapping.reported') }]),
      { value: leftOut, label: t('imports.mapping.leftOut') },
    ],
  };
  return (
    <Stack gap="xs">
      <Select
        aria-label={t('imports.mapping.of', { column })}
        data={[...groups, others]}
        value={isParam ? paramPrefix : choice === reported ? 'report' : choice}
        onChange={(value) => value !== null && onChange(value === 'report' ? reported : value)}
        allowDeselect={false}
        searchable
        error={!isParam && error}
      />
      {isParam && (
        <TextInput
          aria-label={t('imports.mapping.paramName', { column })}
          placeholder="utm_campaign"
          value={choice.slice(paramPrefix.length)}
          onChange={(event) => onChange(paramPrefix + event.currentTarget.value)}
          error={error}
        />
      )}
    </Stack>
  );
}
