import { openLabelOf } from './open-label';
import type { LinkPath } from './custom-path';
import type { HostedAt as Hosted, OpenHostFacts } from './open-host';

/** Derives link hosts and URLs from project and path. Neither is stored. */
export class LinkHosts {
  readonly #suffix: string;
  /** With its colon; empty if the settings have no port. */
  readonly #port: string;

  constructor(
    private readonly linkBaseUrl: URL,
    private readonly apiBaseUrl: URL,
  ) {
    this.#suffix = `.${linkBaseUrl.hostname}`;
    this.#port = linkBaseUrl.port && `:${linkBaseUrl.port}`;
  }

  /** Returns the active custom domain, or the host of the subdomain, with the port of the settings. */
  hostOf({ subdomain, customDomain }: Hosted): string {
    return this.hostnameOf({ subdomain, customDomain }) + this.#port;
  }

  /** Returns the same without a port. */
  hostnameOf({ subdomain, customDomain }: Hosted): string {
    return customDomain ?? subdomain + this.#suffix;
  }

  /** Returns the origin without a final slash. */
  originOf(project: Hosted): string {
    return `${this.linkBaseUrl.protocol}//${this.hostOf(project)}`;
  }

  urlOf(project: Hosted, path: LinkPath): string {
    return `${this.originOf(project)}/${path}`;
  }

  /**
   * Returns the host on which links open the apps, although they are on a page of the project's current host. Returns null if
   * it does not exist: the subdomain is too long, or its label is another project's or the API's.
   */
  openHostOf({ subdomain }: Pick<Hosted, 'subdomain'>, { openDomain, openLabelTaken }: OpenHostFacts): Hosted | null {
    if (openDomain !== null) return { subdomain, customDomain: openDomain };
    const label = openLabelTaken ? null : openLabelOf(subdomain);
    if (label === null || label + this.#suffix === this.apiBaseUrl.hostname) return null;
    return { subdomain: label, customDomain: null };
  }

  /**
   * Returns the part of a `Host` header before the link domain, whether or not a project has it.
   * Returns null for hosts outside the link domain, and for the API's host. Ignores port and letter case.
   */
  labelOf(host: string | undefined): string | null {
    if (host === undefined) return null;
    const hostname = hostnameOf(host);
    if (!hostname.endsWith(this.#suffix) || hostname === this.apiBaseUrl.hostname) return null;
    return hostname.slice(0, -this.#suffix.length);
  }

  /** Returns whether a `Host` header names the management API. */
  isApi(host: string): boolean {
    return hostnameOf(host) === this.apiBaseUrl.hostname;
  }

  /** Returns whether the service uses the host name: the API's host, the link domain, and all names under it. */
  isOwn(hostname: string): boolean {
    const { hostname: linkDomain } = this.linkBaseUrl;
    return this.isApi(hostname) || hostname === linkDomain || hostname.endsWith(this.#suffix);
  }
}

/** Returns the host name of a `Host` header: without port and final dot, in lower case. */
export const hostnameOf = (host: string): string =>
  host
    .replace(/:[0-9]*$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
