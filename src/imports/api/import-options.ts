import type { Problem } from '../../shared/problem';
import { refused, Rule, wrongType } from '../../shared/rule';
import { isStorable } from '../../shared/text';
import { timeZone } from '../../shared/time-zone';
import type { ImportOptions } from '../sources/import-source';
import { encodings } from '../sources/text-encoding';
import { csvReader, csvTargets } from '../sources/csv';
import { isObject } from '../../shared/is-object';
import { dateFormats } from '../sources/source-time';

const maxColumns = 200;
const maxHeaderLength = 200;

const choicesOf = new Map<string, readonly string[]>([
  ['encoding', encodings],
  ['date_format', dateFormats],
]);

const isStorableJson = (value: unknown): boolean => {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, part]) => isStorable(name) && isStorableJson(part));
};

/** Reads the options of mappers, so that a wrong one refuses the import and not each record. */
export const importOptions = new Rule<ImportOptions>({ type: 'object', additionalProperties: true }, (value) => {
  if (!isStorableJson(value)) return refused('invalid_format', 'must be text in Unicode');
  if (!isObject(value)) return wrongType('object');
  const problems = Object.entries(value).flatMap(([name, option]): Problem[] => {
    if (name === 'time_zone') {
      const read = timeZone.safeParse(option);
      return 'problems' in read ? read.problems.map((problem) => ({ ...problem, path: [name] })) : [];
    }
    const choices: readonly unknown[] | undefined = choicesOf.get(name);
    if (choices)
      return choices.includes(option)
        ? []
        : refused('invalid_enum_value', `must be one of ${choices.join(', ')}`, [name]).problems;
    if (name === 'columns') return problemsOfColumns(option);
    return refused('unrecognized_key', 'is not an option', [name]).problems;
  });
  return problems.length > 0 ? { problems } : { value };
});

function problemsOfColumns(columns: unknown): Problem[] {
  const problem = (message: string, ...at: string[]) => refused('invalid_format', message, ['columns', ...at]).problems;
  if (!isObject(columns)) return problem('must be an object of headers and targets');
  const headers = Object.keys(columns);
  if (headers.length > maxColumns) return problem(`must have at most ${maxColumns} headers`);
  return Object.entries(columns).flatMap(([header, target]) => {
    if (header.length > maxHeaderLength) return problem(`must have headers of at most ${maxHeaderLength} characters`);
    if (target === null || (typeof target === 'string' && csvReader(target))) return [];
    const targets = [...csvTargets.keys(), 'referrer_params.KEY'].join(', ');
    return problem(`must be null or one of ${targets}`, header);
  });
}
