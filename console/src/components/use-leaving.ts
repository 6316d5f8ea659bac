import { useEffect, useState } from 'react';

/**
 * Returns a function whose signal aborts when the component is removed, or belongs to another thing. An answer that arrives later must
 * not leave the page that is open then.
 */
export function useLeaving(id = ''): () => AbortSignal {
  const [running] = useState(() => new Set<AbortController>());
  useEffect(
    () => () => {
      for (const controller of running) controller.abort();
      running.clear();
    },
    [running, id],
  );
  return () => {
    const controller = new AbortController();
    running.add(controller);
    return controller.signal;
  };
}
