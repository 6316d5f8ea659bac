import { type FieldOptions, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { color } from './color';

export const IsColor = (options: FieldOptions & { default: string }) => ruleDecorator(color(options.default))(options);
