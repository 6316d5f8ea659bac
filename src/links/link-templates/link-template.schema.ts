import { entitySchema } from '../../platform/postgres/entity-schemas';
import { fieldColumns, idColumns, timeColumns } from '../../platform/tables/field-columns';
import type { LinkTemplate } from './link-template';
import { templateFields } from './template-fields';

export const LinkTemplateSchema = entitySchema<LinkTemplate>({
  name: 'LinkTemplate',
  tableName: 'link_templates',
  columns: { ...idColumns, ...fieldColumns(templateFields), ...timeColumns },
});
