import { EntitySchema } from 'typeorm';
import { Project } from './project';

export type ProjectRow = Project & { dynamicLinks: number; deletedAt: Date | null };

const customDomainOf = (project: string): string =>
  `SELECT d.hostname FROM custom_domains d WHERE d.project_id = ${project}.id AND d.active`;

const dynamicLinksOf = (project: string): string =>
  `SELECT coalesce(sum(kept.dynamic_links), 0)::int FROM project_counts kept WHERE kept.project_id = ${project}.id`;

export const ProjectSchema = new EntitySchema<ProjectRow>({
  name: 'Project',
  target: Project,
  tableName: 'projects',
  columns: {
    id: { type: 'uuid', primary: true },
    accountId: { type: 'uuid', name: 'account_id' },
    userId: { type: 'uuid', name: 'user_id' },
    name: { type: 'text' },
    subdomain: { type: 'text' },
    longLinkDestinations: { type: 'text', name: 'long_link_destinations', array: true },
    rootUrl: { type: 'text', name: 'root_url', nullable: true },
    notFoundUrl: { type: 'text', name: 'not_found_url', nullable: true },
    queryForwarding: { type: 'text', name: 'query_forwarding' },
    forwardedParams: { type: 'text', name: 'forwarded_params', array: true },
    allowedSchemes: { type: 'text', name: 'allowed_schemes', array: true },
    customDomain: { type: 'text', virtualProperty: true, query: customDomainOf },
    dynamicLinks: { type: 'integer', virtualProperty: true, query: dynamicLinksOf, select: false },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
    updatedAt: { type: 'timestamptz', name: 'updated_at', updateDate: true },
    deletedAt: { type: 'timestamptz', name: 'deleted_at', deleteDate: true, select: false },
  },
});
