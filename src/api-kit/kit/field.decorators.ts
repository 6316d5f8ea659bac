import { dateTime } from '../../shared/date-time';
import { uuid } from '../../shared/id';
import { moment } from '../../shared/moment';
import { jsonBoolean, queryBoolean, oneOf, queryInteger } from '../../shared/rule';
import { displayName, text } from '../../shared/text';
import { type FieldOptions, ruleDecorator } from './rule.decorator';

export const IsDisplayName = ruleDecorator(displayName);
export const IsResourceId = ruleDecorator(uuid);
export const IsDateTime = ruleDecorator(dateTime);
export const IsMoment = ruleDecorator(moment);
export const IsJsonBoolean = ruleDecorator(jsonBoolean);

export const IsSearchText = (options: FieldOptions) => ruleDecorator(text())({ ...options, optional: true });

export const IsQueryBoolean = (options: FieldOptions & { default: boolean }) =>
  ruleDecorator(queryBoolean(options.default))(options);

export const IsQueryChoice = (values: readonly string[], options: FieldOptions & { default?: string }) =>
  ruleDecorator(oneOf(values, options.default))(options);

export const IsQueryInteger = ({
  minimum,
  maximum,
  default: fallback,
  ...options
}: FieldOptions & { minimum: number; maximum: number; default: number }) =>
  ruleDecorator(queryInteger({ minimum, maximum, default: fallback }))(options);
