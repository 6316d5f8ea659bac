import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Import } from 'signpost-client';
import { importQuery, importsQuery } from '../../api/import-queries';
import { useAbortOnUnmount } from '../../components/use-abort-on-unmount';

/** Returns functions that open the page of a new import in place of its form, unless the form was left meanwhile. */
export function useShowImport(projectId: string): {
  /** Returns a signal that aborts when the form is left. */
  abortOnUnmount: () => AbortSignal;
  show: (job: Import, left: AbortSignal) => Promise<void>;
} {
  const client = useQueryClient();
  const navigate = useNavigate();
  const abortOnUnmount = useAbortOnUnmount();
  const show = async (job: Import, left: AbortSignal): Promise<void> => {
    const { id: importId } = job;
    client.setQueryData(importQuery(projectId, importId).queryKey, job);
    void client.invalidateQueries({ queryKey: importsQuery(projectId).queryKey, exact: true });
    if (left.aborted) return;
    await navigate({
      to: '/projects/$projectId/imports/$importId',
      params: { projectId, importId },
      replace: true,
      ignoreBlocker: true,
    });
  };
  return { abortOnUnmount, show };
}
