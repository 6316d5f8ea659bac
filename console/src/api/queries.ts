import { infiniteQueryOptions, keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import type { operations } from 'signpost-client';
import { allPages } from './all-pages';
import { answerOf, api, versionOf } from './client';

export type LinkFilter = NonNullable<operations['listDynamicLinks']['parameters']['query']>;
export type AnalyticsFilter = NonNullable<operations['getDynamicLinkAnalytics']['parameters']['query']>;
export type ProjectAnalyticsFilter = NonNullable<operations['getProjectAnalytics']['parameters']['query']>;
export type ExplainFilter = NonNullable<operations['explainVisit']['parameters']['query']>;

type BodyOf<O extends 'explainNewLink' | 'explainChangedLink'> =
  operations[O]['requestBody']['content']['application/json'];

/** A stored link, with changes that are not saved or without; or a link that is not created yet. */
export type ExplainedLink =
  | { linkId: string; body: BodyOf<'explainChangedLink'> | null }
  | { linkId: null; body: BodyOf<'explainNewLink'> };

/** The largest page of a list. */
export const maxPageSize = 100;

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => (await answerOf(api.GET('/account'))).data,
});

export const serviceHealthQuery = queryOptions({
  queryKey: ['service-health'],
  queryFn: async () => (await answerOf(api.GET('/service-health'))).data,
});

export const protectionQuery = queryOptions({
  queryKey: ['account', 'protection'],
  queryFn: async () => (await answerOf(api.GET('/account/protection'))).data,
});

export const apiKeysQuery = (page: number) =>
  queryOptions({
    queryKey: ['api-keys', page],
    queryFn: () => answerOf(api.GET('/account/api-keys', { params: { query: { page, limit: 25 } } })),
    placeholderData: keepPreviousData,
  });

export const membersQuery = (page: number) =>
  queryOptions({
    queryKey: ['members', page],
    queryFn: () => answerOf(api.GET('/account/members', { params: { query: { page, limit: 25 } } })),
    placeholderData: keepPreviousData,
  });

export const approvalsQuery = (page: number) =>
  queryOptions({
    queryKey: ['approvals', page],
    queryFn: () => answerOf(api.GET('/account/approvals', { params: { query: { page, limit: 25 } } })),
    placeholderData: keepPreviousData,
  });

export const usersQuery = (page: number) =>
  queryOptions({
    queryKey: ['users', page],
    queryFn: () => answerOf(api.GET('/account/users', { params: { query: { page, limit: 25 } } })),
    placeholderData: keepPreviousData,
  });

export const projectsQuery = (search = '', page = 1) =>
  queryOptions({
    queryKey: ['projects', search, page],
    queryFn: () =>
      answerOf(
        api.GET('/projects', {
          params: { query: { limit: maxPageSize, page, sortBy: 'name', sortOrder: 'asc', ...(search && { search }) } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

const pathOf = (projectId: string) => ({ path: { projectId } });

export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId],
    queryFn: () => versionOf(api.GET('/projects/{projectId}', { params: pathOf(projectId) })),
  });

export const linksQuery = (projectId: string, query: LinkFilter) =>
  queryOptions({
    queryKey: ['project', projectId, 'links', query],
    queryFn: () => answerOf(api.GET('/projects/{projectId}/links', { params: { ...pathOf(projectId), query } })),
    placeholderData: keepPreviousData,
  });

/** Reads all links that filters find. */
export const matchingLinksQuery = (projectId: string, filter: LinkFilter) =>
  queryOptions({
    queryKey: ['project', projectId, 'links', 'matching', filter],
    queryFn: () =>
      allPages(
        (page) =>
          answerOf(
            api.GET('/projects/{projectId}/links', {
              params: { ...pathOf(projectId), query: { ...filter, limit: maxPageSize, page, sortBy: 'created_at' } },
            }),
          ),
        ({ id }) => id,
      ),
    staleTime: 0,
    gcTime: 0,
  });

/** Reads the first tags by name. Links create tags, so the key is below that of links. */
export const tagsQuery = (projectId: string, search = '') =>
  queryOptions({
    queryKey: ['project', projectId, 'links', 'tags', search],
    queryFn: () =>
      answerOf(
        api.GET('/projects/{projectId}/tags', {
          params: {
            ...pathOf(projectId),
            query: { limit: maxPageSize, sortBy: 'name', sortOrder: 'asc', ...(search && { search }) },
          },
        }),
      ),
  });

export const linkQuery = (projectId: string, linkId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'link', linkId],
    queryFn: () =>
      versionOf(api.GET('/projects/{projectId}/links/{linkId}', { params: { path: { projectId, linkId } } })),
  });

/** A change of a link reads the queries of `links` again. */
export const linkLifeQuery = (projectId: string, linkId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'links', linkId, 'life'],
    queryFn: () =>
      answerOf(api.GET('/projects/{projectId}/links/{linkId}/life', { params: { path: { projectId, linkId } } })),
  });

export const sharesQuery = (projectId: string, page: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'shares', page],
    queryFn: () =>
      answerOf(
        api.GET('/projects/{projectId}/shares', { params: { ...pathOf(projectId), query: { page, limit: 10 } } }),
      ),
    placeholderData: keepPreviousData,
  });

export const shortLinksQuery = (projectId: string, linkId: string, page: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'short-links', linkId, page],
    queryFn: () =>
      answerOf(
        api.GET('/projects/{projectId}/short-links', {
          params: { ...pathOf(projectId), query: { dynamic_link_id: linkId, page, limit: 25 } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

/**
 * Counts the clicks of a project, or of one of its links.
 * @param linkId null for all links of the project, which can also be grouped by tag
 */
export const analyticsQuery = <L extends string | null>(
  projectId: string,
  linkId: L,
  query: L extends string ? AnalyticsFilter : ProjectAnalyticsFilter,
) =>
  queryOptions({
    queryKey: ['project', projectId, 'analytics', linkId, query],
    queryFn: async () => {
      const answer = await (linkId === null
        ? answerOf(api.GET('/projects/{projectId}/analytics', { params: { ...pathOf(projectId), query } }))
        : answerOf(
            api.GET('/projects/{projectId}/links/{linkId}/analytics', {
              params: { path: { projectId, linkId }, query: query as AnalyticsFilter },
            }),
          ));
      return answer.data;
    },
    placeholderData: keepPreviousData,
  });

export type ConversionFilter = NonNullable<operations['getConversionAnalytics']['parameters']['query']>;

/** Counts the conversions of a project, or of some of its links. */
export const conversionsQuery = (projectId: string, query: ConversionFilter) =>
  queryOptions({
    queryKey: ['project', projectId, 'conversions', query],
    queryFn: async () => {
      const params = { ...pathOf(projectId), query };
      return (await answerOf(api.GET('/projects/{projectId}/analytics/conversions', { params }))).data;
    },
    placeholderData: keepPreviousData,
  });

export type StoreFunnelFilter = NonNullable<operations['getStoreFunnel']['parameters']['query']>;

/** Counts the way through the store of a project, or of some of its links. */
export const storeFunnelQuery = (projectId: string, query: StoreFunnelFilter) =>
  queryOptions({
    queryKey: ['project', projectId, 'store-funnel', query],
    queryFn: async () => {
      const params = { ...pathOf(projectId), query };
      const { data } = await answerOf(api.GET('/projects/{projectId}/analytics/store-funnel', { params }));
      return data;
    },
    placeholderData: keepPreviousData,
  });

/** Returns the clicks of a project, or of one of its links, as CSV. */
export function clicksFile(projectId: string, linkId: string | null, filter: ProjectAnalyticsFilter): Promise<Blob> {
  const query = { ...filter, format: 'csv' as const };
  const parseAs = 'blob';
  return linkId === null
    ? answerOf(api.GET('/projects/{projectId}/analytics', { params: { ...pathOf(projectId), query }, parseAs }))
    : answerOf(
        api.GET('/projects/{projectId}/links/{linkId}/analytics', {
          params: { path: { projectId, linkId }, query: query as AnalyticsFilter & { format: 'csv' } },
          parseAs,
        }),
      );
}

export type ClickFilter = NonNullable<operations['listClicks']['parameters']['query']>;

/** Lists single clicks, newest first, by pages that follow each other. */
export const singleClicksQuery = (projectId: string, query: ClickFilter) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'clicks', query],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/projects/{projectId}/clicks', {
          params: { ...pathOf(projectId), query: { ...query, ...(pageParam && { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.nextCursor,
  });

/** Explains a visit of a link. Null asks nothing. */
export const explainQuery = (projectId: string, link: ExplainedLink | null, query: ExplainFilter) =>
  queryOptions({
    queryKey: ['project', projectId, 'explain', link?.linkId, query, link?.body],
    queryFn: link === null ? skipToken : ({ signal }) => explained(projectId, link, query, signal),
    placeholderData: keepPreviousData,
  });

async function explained(projectId: string, link: ExplainedLink, query: ExplainFilter, signal: AbortSignal) {
  const { linkId, body } = link;
  if (linkId === null)
    return (
      await answerOf(
        api.POST('/projects/{projectId}/explain', { params: { ...pathOf(projectId), query }, body, signal }),
      )
    ).data;
  const params = { path: { projectId, linkId }, query };
  const answer = await answerOf(
    body === null
      ? api.GET('/projects/{projectId}/links/{linkId}/explain', { params, signal })
      : api.POST('/projects/{projectId}/links/{linkId}/explain', { params, body, signal }),
  );
  return answer.data;
}

export const linkTemplatesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'link-templates'],
    // A project has fewer than a page.
    queryFn: async () => {
      const query = { limit: maxPageSize, sortBy: 'name', sortOrder: 'asc' } as const;
      const params = { ...pathOf(projectId), query };
      return (await answerOf(api.GET('/projects/{projectId}/link-templates', { params }))).data;
    },
  });

export const iosAppsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'ios-apps'],
    queryFn: () =>
      allPages(
        (page) =>
          answerOf(
            api.GET('/projects/{projectId}/ios-apps', {
              params: { ...pathOf(projectId), query: { limit: maxPageSize, page } },
            }),
          ),
        ({ id }) => id,
      ),
  });

export const androidAppsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'android-apps'],
    queryFn: () =>
      allPages(
        (page) =>
          answerOf(
            api.GET('/projects/{projectId}/android-apps', {
              params: { ...pathOf(projectId), query: { limit: maxPageSize, page } },
            }),
          ),
        ({ id }) => id,
      ),
  });

/** The newest hundred, which are all that an app may have. */
export const releasesQuery = (projectId: string, platform: 'ios' | 'android', appId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'releases', appId],
    queryFn: async () => {
      const params = { path: { projectId, appId }, query: { limit: maxPageSize } };
      return platform === 'ios'
        ? (await answerOf(api.GET('/projects/{projectId}/ios-apps/{appId}/releases', { params }))).data
        : (await answerOf(api.GET('/projects/{projectId}/android-apps/{appId}/releases', { params }))).data;
    },
  });

export const associationHealthQuery = (projectId: string, probe: boolean) =>
  queryOptions({
    queryKey: ['project', projectId, 'association-health', probe],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/projects/{projectId}/association-health', { params: { ...pathOf(projectId), query: { probe } } }),
        )
      ).data,
  });

export const customDomainsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'custom-domains'],
    queryFn: () =>
      allPages(
        (page) =>
          answerOf(
            api.GET('/projects/{projectId}/custom-domains', {
              params: { ...pathOf(projectId), query: { limit: maxPageSize, page } },
            }),
          ),
        ({ id }) => id,
      ),
  });

export const formerSubdomainsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'former-subdomains'],
    queryFn: () =>
      allPages(
        (page) =>
          answerOf(
            api.GET('/projects/{projectId}/former-subdomains', {
              params: { ...pathOf(projectId), query: { limit: maxPageSize, page } },
            }),
          ),
        ({ subdomain }) => subdomain,
      ),
  });
