import { type ImportOptions, importOptions } from '../import-sources/import-options';
import { refused, Rule } from '../../shared/rule';

const isStorable = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, part]) => isStorable(name) && isStorable(part));
};

/** Reads options that jsonb can hold, which are those without NUL and halves of surrogate pairs. */
export const storableOptions = new Rule<ImportOptions>(importOptions.schema, (value) => {
  if (!isStorable(value)) return refused('invalid_format', 'must be text in Unicode');
  return importOptions.safeParse(value);
});
