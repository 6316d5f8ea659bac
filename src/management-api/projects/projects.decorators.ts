import { ruleDecorator } from '../kit/rule.decorator';
import { subdomainRule } from './project';

export const IsSubdomain = ruleDecorator(subdomainRule);
