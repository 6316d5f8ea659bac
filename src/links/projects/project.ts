import { defaultsOf, type Properties, shapeOf } from '../../shared/field-table';
import { newId } from '../../shared/id';
import { type ProjectFields, projectFields } from './project-fields';
import type { Subdomain } from './subdomain';

/** A container of links and apps. Its active custom domain is the host of every link inside; without one, its subdomain is. */
export class Project extends shapeOf<Properties<ProjectFields>>() {
  readonly id: string;
  readonly accountId: string;
  readonly userId: string;
  /** The host name of its active custom domain; null if it has none. */
  readonly customDomain: string | null;
  /** Hosts to which links may lead that the API key of the request writes. Null or absent: all that the project allows. */
  readonly hostsOfKey?: readonly string[] | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;

  private constructor(fields: Partial<Project>) {
    super();
    Object.assign(this, fields);
  }

  static create(fields: Pick<Project, 'accountId' | 'userId'> & NewProjectFields): NewProject {
    return new Project({ ...defaults, ...fields, id: newId(), customDomain: null });
  }

  /** Returns the project for a caller whose links may lead to these hosts only. */
  limitedTo(hostsOfKey: readonly string[] | null): Project {
    return hostsOfKey === null ? this : new Project({ ...this, hostsOfKey });
  }

  /** Returns the new subdomain if the changes contain another one; null otherwise. */
  newSubdomainIn({ subdomain }: ProjectChanges): Subdomain | null {
    return subdomain === undefined || subdomain === this.subdomain ? null : subdomain;
  }
}

const defaults = defaultsOf(projectFields) as Partial<Project>;

export type NewProject = Omit<Project, 'createdAt' | 'updatedAt'>;
export type ProjectChanges = Partial<Properties<ProjectFields>>;
/** The fields that a caller may set. Absent fields get their defaults. */
export type NewProjectFields = ProjectChanges & Pick<Project, 'name' | 'subdomain'>;
export type ProjectSortKey = 'name' | 'subdomain' | 'created_at' | 'updated_at';
