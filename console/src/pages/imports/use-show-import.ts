import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Import } from 'signpost-client';
import { importQuery, importsQuery } from '../../api/import-queries';

/** Returns a function that opens the page of a new import in place of its form. */
export function useShowImport(): (job: Import) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (job) => {
    const { project_id: projectId, id: importId } = job;
    client.setQueryData(importQuery(projectId, importId).queryKey, job);
    void client.invalidateQueries({ queryKey: importsQuery(projectId).queryKey, exact: true });
    await navigate({
      to: '/projects/$projectId/imports/$importId',
      params: { projectId, importId },
      replace: true,
      ignoreBlocker: true,
    });
  };
}
