import { newId } from '../../shared/id';
import { refused, Rule } from '../../shared/rule';
import { text } from '../../shared/text';
import type { QueryForwarding } from '../../shared/query-forwarding';
import type { DestinationUrl } from '../../shared/destination-url';
import type { DestinationHost } from './long-link-destinations';

/** The first label of a project's link host. */
export type Subdomain = string & { readonly brand: 'Subdomain' };

const subdomainText = text<Subdomain>({
  min: 2,
  max: 63,
  pattern: /^[a-z0-9][a-z0-9-]*[a-z0-9]$/,
  patternSays: 'consist of lowercase letters, digits and hyphens, with no hyphen first or last',
});

/**
 * Combines the specification's pattern with the length of RFC 1035. `xn--` is refused, because such a label can look like any
 * name.
 */
export const subdomainRule = new Rule<Subdomain>({ ...subdomainText.schema, not: { pattern: '^xn--' } }, (value) => {
  const reading = subdomainText.safeParse(value);
  if ('value' in reading && reading.value.startsWith('xn--'))
    return refused('invalid_format', 'must not start with xn--');
  return reading;
});

/** A container of links and apps. Its active custom domain is the host of every link inside; without one, its subdomain is. */
export class Project {
  readonly id: string;
  readonly accountId: string;
  /** The user who created it. */
  readonly userId: string;
  readonly name: string;
  readonly subdomain: Subdomain;
  /** The host name of its active custom domain; null if it has none. */
  readonly customDomain: string | null;
  /** The hosts to which long links of Firebase may lead; empty if the project serves none. */
  readonly longLinkDestinations: DestinationHost[];
  /** Where visitors of `/` are sent; null for a page. */
  readonly rootUrl: DestinationUrl | null;
  /** Where visitors of unknown paths are sent; null for a page. */
  readonly notFoundUrl: DestinationUrl | null;
  /** The parameters of visitors that destinations get, unless a link has another value. */
  readonly queryForwarding: QueryForwarding;
  readonly forwardedParams: string[];
  /** Schemes that destinations of links may have beside http and https. */
  readonly allowedSchemes: string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;

  private constructor(fields: Partial<Project>) {
    Object.assign(this, fields);
  }

  static create(fields: Pick<Project, 'accountId' | 'userId'> & NewProjectFields): NewProject {
    return new Project({ ...defaults, ...fields, id: newId(), customDomain: null });
  }

  /** Returns the new subdomain if the changes contain another one; null otherwise. */
  newSubdomainIn({ subdomain }: ProjectChanges): Subdomain | null {
    return subdomain === undefined || subdomain === this.subdomain ? null : subdomain;
  }
}

const defaults = {
  longLinkDestinations: [],
  rootUrl: null,
  notFoundUrl: null,
  queryForwarding: 'all',
  forwardedParams: [],
  allowedSchemes: [],
} satisfies Partial<Project>;

export type NewProject = Omit<Project, 'createdAt' | 'updatedAt'>;
export type ProjectChanges = Partial<Pick<Project, 'name' | 'subdomain' | keyof typeof defaults>>;
/** The fields that a caller may set. Absent fields get their defaults. */
export type NewProjectFields = ProjectChanges & Pick<Project, 'name' | 'subdomain'>;
export type ProjectSortKey = 'name' | 'subdomain' | 'created_at' | 'updated_at';
