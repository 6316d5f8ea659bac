import { infiniteQueryOptions } from '@tanstack/react-query';
import type { JournalPage, operations } from 'signpost-client';
import { answerOf, api } from './client';

type Filter = Pick<NonNullable<operations['listAuditLogEntries']['parameters']['query']>, 'type' | 'resource_id'>;

const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }: JournalPage) => pagination.nextCursor ?? undefined,
};

const pageOf = <F extends Filter>(filter: F, cursor: string | undefined) => ({
  ...filter,
  limit: 50,
  ...(cursor !== undefined && { cursor: Number(cursor) }),
});

/** Reads the history of a project, page by page. */
export const historyQuery = (projectId: string, filter: Filter & { restorable?: boolean }) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'history', filter],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/projects/{projectId}/history', {
          params: { path: { projectId }, query: pageOf(filter, pageParam) },
        }),
      ),
    ...pages,
  });

/** Reads the audit log of the account, page by page. */
export const auditLogQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', filter],
    queryFn: ({ pageParam }) =>
      answerOf(api.GET('/account/audit-log', { params: { query: pageOf(filter, pageParam) } })),
    ...pages,
  });
