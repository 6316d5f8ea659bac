import { Text } from '@mantine/core';
import type { ImportRow } from 'signpost-client';
import { useI18n } from '../../i18n/i18n';

/** Fields that are shown without a click. */
const shownFields = 3;
const shownLength = 80;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Shows the first fields of a row, and all of them on request. */
export function RecordCells({ row: { row, record } }: { row: ImportRow }) {
  const { t, number } = useI18n();
  if (record === null) return <Text c="dimmed">{t('imports.unreadable')}</Text>;
  const fields = Object.entries(record)
    .map(([name, value]) => [name, textOf(value)] as const)
    .filter(([, text]) => text.trim() !== '');
  const isShort = fields.length <= shownFields && fields.every(([, text]) => text.length <= shownLength);
  return (
    <>
      {fields.slice(0, shownFields).map(([name, text]) => (
        <Field key={name} name={name} text={text.length > shownLength ? `${text.slice(0, shownLength)}…` : text} />
      ))}
      {!isShort && (
        <details>
          <Text component="summary" size="sm">
            {t('imports.whole', { row: number(row) })}
          </Text>
          {fields.map(([name, text]) => (
            <Field key={name} name={name} text={text} />
          ))}
        </details>
      )}
    </>
  );
}

function Field({ name, text }: { name: string; text: string }) {
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text span size="sm" c="dimmed">
        {name}:{' '}
      </Text>
      {text}
    </Text>
  );
}
