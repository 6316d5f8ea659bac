import { newId } from '../../shared/id';
import { refused, Rule, type RuleSchema } from '../../shared/rule';
import { displayName, text } from '../../shared/text';

/** The first label of a project's link host. */
export type Subdomain = string & { readonly brand: 'Subdomain' };

const subdomainText = text<Subdomain>({
  min: 2,
  max: 63,
  pattern: /^[a-z0-9][a-z0-9-]*[a-z0-9]$/,
  patternSays: 'consist of lowercase letters, digits and hyphens, with no hyphen first or last',
});

/** A DNS label (RFC 1035). `xn--` labels are refused, because encoded Unicode can look like any name. */
export const subdomainRule = new Rule<Subdomain>(subdomainText.schema satisfies RuleSchema, (value) => {
  const reading = subdomainText.read(value);
  if ('value' in reading && reading.value.startsWith('xn--'))
    return refused('invalid_format', 'must not start with xn--');
  return reading;
});

export const projectName = displayName;

/** The top-level container. All its links share one host: its active custom domain, or its subdomain if it has none. */
export class Project {
  readonly id: string;
  readonly accountId: string;
  /** The user who created it. */
  readonly userId: string;
  readonly name: string;
  readonly subdomain: Subdomain;
  /** The host name of its active custom domain; null if it has none. */
  readonly customDomain: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;

  private constructor(fields: Partial<Project>) {
    Object.assign(this, fields);
  }

  static create(fields: Pick<Project, 'accountId' | 'userId' | 'name' | 'subdomain'>): NewProject {
    return new Project({ ...fields, id: newId(), customDomain: null });
  }

  /** Returns the new subdomain if the changes contain another one; null otherwise. */
  newSubdomainIn({ subdomain }: ProjectChanges): Subdomain | null {
    return subdomain === undefined || subdomain === this.subdomain ? null : subdomain;
  }
}

export type NewProject = Omit<Project, 'createdAt' | 'updatedAt'>;
export type ProjectChanges = Partial<Pick<Project, 'name' | 'subdomain'>>;
export type ProjectSortKey = 'name' | 'subdomain' | 'created_at' | 'updated_at';
