import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AnalyticsFilter, analyticsQuery } from '../api/queries';
import { QueryView } from '../components/query-view';
import { useI18n } from '../i18n/i18n';
import { Bars } from './bars';

/** The service counts all long links of Firebase as one link. */
const longLinksId = '00000000-0000-0000-0000-000000000000';

/** Lists the links with the most clicks. */
export function TopLinks({ projectId, filter }: { projectId: string; filter: AnalyticsFilter }) {
  const { t } = useI18n();
  const clicks = useQuery(analyticsQuery(projectId, null, { ...filter, group_by: 'link' }));
  return (
    <QueryView query={clicks} height={260}>
      {(data) => (
        <Bars
          data={data}
          nameOf={({ value: linkId, name, path }) => {
            if (linkId === null) return t('clicks.unknown.link');
            if (linkId === longLinksId) return t('clicks.longLinks');
            if (name === null) return t('clicks.deletedLink', { id: linkId.slice(-8) });
            return (
              <Link
                className="row-link"
                to="/projects/$projectId/links/$linkId"
                params={{ projectId, linkId }}
                title={`/${path}`}
              >
                {name}
              </Link>
            );
          }}
        />
      )}
    </QueryView>
  );
}
