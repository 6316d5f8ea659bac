import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AnalyticsFilter, analyticsQuery } from '../api/queries';
import { IconExternalLink } from '../components/icons';
import { QueryView } from '../components/query-view';
import { useI18n } from '../i18n/i18n';
import { Bars } from './bars';
import { filterOf, type FilterName, lacksValue, valueOfGroup } from './filters';
import { type Property, useGroupName } from './use-group-name';

export interface Scope {
  projectId: string;
  linkId: string | null;
  filter: AnalyticsFilter;
  /** The conditions that opens of apps have too. */
  appFilter: AnalyticsFilter;
  onFilter: (name: FilterName, value: string) => void;
}

/** Shows the clicks by one property. A click on a bar filters by it. */
export function Breakdown({ projectId, linkId, filter, appFilter, onFilter, group }: Scope & { group: Property }) {
  const { t } = useI18n();
  const nameOf = useGroupName();
  const query = group === 'version' ? { ...appFilter, metric: 'opens' as const } : filter;
  const clicks = useQuery(analyticsQuery(projectId, linkId, { ...query, group_by: group }));
  return (
    <QueryView query={clicks} height={260}>
      {(data) => (
        <Bars
          data={data}
          nameOf={(one) => nameOf(group, one)}
          isApart={({ value }) => lacksValue(group, value)}
          onSelect={(one) => {
            if (group === 'version') return null;
            const value = valueOfGroup(group, one);
            return value === null ? null : () => onFilter(filterOf[group], value);
          }}
          action={({ value, name }) =>
            group === 'link' &&
            value !== null &&
            name !== null && (
              <ActionIcon
                variant="subtle"
                size={24}
                aria-label={t('clicks.openLink', { name })}
                renderRoot={(props) => (
                  <Link {...props} to="/projects/$projectId/links/$linkId" params={{ projectId, linkId: value }} />
                )}
              >
                <IconExternalLink size={16} aria-hidden />
              </ActionIcon>
            )
          }
        />
      )}
    </QueryView>
  );
}
