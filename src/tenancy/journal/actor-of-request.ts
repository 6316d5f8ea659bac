import { sharedNetworkOf } from '../../platform/http/network';
import type { Actor } from '../../shared/actor';
import type { Caller } from '../accounts/caller';
import type { JournalSettings } from './journal-settings';

/**
 * Returns who makes the changes of a request.
 * @param address the canonical IP address of the client
 */
export function actorOfRequest(
  { userId, apiKeyId }: Pick<Caller, 'userId' | 'apiKeyId'>,
  { address, requestId }: { address: string; requestId: string },
  { addresses }: Pick<JournalSettings, 'addresses'>,
): Actor {
  const stated = { whole: address, shortened: sharedNetworkOf(address), none: '' }[addresses];
  return {
    kind: apiKeyId === null ? 'user' : 'key',
    user_id: userId,
    api_key_id: apiKeyId ?? undefined,
    address: stated || undefined,
    request_id: requestId,
  };
}
