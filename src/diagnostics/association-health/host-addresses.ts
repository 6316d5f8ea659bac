/** Where hosts are. */
export abstract class HostAddresses {
  /**
   * IPv4 and IPv6 addresses of the host, none where the DNS says that there are none. Null where it could not be told. Never
   * throws.
   */
  abstract addressesOf(hostname: string, signal: AbortSignal): Promise<string[] | null>;
}
