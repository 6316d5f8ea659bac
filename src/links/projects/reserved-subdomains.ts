import { openHostSuffix } from '../../link-paths/paths/open-label';
import type { Subdomain } from './subdomain';

/**
 * Names that visitors would take for the service itself, or that hosts of the service are commonly given. docs/contract-resources.md,
 * “Projects and subdomains”, lists them.
 */
const reserved = new Set([
  'www',
  'api',
  'app',
  'apps',
  'admin',
  'administrator',
  'dashboard',
  'console',
  'account',
  'accounts',
  'auth',
  'login',
  'sso',
  'mail',
  'email',
  'smtp',
  'imap',
  'pop',
  'mx',
  'ns',
  'ns1',
  'ns2',
  'dns',
  'ftp',
  'ssh',
  'vpn',
  'cdn',
  'static',
  'assets',
  'docs',
  'help',
  'support',
  'status',
  'blog',
  'billing',
  'security',
  'root',
  'webmaster',
  'postmaster',
  'hostmaster',
  'abuse',
  'localhost',
  'wpad',
  'autoconfig',
  'autodiscover',
  'internal',
  'open',
]);

/**
 * Checks subdomains that no project can have: the list, labels of open hosts, and the API's host if it lies under the link
 * domain.
 */
export class ReservedSubdomains {
  readonly #own: string | null;

  constructor(linkBaseUrl: URL, apiBaseUrl: URL) {
    const suffix = `.${linkBaseUrl.hostname}`;
    this.#own = apiBaseUrl.hostname.endsWith(suffix) ? apiBaseUrl.hostname.slice(0, -suffix.length) : null;
  }

  has(subdomain: Subdomain): boolean {
    return reserved.has(subdomain) || subdomain.endsWith(openHostSuffix) || subdomain === this.#own;
  }
}
