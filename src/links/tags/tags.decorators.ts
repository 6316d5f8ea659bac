import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { tagName, tagNames } from './tag';

export const IsTagName = ruleDecorator(tagName);
export const IsTagNames = ruleDecorator(tagNames);
