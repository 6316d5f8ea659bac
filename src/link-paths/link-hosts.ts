import type { Subdomain } from '../projects/project';
import type { LinkPath } from './custom-path';

/** Hosts of links, and the URLs on them: derived from project and path at every reading, stored nowhere. */
export class LinkHosts {
  readonly #suffix: string;

  constructor(
    private readonly linkBaseUrl: URL,
    private readonly apiBaseUrl: URL,
  ) {
    this.#suffix = `.${linkBaseUrl.hostname}`;
  }

  /** With the port, where the settings have one. */
  hostOf(subdomain: Subdomain): string {
    return `${subdomain}.${this.linkBaseUrl.host}`;
  }

  urlOf(subdomain: Subdomain, path: LinkPath): string {
    return `${this.linkBaseUrl.protocol}//${this.hostOf(subdomain)}/${path}`;
  }

  /**
   * The part of a link host in front of the link domain, whether or not a project has it; null for a host that is not under
   * the link domain, and for the API's own. `host` is a `Host` header: its port does not matter, nor its letter case.
   */
  labelOf(host: string | undefined): string | null {
    if (host === undefined) return null;
    const hostname = host
      .replace(/:[0-9]*$/, '')
      .replace(/\.$/, '')
      .toLowerCase();
    if (!hostname.endsWith(this.#suffix) || hostname === this.apiBaseUrl.hostname) return null;
    return hostname.slice(0, -this.#suffix.length);
  }
}
