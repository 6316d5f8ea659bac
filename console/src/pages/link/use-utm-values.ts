import { useQuery } from '@tanstack/react-query';
import { linksQuery, maxPageSize } from '../../api/queries';
import { utmNames } from './utm-parameters';

/**
 * Returns the values of UTM parameters that the newest links of the project have, by parameter. These are proposals only, so the
 * page does not read older links.
 */
export function useUtmValues(projectId: string, enabled: boolean): Record<string, string[]> {
  const query = linksQuery(projectId, { limit: maxPageSize, sortBy: 'created_at', sortOrder: 'desc' });
  const links = useQuery({ ...query, enabled }).data?.data ?? [];
  const valuesOf = (name: string): string[] =>
    [...new Set(links.flatMap(({ referrer_params: params }) => params?.[name] || []))].sort();
  return Object.fromEntries(utmNames.map((name) => [name, valuesOf(name)]));
}
