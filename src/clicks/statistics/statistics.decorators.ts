import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { tagName } from '../../links/tags/tag';
import { uuid } from '../../shared/id';
import { oneOf, queryList, type Rule } from '../../shared/rule';
import { text } from '../../shared/text';
import { timeZone } from '../../shared/time-zone';
import { maxFilterValues } from './statistics-filter';

export const IsTimeZone = ruleDecorator(timeZone);

const filter = (rule: Rule<unknown>) => (description: string, example: string) =>
  ruleDecorator(queryList(rule, maxFilterValues))({ description, example: [example], optional: true });

/** A host is the longest value of a click. */
export const FiltersValues = filter(text({ max: 253 }));
export const FiltersIds = filter(uuid);
export const FiltersTags = filter(tagName);
export const FiltersParameter = filter(text({ min: 1, max: 500 }));
export const FiltersChoices = (values: readonly string[], description: string, example: string) =>
  filter(oneOf(values))(description, example);
