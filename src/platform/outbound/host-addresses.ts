export abstract class HostAddresses {
  /**
   * Returns the IPv4 and IPv6 addresses of the host; empty if the DNS has none, null if resolving failed. Never rejects.
   */
  abstract addressesOf(hostname: string, signal: AbortSignal): Promise<string[] | null>;
}
