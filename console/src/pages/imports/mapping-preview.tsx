import { Box, Table, Title } from '@mantine/core';
import { useI18n } from '../../i18n/i18n';
import { type Choice, leftOut, reported } from './column-mapping';
import { labelOfTarget, paramPrefix, type Target } from './column-targets';

const maxLength = 80;

/** Shows the first rows by the fields that their columns become. */
export function MappingPreview({ rows, choices }: { rows: string[][]; choices: Choice[] }) {
  const { t } = useI18n();
  const mapped = [...choices.entries()].filter(([, choice]) => choice !== reported && choice !== leftOut);
  if (mapped.length === 0 || rows.length === 0) return null;
  const label = (choice: Choice): string =>
    choice.startsWith(paramPrefix)
      ? choice.slice(paramPrefix.length) || t('imports.mapping.param')
      : t(labelOfTarget(choice as Target));
  return (
    <>
      <Box px="lg" pt="lg" pb="xs">
        <Title order={3}>{t('imports.mapping.preview')}</Title>
      </Box>
      <div className="scroll-x" role="region" aria-label={t('imports.mapping.preview')} tabIndex={0}>
        <Table verticalSpacing="xs" horizontalSpacing="lg" miw={mapped.length * 160}>
          <Table.Thead>
            <Table.Tr>
              {mapped.map(([at, choice]) => (
                <Table.Th key={at}>{label(choice)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((cells, row) => (
              <Table.Tr key={row}>
                {mapped.map(([at]) => (
                  <Table.Td key={at} fz="sm" maw={280} style={{ overflowWrap: 'anywhere' }}>
                    {clipped(cells[at] ?? '')}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </>
  );
}

const clipped = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
