import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useI18n } from '../i18n/i18n';
import type { Conflict } from './use-versioned-form';

const maxShownLength = 200;

/** Says what somebody else changed since a form was loaded, and lets the user decide. */
export function VersionConflict<Values extends object>({
  theirs,
  inConflict,
  others,
  labelOf,
  textOf,
  onOverwrite,
  onTakeTheirs,
}: Conflict<Values> & {
  labelOf: (field: keyof Values & string) => string;
  /** Returns the text of a value that is neither a text, a list nor a switch; undefined for the others. */
  textOf?: (field: keyof Values & string, value: Values[keyof Values]) => string | undefined;
}) {
  const { t, locale } = useI18n();
  const shown = (field: keyof Values & string): string => {
    const value = theirs[field];
    if (typeof value === 'boolean') return t(value ? 'conflict.on' : 'conflict.off');
    const text =
      textOf?.(field, value) ??
      (typeof value === 'object' && value !== null
        ? Object.values(value).filter(Boolean).join(', ')
        : String(value ?? ''));
    return text.slice(0, maxShownLength) || t('conflict.empty');
  };
  return (
    <Alert color="yellow" title={t('conflict.title')} role="alert">
      <Stack gap="sm">
        <Text>{t(inConflict.length > 0 ? 'conflict.text' : 'conflict.noneText')}</Text>
        {inConflict.length > 0 && (
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {inConflict.map((field) => (
              <List.Item key={field}>
                {labelOf(field)}: <strong>{shown(field)}</strong>
              </List.Item>
            ))}
          </List>
        )}
        {others.length > 0 && (
          <Text size="sm">
            {t('conflict.others', { fields: new Intl.ListFormat(locale).format(others.map(labelOf)) })}
          </Text>
        )}
        <Group>
          <Button size="xs" variant="default" onClick={onTakeTheirs}>
            {t('conflict.takeTheirs')}
          </Button>
          <Button size="xs" onClick={onOverwrite}>
            {t('conflict.overwrite')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
