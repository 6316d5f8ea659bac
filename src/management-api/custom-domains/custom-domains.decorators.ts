import { ruleDecorator } from '../kit/rule.decorator';
import { hostname } from './hostname';

export const IsHostname = ruleDecorator(hostname);
