import { Stack, Text } from '@mantine/core';
import type { JournalEntry } from 'signpost-client';
import { useI18n } from '../../i18n/i18n';
import { textsOfField } from '../../i18n/field-texts';

/** A deleted or new resource shows so many of its values. */
const maxShown = 6;

/** Columns that say nothing to a reader. */
const hidden = [
  'id',
  'project_id',
  'account_id',
  'user_id',
  'created_at',
  'created_by',
  'created_by_api_key_id',
  'name',
  'digest',
  'tag_ids',
];

/** Shows the former and the new values of an entry. */
export function Changes({ entry: { before, after, resource_count: count } }: { entry: JournalEntry }) {
  const { t } = useI18n();
  if (count > 1 && before === null && after === null) return null;
  const isUpdate = before !== null && after !== null;
  const names = Object.keys({ ...before, ...after }).filter((name) => isUpdate || !hidden.includes(name));
  const shown = names.filter((name) => isUpdate || !isEmpty((after ?? before)![name])).slice(0, maxShown);
  return (
    <Stack gap={4}>
      {shown.map((name) => {
        const label = textsOfField(name)?.label;
        return (
          <Text key={name} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Text span c="dimmed">
              {label ? t(label) : name}:
            </Text>{' '}
            {before !== null && <del>{written(before[name])}</del>}{' '}
            {after !== null && <ins>{written(after[name])}</ins>}
          </Text>
        );
      })}
    </Stack>
  );
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);

const maxLength = 200;

/** Returns a value as text, cut to the length of a cell. */
function written(value: unknown): string {
  if (isEmpty(value) && value !== false) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
