import { Group, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { androidAppsQuery, iosAppsQuery } from '../../api/queries';
import { SearchField } from '../../components/search-field';
import { useTagSuggestions } from '../../components/use-tag-suggestions';
import { useI18n } from '../../i18n/i18n';
import { firstOrder, type LinksSearch, type Order } from './links-search';

/** Orders that a narrow window offers, because its cards have no heads. */
const orders = [
  ['created_at', 'links.created'],
  ['clicks', 'links.clicks'],
  ['name', 'links.name'],
  ['custom_path', 'links.url'],
] as const satisfies [Order['sortBy'], string][];

const states = ['false', 'true', 'any'] as const;

export function LinkFilters({
  projectId,
  state,
  onChange,
}: {
  projectId: string;
  state: LinksSearch;
  onChange: (changes: Partial<LinksSearch>) => void;
}) {
  const { t } = useI18n();
  const ios = useQuery(iosAppsQuery(projectId)).data?.data ?? [];
  const android = useQuery(androidAppsQuery(projectId)).data?.data ?? [];
  const { tags, hasTags, field: tagSearch } = useTagSuggestions(projectId, { chosen: state.tag });
  const apps = [
    { group: 'iOS', items: ios.map(({ id, name }) => ({ value: `ios:${id}`, label: name })) },
    { group: 'Android', items: android.map(({ id, name }) => ({ value: `android:${id}`, label: name })) },
  ].filter(({ items }) => items.length > 0);
  const app = state.ios_app_id
    ? `ios:${state.ios_app_id}`
    : state.android_app_id
      ? `android:${state.android_app_id}`
      : null;

  return (
    <Group gap="sm" className="filters">
      <SearchField label={t('links.search')} search={state.search} onSearch={(search) => onChange({ search })} />
      {apps.length > 0 && (
        <Select
          aria-label={t('links.filterByApp')}
          placeholder={t('links.anyApp')}
          data={apps}
          value={app}
          clearable
          clearButtonProps={{ 'aria-label': t('links.anyApp') }}
          onChange={(value) => {
            const [platform, id] = value?.split(':') ?? [];
            onChange({
              ios_app_id: platform === 'ios' ? id : undefined,
              android_app_id: platform === 'android' ? id : undefined,
            });
          }}
          w={220}
        />
      )}
      {(hasTags || state.tag !== undefined) && (
        <Select
          aria-label={t('links.filterByTag')}
          placeholder={t('links.anyTag')}
          data={[...new Set([...tags.map(({ name }) => name), ...(state.tag === undefined ? [] : [state.tag])])]}
          value={state.tag ?? null}
          searchable
          {...tagSearch}
          clearable
          clearButtonProps={{ 'aria-label': t('links.anyTag') }}
          onChange={(value) => onChange({ tag: value ?? undefined })}
          w={200}
        />
      )}
      <Select
        aria-label={t('links.filterByState')}
        data={states.map((value) => ({ value, label: t(`links.state.${value}`) }))}
        value={state.archived ?? 'false'}
        onChange={(value) => onChange({ archived: value === 'true' || value === 'any' ? value : undefined })}
        allowDeselect={false}
        w={150}
      />
      <Select
        hiddenFrom="sm"
        aria-label={t('links.order')}
        data={orders.map(([value, label]) => ({ value, label: t(label) }))}
        value={state.sortBy ?? 'created_at'}
        onChange={(value) => {
          const sortBy = value!;
          onChange({ sortBy, sortOrder: firstOrder(sortBy) });
        }}
        allowDeselect={false}
        w={150}
      />
    </Group>
  );
}
