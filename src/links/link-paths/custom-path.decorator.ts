import { ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { customPath } from './custom-path';

export const IsCustomPath = ruleDecorator(customPath);
