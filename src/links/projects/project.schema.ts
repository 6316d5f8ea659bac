import { entitySchema } from '../../platform/postgres/entity-schemas';
import { fieldColumns, timeColumns } from '../../platform/tables/field-columns';
import { Project } from './project';
import { projectFields } from './project-fields';

export type ProjectRow = Project & { dynamicLinks: number; deletedAt: Date | null };

const customDomainOf = (project: string): string =>
  `SELECT d.hostname FROM custom_domains d WHERE d.project_id = ${project}.id AND d.active`;

const dynamicLinksOf = (project: string): string =>
  `SELECT coalesce(sum(kept.dynamic_links), 0)::int FROM project_counts kept WHERE kept.project_id = ${project}.id`;

export const ProjectSchema = entitySchema<ProjectRow>({
  name: 'Project',
  target: Project,
  tableName: 'projects',
  columns: {
    id: { type: 'uuid', primary: true },
    accountId: { type: 'uuid', name: 'account_id' },
    userId: { type: 'uuid', name: 'user_id' },
    ...fieldColumns(projectFields),
    customDomain: { type: 'text', virtualProperty: true, query: customDomainOf },
    dynamicLinks: { type: 'integer', virtualProperty: true, query: dynamicLinksOf, select: false },
    ...timeColumns,
    deletedAt: { type: 'timestamptz', name: 'deleted_at', deleteDate: true, select: false },
  },
});
