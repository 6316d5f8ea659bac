import { useSyncExternalStore } from 'react';
import { session, type SessionState } from './session';

export const useSession = (): SessionState => useSyncExternalStore(session.subscribe, () => session.state);

/** Returns the key of a link about which the reader must decide. */
export const useOfferedKey = (): string | null => useSyncExternalStore(session.subscribe, () => session.offeredKey);
