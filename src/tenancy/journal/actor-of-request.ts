import type { Actor } from '../../shared/actor';
import type { Caller } from '../accounts/caller';
import type { JournalSettings } from './journal-settings';

/**
 * Returns who makes the changes of a request.
 * @param address the IP address of the client
 */
export function actorOfRequest(
  { userId, apiKeyId }: Caller,
  request: { address: string | undefined; requestId: string },
  { addresses }: JournalSettings,
): Actor {
  return {
    kind: apiKeyId === null ? 'user' : 'key',
    user_id: userId,
    ...(apiKeyId !== null && { api_key_id: apiKeyId }),
    ...(request.address !== undefined &&
      addresses !== 'none' && { address: addresses === 'whole' ? request.address : shortened(request.address) }),
    request_id: request.requestId,
  };
}

/** Returns the network of an address: three of four parts of IPv4, and 48 bits of IPv6. */
export function shortened(address: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(address);
  if (v4) return `${v4[1]}.0`;
  const [head = ''] = address.split('%');
  // The groups before `::` are the first ones.
  const groups = head.split('::')[0]!.split(':').filter(Boolean).slice(0, 3);
  return `${groups.join(':')}::`;
}
