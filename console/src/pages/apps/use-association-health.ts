import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { associationHealthQuery } from '../../api/queries';

/** Reads the health of a project. A probe, which asks the hosts from outside, runs on request. */
export function useAssociationHealth(projectId: string) {
  const client = useQueryClient();
  const health = useQuery(associationHealthQuery(projectId, false));
  const probe = useMutation({
    mutationFn: async () => {
      const query = { ...associationHealthQuery(projectId, true), staleTime: 0, retry: false };
      return { health: await client.fetchQuery(query), readAt: Date.now() };
    },
    retry: false,
  });
  // The health is read again after an app was changed.
  const probed = probe.data && probe.data.readAt >= health.dataUpdatedAt ? probe.data.health : null;
  return { health, probe, probed };
}
