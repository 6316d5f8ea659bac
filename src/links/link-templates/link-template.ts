import { domainError } from '../../shared/domain-error';
import type { Properties } from '../../shared/field-table';
import { InvalidInput } from '../../shared/problem';
import type { TemplateFields } from './template-fields';

type Configuration = Properties<TemplateFields>;

/** Parameters and rules that many links of a project have. */
export interface LinkTemplate extends Configuration {
  readonly id: string;
  readonly projectId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type NewTemplate = Pick<Configuration, 'name'> & Partial<Configuration>;
export type TemplateChanges = Partial<Omit<Configuration, 'name'>>;
export type TemplateSortKey = 'name' | 'created_at' | 'updated_at';

/** Templates of a project, because the console and the forms of links list all of them. */
export const maxTemplates = 50;

export class TemplateExists extends domainError(
  'TEMPLATE_EXISTS',
  (name: string) => `The project already has the template ${name}; update it or choose another name`,
) {}

/** Refuses a link whose template the project lacks. */
export const unknownTemplate = (): InvalidInput =>
  InvalidInput.because([
    { code: 'invalid_format', path: ['template'], message: 'must be the name of a template of the project' },
  ]);
