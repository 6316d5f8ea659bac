import { ruleDecorator } from '../kit/rule.decorator';
import { moment } from './moment';
import { timeZone } from './time-zone';

export const IsMoment = ruleDecorator(moment);
export const IsTimeZone = ruleDecorator(timeZone);
