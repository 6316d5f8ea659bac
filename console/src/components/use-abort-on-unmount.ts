import { useEffect, useState } from 'react';

/**
 * Returns a function whose signal aborts when the component is removed. An answer that arrives later must not leave the page that is
 * open then.
 */
export function useAbortOnUnmount(): () => AbortSignal {
  const [running] = useState(() => new Set<AbortController>());
  useEffect(
    () => () => {
      for (const controller of running) controller.abort();
      running.clear();
    },
    [running],
  );
  return () => {
    const controller = new AbortController();
    running.add(controller);
    return controller.signal;
  };
}
