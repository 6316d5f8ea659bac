import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AnalyticsFilter, analyticsQuery, linksQuery, maxPageSize } from '../api/queries';
import { QueryView } from '../components/query-view';
import { useI18n } from '../i18n/i18n';
import { Bars } from './bars';

/** Lists the links with the most clicks. Statistics have ids only, so the names come from the newest links of the project. */
export function TopLinks({ projectId, filter }: { projectId: string; filter: AnalyticsFilter }) {
  const { t } = useI18n();
  const clicks = useQuery(analyticsQuery(projectId, null, { ...filter, group_by: 'link' }));
  const links = useQuery(
    linksQuery(projectId, { limit: maxPageSize, page: 1, sortBy: 'created_at', sortOrder: 'desc' }),
  );
  const names = new Map(links.data?.data.map(({ id, name }) => [id, name]));
  return (
    <QueryView query={clicks} height={260}>
      {(data) => (
        <Bars
          data={data}
          nameOf={(linkId) =>
            linkId === null ? (
              t('clicks.unknown.link')
            ) : (
              <Link className="row-link" to="/projects/$projectId/links/$linkId" params={{ projectId, linkId }}>
                {names.get(linkId) ?? t('clicks.link', { id: linkId.slice(-8) })}
              </Link>
            )
          }
        />
      )}
    </QueryView>
  );
}
