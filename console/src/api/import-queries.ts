import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Import, ImportRow, operations } from 'signpost-client';
import { answerOf, api } from './client';
import { maxPageSize } from './queries';
import { uploadOf } from './upload-file';

type ImportOptions = NonNullable<operations['createImport']['parameters']['query']>;
export type CreateImportFromApiBody = operations['createImportFromApi']['requestBody']['content']['application/json'];
type Outcome = NonNullable<NonNullable<operations['listImportRows']['parameters']['query']>['outcome']>;

/** The list is read again while one of its imports works. */
const listIntervalMs = 5000;

/** Whether the state of an import changes without its owner. */
export const isWorking = ({ state }: Pick<Import, 'state'>): boolean =>
  state === 'uploading' || state === 'checking' || state === 'running';

/** Whether the import has come to its end, so that it can be deleted. */
export const isEnded = ({ state }: Pick<Import, 'state'>): boolean => hasNoRows(state) || state === 'completed';

/** Whether its rows can be listed and downloaded. Those of cancelled and failed imports are removed. */
export const hasRows = (job: Pick<Import, 'state' | 'processed'>): boolean =>
  !isWorking(job) && !hasNoRows(job.state) && job.processed > 0;

const hasNoRows = (state: Import['state']): boolean => state === 'cancelled' || state === 'failed';

/** Whether the service reads the list of another system. */
export const isFetching = ({ state, format }: Pick<Import, 'state' | 'format'>): boolean =>
  state === 'uploading' && format === 'api';

export const importsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'imports'],
    queryFn: () =>
      answerOf(
        api.GET('/projects/{projectId}/imports', { params: { path: { projectId }, query: { limit: maxPageSize } } }),
      ),
    refetchInterval: ({ state }) => (state.data?.data.some(isWorking) ? listIntervalMs : false),
  });

export const importQuery = (projectId: string, importId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'imports', importId],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/projects/{projectId}/imports/{importId}', { params: { path: { projectId, importId } } }),
        )
      ).data,
  });

/** Reads a page of rows. Rows have an id, as items of other lists. */
export const importRowsQuery = (
  { project_id: projectId, id: importId, state }: Import,
  outcome: Outcome | undefined,
  { page, limit }: { page: number; limit: number },
) =>
  queryOptions({
    queryKey: ['project', projectId, 'imports', importId, 'rows', state, outcome, page, limit],
    queryFn: async () => {
      const { data, pagination } = await answerOf(
        api.GET('/projects/{projectId}/imports/{importId}/rows', {
          params: { path: { projectId, importId }, query: { page, limit, ...(outcome && { outcome }) } },
        }),
      );
      return { data: data.map((row: ImportRow) => ({ ...row, id: String(row.row) })), pagination };
    },
    placeholderData: keepPreviousData,
  });

/** Uploads a file, and returns the import whose dry run begins. */
export async function createImport(
  projectId: string,
  { file, mediaType, ...query }: ImportOptions & { file: File; mediaType: string },
  onProgress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Import> {
  const { data } = await answerOf(
    api.POST('/projects/{projectId}/imports', {
      params: { path: { projectId }, query },
      headers: { 'Content-Type': mediaType },
      body: '',
      fetch: uploadOf(file, onProgress, signal),
    }),
  );
  return data;
}

/** Cancels an import that a new one replaces, if it was not run. The new one works with both. */
export async function discardDryRun(projectId: string, importId: string): Promise<void> {
  const path = { projectId, importId };
  try {
    const { data } = await answerOf(api.GET('/projects/{projectId}/imports/{importId}', { params: { path } }));
    if (data.state === 'ready')
      await answerOf(api.POST('/projects/{projectId}/imports/{importId}/cancel', { params: { path } }));
  } catch {
    // It has ended, or its owner cancels it later.
  }
}

/** Lets the service read the list of another system, and returns the import that gets its links. */
export async function createImportFromApi(projectId: string, body: CreateImportFromApiBody): Promise<Import> {
  const { data } = await answerOf(
    api.POST('/projects/{projectId}/imports/from-api', { params: { path: { projectId } }, body }),
  );
  return data;
}

/** Returns the processed rows with their outcomes as CSV. */
export const importReport = ({ project_id: projectId, id: importId }: Import, outcome: Outcome | undefined) =>
  answerOf(
    api.GET('/projects/{projectId}/imports/{importId}/report', {
      params: { path: { projectId, importId }, query: { ...(outcome && { outcome }) } },
      parseAs: 'blob',
    }),
  );
