import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { linkDestination } from '../../shared/destination-url';
import { externalId, linkTitle, notes, socialDescription, socialTitle } from './dynamic-link';
import { referrerParams } from './referrer-params';

export const IsDestinationUrl = ruleDecorator(linkDestination);
export const IsSocialTitle = ruleDecorator(socialTitle);
export const IsSocialDescription = ruleDecorator(socialDescription);
export const IsReferrerParams = ruleDecorator(referrerParams);
export const IsExternalId = ruleDecorator(externalId);
export const IsLinkTitle = ruleDecorator(linkTitle);
export const IsNotes = ruleDecorator(notes);
