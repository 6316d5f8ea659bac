import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { moment } from './moment';
import { timeZone } from '../../shared/time-zone';

export const IsMoment = ruleDecorator(moment);
export const IsTimeZone = ruleDecorator(timeZone);
