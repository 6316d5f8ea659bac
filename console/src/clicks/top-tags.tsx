import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AnalyticsFilter, analyticsQuery } from '../api/queries';
import { QueryView } from '../components/query-view';
import { useI18n } from '../i18n/i18n';
import { Bars } from './bars';

/** Lists the tags with the most clicks. A link counts in each of its tags. */
export function TopTags({ projectId, filter }: { projectId: string; filter: AnalyticsFilter }) {
  const { t } = useI18n();
  const clicks = useQuery(analyticsQuery(projectId, null, { ...filter, group_by: 'tag' }));
  return (
    <QueryView query={clicks} height={260}>
      {(data) => (
        <Bars
          data={data}
          nameOf={({ name }) =>
            name === null ? (
              t('clicks.unknown.tag')
            ) : (
              <Link className="row-link" to="/projects/$projectId/links" params={{ projectId }} search={{ tag: name }}>
                {name}
              </Link>
            )
          }
        />
      )}
    </QueryView>
  );
}
