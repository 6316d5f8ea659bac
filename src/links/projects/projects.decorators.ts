import { allowedSchemes } from '../../shared/destination-url';
import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { longLinkDestinations } from './long-link-destinations';
import { subdomainRule } from './project';

export const IsLongLinkDestinations = ruleDecorator(longLinkDestinations);
export const IsAllowedSchemes = ruleDecorator(allowedSchemes);
export const IsSubdomain = ruleDecorator(subdomainRule);
