import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { slug } from './short-link';

export const IsSlug = ruleDecorator(slug);
