import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { hostname } from './hostname';

export const IsHostname = ruleDecorator(hostname);
