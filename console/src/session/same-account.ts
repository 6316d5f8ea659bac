import type { QueryClient } from '@tanstack/react-query';
import { type Account, createClient } from 'signpost-client';
import { errorOf } from '../api/api-error';
import { accountQuery } from '../api/queries';
import { settings } from '../app/settings';

/**
 * Returns whether a key belongs to the account whose data the pages have read. Without any data, it does not.
 * @throws ApiError if the service refuses the key
 */
export async function isSameAccount(key: string, read: QueryClient): Promise<boolean> {
  const api = createClient({ baseUrl: new URL(settings.apiBaseUrl, location.origin).href, token: () => key });
  const known = read.getQueryData<Account>(accountQuery.queryKey);
  const { data, error, response } = await api.GET('/account');
  if (!response.ok) throw errorOf(response, error);
  if (known) return data?.data.id === known.id;
  const projectId = projectIdIn(read);
  if (projectId === undefined) return false;
  const project = await api.GET('/projects/{projectId}', { params: { path: { projectId } } });
  return project.response.ok;
}

/** Returns the id of a project that the pages have read. Other accounts cannot read it. */
function projectIdIn(read: QueryClient): string | undefined {
  for (const query of read.getQueryCache().getAll()) {
    const [kind, projectId] = query.queryKey;
    if (kind === 'project' && typeof projectId === 'string' && query.state.data !== undefined) return projectId;
    if (kind !== 'projects') continue;
    const list = query.state.data as { data: { id: string }[] } | undefined;
    if (list?.data[0]) return list.data[0].id;
  }
  return undefined;
}
