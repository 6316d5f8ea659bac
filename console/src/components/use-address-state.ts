import { useSearch } from '@tanstack/react-router';

/**
 * Returns the state that the address of the page contains, as its parser reads it. The router gives pages also the values that
 * `validateSearch` has left out.
 */
export const useAddressState = <State>(parse: (raw: Record<string, unknown>) => State): State =>
  parse(useSearch({ strict: false }));
