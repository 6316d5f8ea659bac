import type { Project } from '../projects/project';
import type { LinkPath } from './custom-path';

/** What decides on which host a project's links are. */
type Hosted = Pick<Project, 'subdomain' | 'customDomain'>;

/** Hosts of links, and the URLs on them: derived from project and path at every reading, stored nowhere. */
export class LinkHosts {
  readonly #suffix: string;
  /** With its colon; empty where the settings have none. */
  readonly #port: string;

  constructor(
    private readonly linkBaseUrl: URL,
    private readonly apiBaseUrl: URL,
  ) {
    this.#suffix = `.${linkBaseUrl.hostname}`;
    this.#port = linkBaseUrl.port && `:${linkBaseUrl.port}`;
  }

  /** The active custom domain, else the subdomain; with the port, where the settings have one. */
  hostOf({ subdomain, customDomain }: Hosted): string {
    return (customDomain ?? subdomain + this.#suffix) + this.#port;
  }

  /** Without a slash at its end. */
  originOf(project: Hosted): string {
    return `${this.linkBaseUrl.protocol}//${this.hostOf(project)}`;
  }

  urlOf(project: Hosted, path: LinkPath): string {
    return `${this.originOf(project)}/${path}`;
  }

  /**
   * The part of a link host in front of the link domain, whether or not a project has it; null for a host that is not under
   * the link domain, and for the API's own. `host` is a `Host` header: its port does not matter, nor its letter case.
   */
  labelOf(host: string | undefined): string | null {
    if (host === undefined) return null;
    const hostname = hostnameOf(host);
    if (!hostname.endsWith(this.#suffix) || hostname === this.apiBaseUrl.hostname) return null;
    return hostname.slice(0, -this.#suffix.length);
  }

  /** Whether the host is the management API's, of which the settings name one. `host` as in a `Host` header. */
  isApi(host: string): boolean {
    return hostnameOf(host) === this.apiBaseUrl.hostname;
  }

  /** Whether the settings give the host a meaning: it is the API's, the link domain, or anything under that. */
  isOwn(hostname: string): boolean {
    const { hostname: linkDomain } = this.linkBaseUrl;
    return this.isApi(hostname) || hostname === linkDomain || hostname.endsWith(this.#suffix);
  }
}

/** Of a `Host` header: without port and final dot, in lower case. */
export const hostnameOf = (host: string): string =>
  host
    .replace(/:[0-9]*$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
