import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { JournalEntry } from 'signpost-client';
import { androidAppsQuery, iosAppsQuery, projectsQuery, tagsQuery } from '../../api/queries';
import { useI18n } from '../../i18n/i18n';
import { entryValues, type EntryValue } from './entry-values';

/** An entry shows so many of its values without a click. */
const maxShown = 6;

/** Shows the former and the new values of an entry. */
export function Changes({ entry }: { entry: JournalEntry }) {
  const { counted, ...i18n } = useI18n();
  const names = useNames(entry);
  const values = entryValues(entry, { ...i18n, names });
  const more = values.slice(maxShown);
  if (values.length === 0) return null;
  return (
    <Stack gap={4}>
      <Values values={values.slice(0, maxShown)} />
      {more.length > 0 && (
        <details>
          <Text component="summary" size="sm">
            {counted('history.moreValues', more.length)}
          </Text>
          <Values values={more} />
        </details>
      )}
    </Stack>
  );
}

function Values({ values }: { values: EntryValue[] }) {
  const { t } = useI18n();
  return values.map(({ label, before, after }) => (
    <Text key={label} size="sm" className="changes break">
      <span className="field">{label}:</span>{' '}
      {before === null || after === null ? (
        (after ?? before)
      ) : (
        <>
          {before ? <del>{before}</del> : <span className="field">{t('conflict.empty')}</span>} →{' '}
          <ins>{after || t('conflict.empty')}</ins>
        </>
      )}
    </Text>
  ));
}

/** Reads the names of the resources that an entry has the ids of. */
function useNames({ project_id: projectId, before, after }: JournalEntry): ReadonlyMap<string, string> {
  const names = Object.keys({ ...before, ...after });
  const has = (...fields: string[]): boolean => fields.some((field) => names.includes(field));
  const id = projectId ?? '';
  const isOfProject = projectId !== null;
  const lists = [
    useQuery({ ...iosAppsQuery(id), enabled: isOfProject && has('ios_app_id') }),
    useQuery({ ...androidAppsQuery(id), enabled: isOfProject && has('android_app_id') }),
    useQuery({ ...tagsQuery(id), enabled: isOfProject && has('tag_ids') }),
    useQuery({ ...projectsQuery(), enabled: has('project_ids', 'project_roles') }),
  ];
  return new Map(lists.flatMap(({ data }) => (data?.data ?? []).map(({ id: of, name }) => [of, name] as const)));
}
