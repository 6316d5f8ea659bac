import { type ImportOptions, importOptions } from '../import-sources/import-options';
import { refused, Rule } from '../../shared/rule';

/** Reads options that jsonb can hold, which are those without NUL and halves of surrogate pairs. */
export const storableOptions = new Rule<ImportOptions>(importOptions.schema, (value) => {
  if (/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value) ?? ''))
    return refused('invalid_format', 'must be text in Unicode');
  return importOptions.safeParse(value);
});
