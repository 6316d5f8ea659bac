import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { timeZone } from '../../shared/time-zone';

export const IsTimeZone = ruleDecorator(timeZone);
