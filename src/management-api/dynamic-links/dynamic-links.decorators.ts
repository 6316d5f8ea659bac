import { ruleDecorator } from '../kit/rule.decorator';
import { destinationUrl } from './destination-url';
import { socialDescription, socialTitle } from './dynamic-link';
import { referrerParams } from './referrer-params';

export const IsDestinationUrl = ruleDecorator(destinationUrl);
export const IsSocialTitle = ruleDecorator(socialTitle);
export const IsSocialDescription = ruleDecorator(socialDescription);
export const IsReferrerParams = ruleDecorator(referrerParams);
